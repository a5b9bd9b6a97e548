// Bad MJCF files: each is refused with exit status 2, file, line and reason.

#include <gtest/gtest.h>

#include <string>

#include "program.h"
#include "testing/malformed_mjcf.h"

namespace torsor {
namespace {

TEST(MalformedMjcf, EndsTheProgramWithFileLineAndReason) {
  const ScratchFolder folder;
  EXPECT_GE(malformed_mjcf().size(), 60u);
  for (const MalformedMjcf& bad : malformed_mjcf()) {
    SCOPED_TRACE(bad.what);
    const std::string path = folder.file("m.xml", bad.text);
    const Outcome outcome = run_program({"check", path});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find(path + ":" + std::to_string(bad.line) + ": "), std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find(bad.part), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace torsor
