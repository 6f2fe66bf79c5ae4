#include "embedded/mmdit_config.h"

#include "base/limits.h"

namespace cbench::embedded {
namespace {

constexpr char kArchitecture[] = "sd3.5-medium";

ImageDims Turbo(ImageDims dims, std::string name) {
  dims.name = std::move(name);
  dims.default_steps = 4;
  dims.default_guidance = 1.0f;
  return dims;
}

std::vector<ImageDims> MakeModels() {
  const ImageDims medium{.name = "sd3.5-medium", .mmdit = {}, .vae = {}};
  ImageDims demo = medium;
  demo.name = "sd3.5-medium-demo";
  demo.mmdit.depth = 6;
  demo.mmdit.width = 384;
  demo.mmdit.dual_blocks = 3;
  demo.mmdit.pos_max = 192;
  demo.vae.channels = {32, 32, 64, 64};
  demo.default_side = 256;
  ImageDims test = medium;
  test.name = "sd3.5-test";
  test.mmdit = {.depth = 2,
                .width = 128,
                .dual_blocks = 1,
                .context_dim = 128,
                .context_tokens = 10,
                .pooled_dim = 64,
                .pos_max = 128};
  test.vae.channels = {32, 32, 64, 64};
  test.default_side = 64;
  test.default_steps = 2;
  return {medium, Turbo(medium, "sd3.5-medium-turbo"), demo, Turbo(demo, "sd3.5-medium-turbo-demo"),
          test};
}

// One list of integer keys serves both writing and reading.
template <typename Dims, typename Visit>
void VisitKeys(Dims& dims, Visit visit) {
  auto& m = dims.mmdit;
  visit("sd3.block_count", m.depth, 1, 1024);
  visit("sd3.embedding_length", m.width, kHeadSize, 65536);
  visit("sd3.dual_attention_block_count", m.dual_blocks, 0, 1024);
  visit("sd3.latent_channels", m.latent_channels, 1, 1024);
  visit("sd3.patch_size", m.patch, 1, 16);
  visit("sd3.context_embedding_length", m.context_dim, 1, 65536);
  visit("sd3.context_length", m.context_tokens, 1, 65536);
  visit("sd3.pooled_embedding_length", m.pooled_dim, 1, 65536);
  visit("sd3.position_table_side", m.pos_max, 1, 4096);
  visit("sd3.default_side", dims.default_side, limits::kMinImageSide, limits::kImageSide);
  visit("sd3.default_steps", dims.default_steps, 1, 100);
  visit("sd3.vae.res_block_count", dims.vae.res_blocks, 1, 16);
  visit("sd3.vae.channels.0", dims.vae.channels[0], kNormGroups, 65536);
  visit("sd3.vae.channels.1", dims.vae.channels[1], kNormGroups, 65536);
  visit("sd3.vae.channels.2", dims.vae.channels[2], kNormGroups, 65536);
  visit("sd3.vae.channels.3", dims.vae.channels[3], kNormGroups, 65536);
}

template <typename Dims, typename Visit>
void VisitFloatKeys(Dims& dims, Visit visit) {
  visit("sd3.default_guidance", dims.default_guidance);
  visit("sd3.vae.scaling_factor", dims.vae.scale);
  visit("sd3.vae.shift_factor", dims.vae.shift);
}

Result<> Check(const ImageDims& dims, const std::string& path) {
  if (dims.mmdit.width % kHeadSize) {
    return InputError("{}: sd3.embedding_length {} is no multiple of the head size {}", path,
                      dims.mmdit.width, kHeadSize);
  }
  if (dims.mmdit.dual_blocks >= dims.mmdit.depth) {
    return InputError("{}: sd3.dual_attention_block_count {} leaves no single-attention block",
                      path, dims.mmdit.dual_blocks);
  }
  const int side = dims.mmdit.pos_max * dims.mmdit.patch * kPixelsPerLatent;
  if (side < limits::kImageSide) {
    return InputError("{}: sd3.position_table_side covers {} pixels, {} are needed", path, side,
                      limits::kImageSide);
  }
  for (const int channels : dims.vae.channels) {
    if (channels % kNormGroups == 0) continue;
    return InputError("{}: sd3.vae.channels: {} is no multiple of {} norm groups", path, channels,
                      kNormGroups);
  }
  return {};
}

std::string ReadString(const gguf_context* file, const char* key) {
  const auto id = gguf_find_key(file, key);
  if (id < 0 || gguf_get_kv_type(file, id) != GGUF_TYPE_STRING) return "";
  return gguf_get_val_str(file, id);
}

}  // namespace

const std::vector<ImageDims>& ImageModels() {
  static const std::vector<ImageDims> models = MakeModels();
  return models;
}

const ImageDims* FindImageDims(std::string_view name) {
  for (const ImageDims& dims : ImageModels()) {
    if (dims.name == name) return &dims;
  }
  return nullptr;
}

void WriteDims(const ImageDims& dims, gguf_context* file) {
  gguf_set_val_str(file, "general.architecture", kArchitecture);
  gguf_set_val_str(file, "general.name", dims.name.c_str());
  gguf_set_val_bool(file, "cbench.synthetic", dims.synthetic);
  VisitKeys(dims, [&](const char* key, int value, int, int) {
    gguf_set_val_u32(file, key, static_cast<std::uint32_t>(value));
  });
  VisitFloatKeys(dims, [&](const char* key, float value) { gguf_set_val_f32(file, key, value); });
}

Result<ImageDims> ReadDims(const gguf_context* file, const std::string& path) {
  const std::string architecture = ReadString(file, "general.architecture");
  if (architecture != kArchitecture) {
    return InputError("{}: general.architecture is '{}', the image engine runs '{}'", path,
                      architecture, kArchitecture);
  }
  ImageDims dims;
  std::string wrong;
  dims.name = ReadString(file, "general.name");
  const auto synthetic = gguf_find_key(file, "cbench.synthetic");
  dims.synthetic = synthetic >= 0 && gguf_get_kv_type(file, synthetic) == GGUF_TYPE_BOOL &&
                   gguf_get_val_bool(file, synthetic);
  VisitKeys(dims, [&](const char* key, int& value, int least, int most) {
    const auto id = gguf_find_key(file, key);
    const bool there = id >= 0 && gguf_get_kv_type(file, id) == GGUF_TYPE_UINT32;
    const std::uint32_t found = there ? gguf_get_val_u32(file, id) : 0;
    const bool fits = there && found >= static_cast<std::uint32_t>(least) &&
                      found <= static_cast<std::uint32_t>(most);
    if (!fits && wrong.empty()) wrong = fmt::format("{} must be {} to {}", key, least, most);
    value = static_cast<int>(found);
  });
  VisitFloatKeys(dims, [&](const char* key, float& value) {
    const auto id = gguf_find_key(file, key);
    const bool there = id >= 0 && gguf_get_kv_type(file, id) == GGUF_TYPE_FLOAT32;
    if (!there && wrong.empty()) wrong = fmt::format("{} must be a float", key);
    if (there) value = gguf_get_val_f32(file, id);
  });
  if (!wrong.empty()) return InputError("{}: key {}", path, wrong);
  CBENCH_TRY(Check(dims, path));
  return dims;
}

}  // namespace cbench::embedded
