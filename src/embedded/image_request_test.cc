#include "embedded/image_request.h"

#include <gtest/gtest.h>

namespace cbench::embedded {
namespace {

Result<ImageRequest> Parse(const std::string& body) {
  return ParseImageRequest(*ParseJson(body, "body"), *FindImageDims("sd3.5-medium"), 77);
}

TEST(ParseImageRequest, FillsInTheModelsDefaults) {
  const auto request = Parse(R"({"prompt": "a cat", "quality": "hd", "n": null})");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->prompt, "a cat");
  EXPECT_EQ(request->count, 1);
  EXPECT_EQ(request->width, 1024);
  EXPECT_EQ(request->height, 1024);
  EXPECT_EQ(request->steps, 28);
  EXPECT_FLOAT_EQ(request->guidance, 4.5f);
  EXPECT_EQ(request->seed, 77u);
  EXPECT_FALSE(request->stream);
}

TEST(ParseImageRequest, ReadsEveryParameter) {
  const auto request = Parse(R"({"prompt": "a", "n": 4, "size": "2048x64", "steps": 100,
      "guidance": 1, "seed": 18446744073709551615, "stream": true,
      "response_format": "b64_json", "output_format": "png"})");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->count, 4);
  EXPECT_EQ(request->width, 2048);
  EXPECT_EQ(request->height, 64);
  EXPECT_EQ(request->steps, 100);
  EXPECT_FLOAT_EQ(request->guidance, 1.0f);
  EXPECT_EQ(request->seed, 18446744073709551615u);
  EXPECT_TRUE(request->stream);
}

TEST(ParseImageRequest, NamesTheParameterThatIsWrong) {
  for (const auto& [name, json] : std::vector<std::pair<std::string, std::string>>{
           {"prompt", R"("size": "64x64")"},
           {"prompt", R"("prompt": "")"},
           {"prompt", R"("prompt": ["a"])"},
           {"n", R"("prompt": "a", "n": 0)"},
           {"n", R"("prompt": "a", "n": 5)"},
           {"n", R"("prompt": "a", "n": 1.5)"},
           {"n", R"("prompt": "a", "n": 18446744073709551615)"},
           {"size", R"("prompt": "a", "size": "100x64")"},
           {"size", R"("prompt": "a", "size": "48x64")"},
           {"size", R"("prompt": "a", "size": "64x2064")"},
           {"size", R"("prompt": "a", "size": "64")"},
           {"size", R"("prompt": "a", "size": 64)"},
           {"size", R"("prompt": "a", "size": "-64x64")"},
           {"steps", R"("prompt": "a", "steps": 1001)"},
           {"steps", R"("prompt": "a", "steps": "8")"},
           {"guidance", R"("prompt": "a", "guidance": -1)"},
           {"guidance_scale", R"("prompt": "a", "guidance_scale": "high")"},
           {"guidance_scale", R"("prompt": "a", "guidance_scale": 1e300)"},
           {"seed", R"("prompt": "a", "seed": -1)"},
           {"seed", R"("prompt": "a", "seed": 1.5)"},
           {"stream", R"("prompt": "a", "stream": "yes")"},
           {"response_format", R"("prompt": "a", "response_format": "url")"},
           {"output_format", R"("prompt": "a", "output_format": "webp")"}}) {
    const auto request = Parse("{" + json + "}");
    ASSERT_FALSE(request) << json;
    EXPECT_EQ(request.error().message.rfind(name + ": ", 0), 0u) << request.error().message;
    EXPECT_EQ(request.error().kind, ErrorKind::kInput);
  }
}

}  // namespace
}  // namespace cbench::embedded
