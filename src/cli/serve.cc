// cbench serve: one embedded engine behind a loopback server.
#include "base/limits.h"
#include "cli/command.h"
#include "cli/scenario_options.h"
#include "embedded/server.h"
#include "share/gate_hook.h"

namespace cbench::cli {
namespace {

constexpr char kExample[] =
    "Example:\n"
    "  cbench serve --modality text --model synth:llama-3.2-3b-demo --port 8080 &\n"
    "  curl -N --retry 9 --retry-connrefused http://127.0.0.1:8080/v1/chat/completions \\\n"
    "    -d '{\"messages\": [{\"role\": \"user\", \"content\": \"Hello\"}], \"max_tokens\": 16, "
    "\"stream\": true}'\n"
    "  kill %1\n";

Result<ExitCode> Run(const embedded::ServeOptions& options) {
  CBENCH_TRY(embedded::Serve(options, share::MakeHookFromEnvironment()));
  return kOk;
}

}  // namespace

void AddServe(CLI::App& app, Action& action) {
  auto options = std::make_shared<embedded::ServeOptions>();
  CLI::App* command = app.add_subcommand("serve", "Serve one embedded engine on 127.0.0.1");
  command->footer(kExample);
  command->add_option("--modality", options->modality, "What the engine does")
      ->required()
      ->check(CLI::IsMember({"text", "speech", "image"}));
  command->add_option("--model", options->model, "A file, or synth:NAME ('cbench model list')")
      ->required()
      ->check(NotEmpty());
  command->add_option("--quant", options->quant, "Number format of a synthetic model's weights")
      ->check(NotEmpty());
  command->add_option("--port", options->port, "0: any free port, printed on stdout")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->add_option("--parallel", options->parallel, "Text requests answered at once")
      ->check(CLI::Range(1, limits::kParallel))
      ->capture_default_str();
  command->add_option("--context", options->context, "Tokens each of them may use")
      ->check(CLI::Range(limits::kMinContext, limits::kContext))
      ->capture_default_str();
  command->add_option("--prefill-chunk", options->prefill_chunk, "Most tokens computed in a step")
      ->check(CLI::Range(1, 1 << 16))
      ->capture_default_str();
  command->add_option("--threads", options->threads, "0: one for each core this process may use")
      ->check(CLI::Range(0, limits::kThreads))
      ->capture_default_str();
  command
      ->add_option_function<std::string>(
          "--wait", [options](const std::string& wait) { options->spin = wait == "spin"; },
          "What worker threads do between steps: sleep (passive) or spin as ggml ships")
      ->check(CLI::IsMember({"passive", "spin"}))
      ->default_str("passive");
  command
      ->add_option_function<std::string>(
          "--affinity",
          [options](const std::string& where) { options->own_cores = where == "own"; },
          "Where threads run: on any core, or each on its own, if there are as many as cores")
      ->check(CLI::IsMember({"any", "own"}))
      ->default_str("any");
  command->add_flag("!--no-kv-offload", options->kv_offload,
                    "Keep keys and values in main memory when the model is on a GPU");
  command->add_option("--device", options->device, "Where to compute")
      ->check(CLI::IsMember({"auto", "cpu", "gpu"}))
      ->capture_default_str();
  command->add_flag("--exit-with-parent", options->exit_with_parent,
                    "Stop when stdin closes or the parent process ends");
  command->callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace cbench::cli
