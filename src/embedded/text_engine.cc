#include "embedded/text_engine.h"

#include <algorithm>

#include "base/limits.h"
#include "embedded/ggml_device.h"

namespace cbench::embedded {
namespace {

constexpr std::size_t kMaxWaiting = 256;

Result<> Check(const ServeOptions& options) {
  if (options.parallel < 1 || options.parallel > limits::kParallel) {
    return InputError("--parallel: {} is not between 1 and {}", options.parallel,
                      limits::kParallel);
  }
  if (options.context < limits::kMinContext)
    return InputError("--context: {} is under {} tokens", options.context, limits::kMinContext);
  if (options.prefill_chunk < 1)
    return InputError("--prefill-chunk: {} is under 1", options.prefill_chunk);
  return {};
}

}  // namespace

Result<std::unique_ptr<TextEngine>> TextEngine::Make(const ServeOptions& options,
                                                     const TextModel& model,
                                                     share::StepHook& hook) {
  CBENCH_TRY(Check(options));
  std::unique_ptr<TextEngine> engine(new TextEngine(model, hook));
  CBENCH_TRY(engine->Open(options));
  CBENCH_TRY(engine->WarmUp());
  engine->thread_ = std::thread([self = engine.get()] { self->Loop(); });
  return engine;
}

Result<> TextEngine::Open(const ServeOptions& options) {
  CBENCH_ASSIGN(const ggml_backend_dev_t device, FindDevice(options.device));
  device_ = ggml_backend_dev_description(device);
  threads_ = ResolveThreads(options.threads);
  CBENCH_ASSIGN(pool_,
                ThreadPool::Make(
                    {.threads = threads_, .spin = options.spin, .own_cores = options.own_cores}));
  hook_.AddWorkers(PoolThreads());
  step_tokens_ = std::max(options.prefill_chunk, options.parallel);

  // One cache for all slots: then a step's tokens are one graph whichever slots they belong to.
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<std::uint32_t>(options.context * options.parallel);
  params.n_seq_max = static_cast<std::uint32_t>(options.parallel);
  params.kv_unified = true;
  params.n_batch = params.n_ubatch = static_cast<std::uint32_t>(step_tokens_);
  params.n_threads = params.n_threads_batch = threads_;
  params.offload_kqv = options.kv_offload;
  params.no_perf = true;
  params.abort_callback = [](void* flag) {
    return static_cast<std::atomic<bool>*>(flag)->load(std::memory_order_relaxed);
  };
  params.abort_callback_data = &abort_;
  context_.reset(llama_init_from_model(model_.llama(), params));
  if (!context_) {
    return Failure("no context of {} × {} tokens for this model; lower context or parallel",
                   options.parallel, options.context);
  }
  llama_attach_threadpool(context_.get(), pool_.get(), pool_.get());
  context_size_ = options.context;
  batch_ = std::make_unique<TextBatch>(step_tokens_);
  pace_ = std::make_unique<PromptPace>(step_tokens_);
  for (int id = 0; id < options.parallel; ++id) slots_.emplace_back(id);
  return {};
}

// Reads the weights in and lets libllama make its graphs' buffers before the first request.
Result<> TextEngine::WarmUp() {
  llama_token token = 0;
  if (llama_decode(context_.get(), llama_batch_get_one(&token, 1)) != 0) {
    return Failure("the model could not compute its first token (see the log above)");
  }
  llama_synchronize(context_.get());
  llama_memory_clear(llama_get_memory(context_.get()), true);
  return {};
}

TextEngine::~TextEngine() {
  Stop();
  if (thread_.joinable()) thread_.join();
}

void TextEngine::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  abort_ = true;
  changed_.notify_one();
}

bool TextEngine::Submit(std::shared_ptr<Generation> generation) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || waiting_.size() >= kMaxWaiting) return false;
    waiting_.push_back(std::move(generation));
  }
  changed_.notify_one();
  return true;
}

