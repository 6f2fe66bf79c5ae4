// This program again in another role, with pipes to its stdin and stdout. It has to end when its
// stdin does.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "base/file.h"

namespace cbench {

class Child {
 public:
  // `environment`: "NAME=value", instead of ours for those names.
  explicit Child(std::vector<std::string> arguments, std::vector<std::string> environment = {}) {
    std::array<int, 2> in{}, out{};
    if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    std::string self = SelfPath();
    std::vector<char*> argv = {self.data()}, envp;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    for (std::string& entry : environment) envp.push_back(entry.data());
    for (char** entry = environ; *entry; ++entry) envp.push_back(*entry);  // the first one counts
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    posix_spawn(&pid_, self.c_str(), &actions, nullptr, argv.data(), envp.data());
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    in_ = fdopen(in[1], "w");
    out_ = fdopen(out[0], "r");
  }
  ~Child() {
    if (in_) std::fclose(in_);
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
    if (out_) std::fclose(out_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool Tell(int round) { return std::fprintf(in_, "%d\n", round) > 0 && std::fflush(in_) == 0; }
  std::string ReadLine() {
    std::array<char, 1024> line{};
    return std::fgets(line.data(), line.size(), out_) ? line.data() : "";
  }

 private:
  pid_t pid_ = -1;
  std::FILE *in_ = nullptr, *out_ = nullptr;
};

}  // namespace cbench
