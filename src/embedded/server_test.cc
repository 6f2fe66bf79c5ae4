// The text server as its users meet it: this program starts itself as `--serve` and talks to the
// child over HTTP.
#include "embedded/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "base/file.h"

namespace cbench::embedded {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr Nanos kLimit = 60 * kSecond;
constexpr int kContext = 32768;  // tiny for this model; a whole answer would take minutes

// A server in a child process, with pipes to its stdin and stdout.
class Child {
 public:
  explicit Child(int parallel) {
    int in[2], out[2];
    EXPECT_EQ(pipe2(in, O_CLOEXEC) + pipe2(out, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    std::string self = SelfPath(), slots = std::to_string(parallel), mode = "--serve";
    char* argv[] = {self.data(), mode.data(), slots.data(), nullptr};
    EXPECT_EQ(posix_spawn(&pid_, self.c_str(), &actions, nullptr, argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    stdin_ = in[1];
    stdout_ = fdopen(out[0], "r");
    port_ = ReadPort();
  }

  ~Child() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    CloseStdin();
    std::fclose(stdout_);
  }

  void CloseStdin() {
    if (stdin_ >= 0) close(stdin_);
    stdin_ = -1;
  }
  void Signal(int signal) const { kill(pid_, signal); }

  // The exit status, or nothing when it is still running after the limit.
  std::optional<int> Wait() {
    for (const Nanos limit = Now() + kLimit; Now() < limit;) {
      int status = 0;
      if (waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = -1;
        return status;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return std::nullopt;
  }

  httplib::Client Connect() const {
    httplib::Client client("127.0.0.1", port_);
    client.set_read_timeout(60);
    return client;
  }

  int port() const { return port_; }

  bool WaitUntilReady() const {
    for (const Nanos limit = Now() + kLimit; Now() < limit;) {
      const auto health = Connect().Get("/health");
      if (health && health->status == 200) return true;
      if (health) {
        EXPECT_THAT(health->body, HasSubstr("loading"));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }

 private:
  int ReadPort() const {
    char line[512];
    while (std::fgets(line, sizeof line, stdout_)) {
      const auto json = ParseJson(line, "stdout");
      if (!json || (*json)["event"] != "listening") continue;
      const std::string url = (*json)["url"];
      return std::atoi(url.c_str() + url.rfind(':') + 1);
    }
    return 0;
  }

  pid_t pid_ = -1;
  int stdin_ = -1;
  std::FILE* stdout_ = nullptr;
  int port_ = 0;
};

// A client that says what no decent one would.
class RawClient {
 public:
  explicit RawClient(int port) : sock_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(sock_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    const timeval limit{60, 0};
    setsockopt(sock_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(sock_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  }
  ~RawClient() { close(sock_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool Send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = send(sock_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  // All that comes until the server closes; nothing if it does not.
  std::optional<std::string> ReadToEnd() const {
    std::string all;
    std::array<char, 4096> buffer;
    for (;;) {
      const ssize_t n = recv(sock_, buffer.data(), buffer.size(), 0);
      if (n < 0) return std::nullopt;
      if (n == 0) return all;
      all.append(buffer.data(), static_cast<std::size_t>(n));
    }
  }

 private:
  int sock_;
};

constexpr char kPost[] = "POST /v1/completions HTTP/1.1\r\nHost: x\r\n";

Json Body(const std::string& text) { return *ParseJson(text, "body"); }

// The JSON objects of a stream; [DONE] must be the last event and is left out.
std::vector<Json> Events(const std::string& stream) {
  std::vector<Json> events;
  std::size_t at = 0;
  bool done = false;
  for (std::size_t end; (end = stream.find("\n\n", at)) != std::string::npos; at = end + 2) {
    EXPECT_FALSE(done);
    EXPECT_EQ(stream.substr(at, 6), "data: ");
    const std::string data = stream.substr(at + 6, end - at - 6);
    done = data == "[DONE]";
    if (!done) events.push_back(Body(data));
  }
  EXPECT_TRUE(done);
  return events;
}

class TextServer : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string pattern = (fs::temp_directory_path() / "cbench-server-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    setenv("CBENCH_CACHE", folder_.c_str(), 1);
    child_ = std::make_unique<Child>(2);
    ASSERT_TRUE(child_->WaitUntilReady());
  }
  static void TearDownTestSuite() {
    child_.reset();
    unsetenv("CBENCH_CACHE");
    fs::remove_all(folder_);
  }

  static httplib::Result Post(const std::string& path, const std::string& body) {
    return child_->Connect().Post(path, body, "application/json");
  }

  static Json Chat(Json more, const std::string& words = "Tell me about rivers") {
    Json body = {{"messages", {{{"role", "user"}, {"content", words}}}},
                 {"temperature", 0},
                 {"cache_prompt", false}};
    body.update(more);
    const auto result = Post("/v1/chat/completions", DumpJson(body));
    EXPECT_TRUE(result);
    EXPECT_EQ(result->status, 200) << result->body;
    return body.value("stream", false) ? Json(result->body) : Body(result->body);
  }

  static std::string Text(const Json& answer) { return answer["choices"][0]["message"]["content"]; }

  static fs::path folder_;
  static std::unique_ptr<Child> child_;
};

fs::path TextServer::folder_;
std::unique_ptr<Child> TextServer::child_;

TEST_F(TextServer, TellsItsFacts) {
  const Json facts = Body(child_->Connect().Get("/health")->body);
  EXPECT_EQ(facts["status"], "ok");
  EXPECT_EQ(facts["synthetic"], true);
  EXPECT_EQ(facts["architecture"], "llama");
  EXPECT_EQ(facts["threads"], 1);
  EXPECT_EQ(facts["wait"], "passive");
  EXPECT_EQ(facts["context"], kContext);
  EXPECT_TRUE(facts["versions"]["ggml"].is_string());
  const Json models = Body(child_->Connect().Get("/v1/models")->body);
  EXPECT_EQ(models["data"][0]["id"], "synth:llama-test");
}

TEST_F(TextServer, StreamsOneEventPerToken) {
  const auto events = Events(
      Chat({{"max_tokens", 12}, {"stream", true}, {"stream_options", {{"include_usage", true}}}}));
  ASSERT_EQ(events.size(), 1u + 12u + 1u + 1u);  // role, tokens, finish, usage
  EXPECT_EQ(events[0]["choices"][0]["delta"]["role"], "assistant");
  std::string text;
  for (std::size_t i = 1; i <= 12; ++i) {
    text += events[i]["choices"][0]["delta"]["content"].get<std::string>();
  }
  EXPECT_EQ(events[13]["choices"][0]["finish_reason"], "length");
  EXPECT_EQ(events[14]["usage"]["completion_tokens"], 12);
  EXPECT_EQ(text, Text(Chat({{"max_tokens", 12}})));
}

TEST_F(TextServer, CountsEveryChunkWhenAsked) {
  const auto events = Events(Chat({{"max_tokens", 3},
                                   {"stream", true},
                                   {"stream_options", {{"continuous_usage_stats", true}}}}));
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[3]["usage"]["completion_tokens"], 3);
}

TEST_F(TextServer, CompletesText) {
  const auto result = Post("/v1/completions",
                           R"({"prompt": "Once", "max_completion_tokens": 5, "ignore_eos": true})");
  const Json answer = Body(result->body);
  EXPECT_EQ(answer["object"], "text_completion");
  EXPECT_FALSE(answer["choices"][0]["text"].get<std::string>().empty());
  EXPECT_EQ(answer["usage"]["completion_tokens"], 5);
}

TEST_F(TextServer, StopsBeforeAStopString) {
  const auto events = Events(Chat({{"max_tokens", 12}, {"stream", true}}));
  const std::string stop = events[6]["choices"][0]["delta"]["content"];  // the sixth token
  const std::string whole = Text(Chat({{"max_tokens", 12}}));
  const Json answer = Chat({{"max_tokens", 12}, {"stop", stop}});
  EXPECT_EQ(Text(answer), whole.substr(0, whole.find(stop)));
  EXPECT_EQ(answer["choices"][0]["finish_reason"], "stop");
  EXPECT_LE(answer["usage"]["completion_tokens"], 6);
}

TEST_F(TextServer, RepeatsItselfForTheSameSeedOnly) {
  const auto text = [](int seed) {
    return Text(Chat({{"max_tokens", 16}, {"temperature", 1}, {"seed", seed}}));
  };
  const std::string first = text(5);
  EXPECT_EQ(text(5), first);
  EXPECT_NE(text(6), first);
}

TEST_F(TextServer, ReusesTheCacheOfAnEarlierTurn) {
  const auto cached = [](const Json& answer) {
    return answer["usage"]["prompt_tokens_details"]["cached_tokens"].get<int>();
  };
  const std::string words = "A turn that is asked twice, and then goes on a little";
  const Json first = Chat({{"max_tokens", 2}, {"cache_prompt", false}}, words);
  EXPECT_EQ(cached(first), 0);
  const Json second = Chat({{"max_tokens", 2}, {"cache_prompt", true}}, words);
  EXPECT_EQ(cached(second), second["usage"]["prompt_tokens"].get<int>() - 1);
}

TEST_F(TextServer, AnswersMoreClientsThanItHasSlots) {
  std::vector<std::thread> clients;
  std::atomic<int> tokens = 0;
  for (int i = 0; i < 6; ++i) {
    clients.emplace_back([&, i] {
      tokens +=
          Chat({{"max_tokens", 10}}, "client " + std::to_string(i))["usage"]["completion_tokens"]
              .get<int>();
    });
  }
  for (auto& client : clients) client.join();
  EXPECT_EQ(tokens, 60);
}

TEST_F(TextServer, FreesTheSlotOfAClientThatLeaves) {
  const Json body = {{"prompt", "endless"}, {"max_tokens", 30000}, {"stream", true}};
  for (int i = 0; i < 4; ++i) {  // twice as many as there are slots
    bool begun = false;
    httplib::Request request;
    request.method = "POST";
    request.path = "/v1/completions";
    request.body = DumpJson(body);
    request.content_receiver = [&](const char*, std::size_t, std::uint64_t, std::uint64_t) {
      begun = true;
      return false;  // leaves
    };
    child_->Connect().send(request);
    EXPECT_TRUE(begun);
  }
}

TEST_F(TextServer, RefusesWrongRequestsAndGoesOn) {
  const std::string chat = "/v1/chat/completions", text = "/v1/completions";
  const std::vector<std::tuple<std::string, std::string, int>> cases = {
      {chat, "", 400},
      {chat, "{", 400},
      {chat, "[]", 400},
      {chat, std::string(200'000, '['), 400},
      {chat, R"({"messages": 5})", 400},
      {chat, R"({"messages": [{"role": "user", "content": "x"}], "max_tokens": -1})", 400},
      {text, R"({"prompt": ""})", 200},  // the tokeniser's first token alone
      {text, R"({"prompt": [99999999]})", 400},
      {text, R"({"prompt": "x", "max_tokens": 40000, "ignore_eos": true})", 400},
      {text, DumpJson({{"prompt", std::string(1 << 20, 'x') + " y"}}), 400},
      {text, std::string(9 << 20, 'x'), 413},
      {"/v1/nothing", "{}", 404},
  };
  for (const auto& [path, body, status] : cases) {
    Json more = body.empty() || status != 200 ? Json() : Body(body);
    if (!more.is_null()) more["max_tokens"] = 1;
    const auto result = Post(path, more.is_null() ? body : DumpJson(more));
    ASSERT_TRUE(result) << body.substr(0, 80);
    EXPECT_EQ(result->status, status) << body.substr(0, 80) << result->body.substr(0, 200);
    if (status != 200) {
      EXPECT_TRUE(Body(result->body)["error"]["message"].is_string());
    }
  }
  EXPECT_EQ(child_->Connect().Get("/health")->status, 200);
}

TEST_F(TextServer, TakesABodyThatCurlCallsAForm) {
  const std::string prompt(10'000, 'x');
  const auto result =
      child_->Connect().Post("/v1/completions", DumpJson({{"prompt", prompt}, {"max_tokens", 1}}),
                             "application/x-www-form-urlencoded");
  EXPECT_EQ(result->status, 200) << result->body;
}

TEST_F(TextServer, AnswersAChunkedBodyThatIsTooLargeAndCloses) {
  const RawClient client(child_->port());
  ASSERT_TRUE(client.Send(std::string(kPost) + "Transfer-Encoding: chunked\r\n\r\n"));
  const std::string chunk = "100000\r\n" + std::string(1 << 20, 'x') + "\r\n";
  for (int i = 0; i < 12; ++i) client.Send(chunk);  // may be cut off
  const auto answer = client.ReadToEnd();
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, testing::StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(*answer, HasSubstr("larger than this engine reads"));
}

// Else what was left unread of the body would be taken for the next request.
TEST_F(TextServer, ClosesAfterABodyThatItDidNotRead) {
  const RawClient client(child_->port());
  client.Send(std::string(kPost) + "Content-Length: 99999999999\r\n\r\n");
  client.Send(std::string(10 << 20, '\n') + "GET /health HTTP/1.1\r\n\r\n");
  const auto answer = client.ReadToEnd();
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, testing::StartsWith("HTTP/1.1 413 "));
  EXPECT_EQ(answer->rfind("HTTP/1.1"), 0u) << "a second answer";
}

TEST_F(TextServer, AnswersHeadersThatAreTooLargeAndCloses) {
  std::string many;
  for (int i = 0; i < 5000; ++i) many += fmt::format("X-Header-{}: {:050}\r\n", i, i);
  for (const std::string& headers : {many, "X: " + std::string(1 << 20, 'x')}) {
    const RawClient client(child_->port());
    client.Send(kPost + headers + "\r\nGET /health HTTP/1.1\r\n\r\n");
    const auto answer = client.ReadToEnd();
    ASSERT_TRUE(answer);
    EXPECT_THAT(*answer, testing::StartsWith("HTTP/1.1 431 "));
    EXPECT_EQ(answer->rfind("HTTP/1.1"), 0u) << "a second answer";
  }
}

TEST_F(TextServer, ARequestThatSaysNothingOfABodyHasNone) {
  const RawClient client(child_->port());
  client.Send(std::string(kPost) + "Connection: close\r\n\r\n");
  const auto answer = client.ReadToEnd();
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, testing::StartsWith("HTTP/1.1 400 "));
}

TEST_F(TextServer, RefusesACompressedBody) {
  for (const char* encoding : {"gzip", "br", "identity"}) {
    const auto result = child_->Connect().Post("/v1/completions", {{"Content-Encoding", encoding}},
                                               std::string(100, '\x1f'), "text/plain");
    ASSERT_TRUE(result);
    EXPECT_EQ(result->status, 415) << encoding;
    EXPECT_THAT(result->body, HasSubstr("without Content-Encoding"));
  }
}

// Half a request, half an answer, a client that does not listen: none of them holds up the end.
TEST_F(TextServer, EndsInTimeWhateverItsClientsDo) {
  Child child(1);
  ASSERT_TRUE(child.WaitUntilReady());
  std::vector<std::unique_ptr<RawClient>> clients;
  for (const char* begun :
       {"", "POST /v1/comp", "POST /v1/completions HTTP/1.1\r\nX: y",
        "POST /v1/completions HTTP/1.1\r\nContent-Length: 500\r\n\r\n{",
        "POST /v1/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n9"}) {
    clients.push_back(std::make_unique<RawClient>(child.port()));
    clients.back()->Send(begun);
  }
  const std::string endless = R"({"prompt": "x", "max_tokens": 30000, "stream": true})";
  clients.push_back(std::make_unique<RawClient>(child.port()));
  clients.back()->Send(
      fmt::format("{}Content-Length: {}\r\n\r\n{}", kPost, endless.size(), endless));
  const Nanos start = Now();
  child.Signal(SIGTERM);
  const auto status = child.Wait();
  ASSERT_TRUE(status);
  EXPECT_EQ(*status, 0);
  EXPECT_LT(Now() - start, 20 * kSecond);  // its own limit is one; machines under load are slow
}

TEST_F(TextServer, EndsOnSigtermInTheMiddleOfAnAnswer) {
  Child child(1);
  ASSERT_TRUE(child.WaitUntilReady());
  bool begun = false;
  httplib::Request request;
  request.method = "POST";
  request.path = "/v1/completions";
  request.body = R"({"prompt": "endless", "max_tokens": 30000, "stream": true})";
  request.content_receiver = [&](const char*, std::size_t, std::uint64_t, std::uint64_t) {
    if (!begun) child.Signal(SIGTERM);
    begun = true;
    return true;
  };
  child.Connect().send(request);
  EXPECT_TRUE(begun);
  const auto status = child.Wait();
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFEXITED(*status));
  EXPECT_EQ(WEXITSTATUS(*status), 0);
}

TEST_F(TextServer, EndsWhenItsParentLetsGo) {
  Child child(1);
  child.CloseStdin();  // while it loads
  const auto status = child.Wait();
  ASSERT_TRUE(status);
  EXPECT_EQ(*status, 0);
}

int ServeForTest(int parallel) {
  ServeOptions options;
  options.modality = "text";
  options.model = "synth:llama-test";
  options.device = "cpu";
  options.threads = 1;
  options.parallel = parallel;
  options.context = kContext;
  options.exit_with_parent = true;
  const auto served = Serve(options, share::MakeFreeHook());
  if (!served) std::fprintf(stderr, "%s\n", served.error().message.c_str());
  return served ? 0 : 1;
}

}  // namespace
}  // namespace cbench::embedded

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--serve") {
    return cbench::embedded::ServeForTest(std::atoi(argv[2]));
  }
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