bool TextEngine::AnyBusy() const {
  return std::any_of(slots_.begin(), slots_.end(), [](const TextSlot& s) { return s.busy(); });
}

bool TextEngine::WaitForWork() {
  std::unique_lock lock(mutex_);
  if (!AnyBusy()) changed_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
  return !stopping_;
}

void TextEngine::Loop() {
  const ThreadPool::Seat seat(pool_);
  while (WaitForWork()) {
    DropCancelled();
    Admit();
    if (AnyBusy()) Step();
  }
  for (TextSlot& slot : slots_) {
    if (slot.busy()) slot.Fail("the server is stopping");
  }
  const std::lock_guard lock(mutex_);
  for (auto& generation : waiting_) generation->Push({"", "", "the server is stopping", {}});
  waiting_.clear();
}

void TextEngine::DropCancelled() {
  for (TextSlot& slot : slots_) {
    if (slot.busy() && slot.generation().cancelled()) slot.Fail("cancelled");
  }
}

void TextEngine::Admit() {
  const std::lock_guard lock(mutex_);
  while (!waiting_.empty()) {
    if (waiting_.front()->cancelled()) {
      waiting_.pop_front();
      continue;
    }
    TextSlot* slot = ChooseSlot(slots_, waiting_.front()->request().prompt);
    if (!slot) return;
    Begin(*slot, std::move(waiting_.front()));
    waiting_.pop_front();
  }
}

void TextEngine::Begin(TextSlot& slot, std::shared_ptr<Generation> generation) {
  const GenerationRequest& request = generation->request();
  // The last token is computed in any case: its logits begin the answer.
  int kept = std::min(CommonPrefix(slot.cached(), request.prompt),
                      static_cast<int>(request.prompt.size()) - 1);
  if (!request.cache_prompt) kept = 0;
  llama_memory_t memory = llama_get_memory(context_.get());
  if (!llama_memory_seq_rm(memory, slot.id(), kept, -1)) {
    kept = 0;  // a recurrent state cannot be cut
    llama_memory_seq_rm(memory, slot.id(), -1, -1);
  }
  slot.Begin(std::move(generation), model_, kept, context_size_);
}

void TextEngine::Fill(TextBatch& batch) {
  std::vector<TextSlot*> members;
  std::vector<Claim> claims;
  for (TextSlot& slot : slots_) {
    if (!slot.busy()) continue;
    members.push_back(&slot);
    claims.push_back(slot.claim());
  }
  const auto plan = PlanStep(claims, *pace_,
                             {.tokens = batch.capacity(),
                              .longest = hook_.LongestBackStep(),
                              .arranged = hook_.Arranges()},
                             Now());
  batch.Clear();
  for (std::size_t i = 0; i < plan.size(); ++i)
    if (plan[i] > 0) batch.Add(*members[i], plan[i]);
}

void TextEngine::Step() {
  Fill(*batch_);
  int code = 0;
  {
    const share::ScopedStep step(hook_, batch_->step());
    const Nanos start = Now();
    code = llama_decode(context_.get(), batch_->llama());
    llama_synchronize(context_.get());
    const bool prompts = batch_->step().kind == share::StepKind::kPrefill;
    prompts ? pace_->Note(batch_->step().size, Now() - start) : pace_->NoteAnswer(Now() - start);
  }
  if (code != 0) return Fail(*batch_, code);
  for (const auto& [slot, index] : batch_->outputs()) slot->Sample(context_.get(), index);
}

void TextEngine::Fail(TextBatch& batch, int code) {
  for (TextSlot* slot : batch.members()) {
    slot->Fail(abort_ ? "the server is stopping"
                      : fmt::format("llama_decode failed with code {}", code));
    llama_memory_seq_rm(llama_get_memory(context_.get()), slot->id(), -1, -1);
    slot->Forget();
  }
}

}  // namespace cbench::embedded
