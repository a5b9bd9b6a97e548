#pragma once
// Runs the program as a shell would, and looks at what it says.

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace torsor {

/// A folder that is removed with all it holds.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "torsor-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no scratch folder");
    folder_ = pattern;
  }
  ~ScratchFolder() { std::filesystem::remove_all(folder_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  /// Writes a file there and returns its path.
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  std::string read(const std::string& name) const {
    std::ifstream stream(path(name));
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  std::string folder_;
};

struct Outcome {
  int status = -1;  ///< exit status; 128 + signal if one ended it
  std::string out, err;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

struct Invocation {
  std::vector<std::string> arguments;
  std::string input;
  int signal = 0;  ///< sent after a while, if not 0
  std::chrono::milliseconds signal_after{0};
};

inline Outcome run_program(const Invocation& invocation) {
  const ScratchFolder scratch;
  const std::string in = scratch.file("in", invocation.input);
  std::vector<std::string> words{TORSOR_PROGRAM};
  words.insert(words.end(), invocation.arguments.begin(), invocation.arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string out = scratch.path("out"), err = scratch.path("err");

  const pid_t child = fork();
  if (child == 0) {
    dup2(open(in.c_str(), O_RDONLY), 0);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), 1);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), 2);
    setenv("TORSOR_MODELS", TORSOR_MODELS, 1);
    execv(TORSOR_PROGRAM, argv.data());
    _exit(127);
  }
  if (invocation.signal != 0) {
    std::this_thread::sleep_for(invocation.signal_after);
    kill(child, invocation.signal);
  }
  int state = 0;
  waitpid(child, &state, 0);
  return {WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state), scratch.read("out"),
          scratch.read("err")};
}

inline Outcome run_program(const std::vector<std::string>& arguments, const std::string& input = "") {
  return run_program(Invocation{arguments, input, 0, {}});
}

}  // namespace torsor
