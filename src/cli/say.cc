#include "cli/say.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "torsor/base/printable.h"
#include "torsor/result/output_file.h"

namespace torsor {
namespace {

[[noreturn]] void fail() {
  throw OutputFailure("standard output", "a file or pipe that takes all of it", std::strerror(errno));
}

}  // namespace

void guard_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error like others,
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a file that may not grow
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // It takes the lowest number that is free. Standard output is opened for reading, so that writing to it fails.
    const int opened = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != descriptor) close(opened);
  }
}

void put_out(std::string_view text) {
  const std::string safe = printable(text);
  if (std::fwrite(safe.data(), 1, safe.size(), stdout) != safe.size()) fail();
}

void put_err_raw(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void put_err(std::string_view text) { put_err_raw(printable(text)); }

void finish_output() {
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout) fail();
}

}  // namespace torsor
