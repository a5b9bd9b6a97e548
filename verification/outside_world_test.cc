// The program and what surrounds it: streams that are closed or full, files that must not be written over, a second writer,
// signals, files of strangers. verification/faults.py kills runs and fills disks.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "program.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

const std::string kRun =
    "run double_pendulum --formulation joint --integrator rkmk4 --step 0.01 --duration 0.1";

const std::string kProgram = "TORSOR_MODELS='" TORSOR_MODELS "' TMPDIR=\"$PWD/tmp\" '" TORSOR_PROGRAM "' ";

/// Exit status of `torsor ARGUMENTS`, with redirections, in a folder.
int shell(const ScratchFolder& folder, const std::string& arguments) {
  fs::create_directories(folder.path("tmp"));
  const int state = std::system(("cd '" + folder.path("") + "'\n" + kProgram + arguments).c_str());
  return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

TEST(StandardStreams, FullOrClosedOutputIsAnError) {
  const ScratchFolder folder;
  EXPECT_EQ(shell(folder, kRun + " --json > /dev/full 2> err"), 5);  // was 0
  EXPECT_NE(folder.read("err").find("standard output"), std::string::npos);
  EXPECT_EQ(shell(folder, kRun + " > /dev/full 2> err"), 5);
  EXPECT_EQ(shell(folder, "list models > /dev/full 2> err"), 5);
  EXPECT_EQ(shell(folder, kRun + " --out a.csv >&- 2> err"), 5);
  const std::string csv = folder.read("a.csv");
  EXPECT_EQ(csv.find("balance"), std::string::npos);  // the ledger went into the table
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 12);
  EXPECT_TRUE(csv.ends_with("\n"));
}

TEST(StandardStreams, ClosedErrorsDoNoHarm) {
  const ScratchFolder folder;
  EXPECT_EQ(shell(folder, kRun + " --out a.csv > out 2>&-"), 0);
  EXPECT_EQ(shell(folder, kRun + " --out b.csv > out 2> /dev/full"), 0);
  EXPECT_EQ(folder.read("a.csv"), folder.read("b.csv"));
  EXPECT_EQ(shell(folder, "run nothing > out 2>&-"), 2);
  EXPECT_EQ(shell(folder, "run nothing > out 2> /dev/full"), 2);  // was an abort
}

TEST(StandardStreams, AReaderThatWentAwayIsAnError) {
  const ScratchFolder folder;
  shell(folder, kRun + " --out a.h5 2> err | true");
  EXPECT_EQ(shell(folder, "export a.h5 a.csv 2> err"), 0);
}

TEST(Overwriting, InputsAreNeverWrittenOver) {
  const ScratchFolder folder;
  fs::copy_file(std::string(TORSOR_MODELS) + "/double_pendulum.yaml", folder.path("m.csv"));
  fs::copy_file(folder.path("m.csv"), folder.path("m.html"));
  const std::string model = folder.read("m.csv");
  fs::create_symlink("m.csv", folder.path("link.csv"));
  fs::create_hard_link(folder.path("m.csv"), folder.path("hard.csv"));
  for (const char* arguments :
       {"run m.csv --duration 0.1 --out m.csv", "run m.csv --duration 0.1 --out m.csv --force",
        "run m.csv --duration 0.1 --out link.csv --force", "run link.csv --duration 0.1 --out m.csv --force",
        "run m.csv --duration 0.1 --out hard.csv --force"}) {
    EXPECT_EQ(shell(folder, std::string(arguments) + " > out 2> err"), 2) << arguments;
    EXPECT_NE(folder.read("err").find("another file than those that are read"), std::string::npos)
        << arguments;
    EXPECT_EQ(folder.read("m.csv"), model);
  }
  EXPECT_EQ(shell(folder, "show m.html -o m.html --force > out 2> err"), 2);
  EXPECT_EQ(shell(folder, "run m.html --duration 0.1 --report m.html --force > out 2> err"), 2);
  EXPECT_EQ(shell(folder, "convert m.html m.yaml > out 2> err"), 0);
  EXPECT_EQ(shell(folder, "convert m.yaml m.yaml --force > out 2> err"), 2);
  EXPECT_EQ(folder.read("m.html"), model);
  ASSERT_EQ(shell(folder, kRun + " --out r.h5 > out 2> err"), 0);
  EXPECT_EQ(shell(folder, "export r.h5 r.h5 2> err"), 2);
  EXPECT_EQ(shell(folder, "export r.h5 ./r.h5 --force 2> err"), 2);
  EXPECT_EQ(shell(folder, "export r.h5 r.csv 2> err"), 0);
}

TEST(Overwriting, WhatIsNoResultNeedsForce) {
  const ScratchFolder folder;
  for (const char* name : {"notes.csv", "notes.h5"}) {
    folder.file(name, "my notes\n");
    const std::string arguments = kRun + " --out " + name;
    EXPECT_EQ(shell(folder, arguments + " > out 2> err"), 2);
    EXPECT_NE(folder.read("err").find("--force"), std::string::npos);
    EXPECT_EQ(folder.read(name), "my notes\n");
    EXPECT_EQ(shell(folder, arguments + " --force > out 2> err"), 0);
    EXPECT_EQ(shell(folder, arguments + " > out 2> err"), 0);  // now it is a result
  }
  folder.file("page.html", "<html>mine</html>");
  EXPECT_EQ(shell(folder, "show double_pendulum -o page.html > out 2> err"), 2);
  EXPECT_EQ(folder.read("page.html"), "<html>mine</html>");
  folder.file("empty.csv", "");
  EXPECT_EQ(shell(folder, kRun + " --out empty.csv > out 2> err"), 0);
}

/// The first writes for long enough that the second meets it.
TEST(TwoWriters, TheSecondIsRefused) {
  for (const std::string name : {"a.h5", "a.csv"}) {
    const ScratchFolder folder;
    const std::string run =
        "run double_pendulum --step 1e-4 --duration 1000 --record-every 100 --out " + name;
    const std::string both =
        run + " > out1 2> err1 & first=$!; sleep 0.5; " + kProgram + kRun + " --out " + name +
        " > out2 2> err2; echo $? > status; kill -TERM $first; wait $first; echo $? > first";
    shell(folder, both);
    EXPECT_EQ(folder.read("status"), "2\n") << name;
    EXPECT_NE(folder.read("err2").find("another program is writing it"), std::string::npos)
        << folder.read("err2");
    EXPECT_EQ(folder.read("first"), "130\n") << name;  // SIGTERM keeps the ledger and the file
    EXPECT_NE(folder.read("out1").find("balance residual max"), std::string::npos);
    if (name == "a.h5") {
      EXPECT_EQ(shell(folder, "export a.h5 b.csv 2> err"), 0);
    } else {
      EXPECT_TRUE(folder.read("a.csv").ends_with("\n"));
    }
  }
}

TEST(Signals, TermAndHangUpRemovePassingFolders) {
  for (const char* signal : {"TERM", "HUP"}) {
    const ScratchFolder folder;
    shell(
        folder,
        "run double_pendulum --step 1e-4 --duration 1000 --report r.html > out 2> err & first=$!; sleep 0.5; "
        "kill -" +
            std::string(signal) + " $first; wait $first; echo $? > status");
    EXPECT_TRUE(fs::is_empty(folder.path("tmp"))) << signal;
    EXPECT_EQ(folder.read("status"), "130\n") << signal;
    EXPECT_NE(folder.read("out").find("balance residual max"), std::string::npos) << signal;
    EXPECT_TRUE(fs::exists(folder.path("r.html"))) << signal;
  }
}

TEST(Strangers, NothingOfAFileCommandsTheTerminal) {
  const ScratchFolder folder;
  folder.file("m.yaml",
              "torsor: 1\ndimension: 2\nbodies: {\"a\xe2\x80\xae\xc2\x9b\": {mass: 1, inertia: 1}}\n"
              "joints: {j: {type: revolute, parent: world, child: \"a\xe2\x80\xae\xc2\x9b\"}}\n"
              "simulation: {formulation: joint, integrator: rkmk4, step: 0.1, duration: 0.2}\n");
  for (const char* arguments : {"check m.yaml", "check m.yaml --json", "run m.yaml --json",
                                "run m.yaml --set bodies.b.mass=2", "eval m.yaml --quantity poses"}) {
    shell(folder, std::string(arguments) + " > out 2> err");
    for (const char* stream : {"out", "err"}) {
      const std::string text = folder.read(stream);
      for (const char* mark : {"\xe2\x80\xae", "\xc2\x9b", "\x1b"}) {
        EXPECT_EQ(text.find(mark), std::string::npos) << arguments << ": " << stream;
      }
    }
  }
}

TEST(Strangers, StatesAreBounded) {
  const ScratchFolder folder;
  folder.file("deep.json", std::string(100000, '['));
  folder.file("twice.json", R"({"q": {"pivot": 1, "pivot": 2}})");
  folder.file("large.json", R"({"q": {"pivot": 1e999}})");
  folder.file("beyond.json", R"({"qd": {"pivot": 1e200}})");
  for (const char* name : {"deep.json", "twice.json", "large.json", "/dev/zero", "."}) {
    EXPECT_EQ(shell(folder,
                    "eval double_pendulum --state " + std::string(name) + " --quantity energy > out 2> err"),
              2)
        << name;
  }
  EXPECT_EQ(shell(folder, "eval double_pendulum --state beyond.json --quantity energy > out 2> err"),
            2);  // was null
  EXPECT_NE(folder.read("err").find("energy: expected numbers below"), std::string::npos);
}

TEST(Results, SignsOfQuaternionsDoNotDependOnTheFile) {
  const ScratchFolder folder;
  const std::string run =
      "run heavy_top --formulation rotationless --integrator energy-momentum --duration 2 --json";
  ASSERT_EQ(shell(folder, run + " > a 2> err"), 0);
  ASSERT_EQ(shell(folder, run + " --out r.h5 > b 2> err"), 0);
  const auto final_of = [&](const char* name) { return nlohmann::json::parse(folder.read(name))["final"]; };
  EXPECT_EQ(final_of("a"), final_of("b"));
}

}  // namespace
}  // namespace torsor
