// The program and what surrounds it: streams that are closed or full, files that must not be written over, a second writer,
// signals, files of strangers. verification/faults.py kills runs and fills disks.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "program.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

const std::string kRun =
    "run double_pendulum --formulation joint --integrator rkmk4 --step 0.01 --duration 0.1";

const std::string kProgram = "TORSOR_MODELS='" TORSOR_MODELS "' TMPDIR=\"$PWD/tmp\" '" TORSOR_PROGRAM "' ";

/// Exit status of `torsor ARGUMENTS`, with redirections, in a folder, after `first`.
int shell(const ScratchFolder& folder, const std::string& arguments, const std::string& first = "") {
  fs::create_directories(folder.path("tmp"));
  const int state = std::system(("cd '" + folder.path("") + "'\n" + first + kProgram + arguments).c_str());
  return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

/// The page is built by Node, which a machine need not have.
bool has_page() { return fs::exists(fs::path(TORSOR_PROGRAM).parent_path() / "../share/torsor/report.html"); }

/// Waits until something holds, for a minute at most: on a busy machine everything takes its time.
std::string until(const std::string& condition) {
  return "i=0; until " + condition + " || [ $i -ge 3000 ]; do i=$((i + 1)); sleep 0.02; done; ";
}

/// Until `first` has computed for 0.2 s: ticks of 10 ms, of all its threads.
const std::string kUntilItComputes = until("[ \"$(cut -d ' ' -f 14 /proc/$first/stat)\" -gt 20 ]");

TEST(StandardStreams, FullOrClosedOutputIsAnError) {
  const ScratchFolder folder;
  EXPECT_EQ(shell(folder, kRun + " --json > /dev/full 2> err"), 5);  // was 0
  EXPECT_NE(folder.read("err").find("standard output"), std::string::npos);
  EXPECT_EQ(shell(folder, kRun + " > /dev/full 2> err"), 5);
  for (const char* said : {"list models", "--help", "run --help", "--version"}) {
    EXPECT_EQ(shell(folder, said + std::string(" > /dev/full 2> err")), 5) << said;
  }
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

/// Tables and answers of others often begin as ours do.
TEST(Overwriting, WhatOnlyResemblesAResultNeedsForce) {
  const ScratchFolder folder;
  ASSERT_EQ(shell(folder, kRun + " --out r.h5 > out 2> err"), 0);
  const struct {
    std::string name, text, arguments;
  } kForeign[] = {{"mydata.csv", "time,voltage\n0,1\n1,2\n", kRun + " --out mydata.csv"},
                  {"scores.csv", "run,score\n1,2\n", "export r.h5 scores.csv"},
                  {"my3.json", "{\"model\": \"gpt\"}", "export r.h5 my3.json"},
                  {"modes.json", "{\n \"version\": 3}", "modes double_pendulum --out modes.json"}};
  for (const auto& [name, text, arguments] : kForeign) {
    folder.file(name, text);
    EXPECT_EQ(shell(folder, arguments + " > out 2> err"), 2) << name;
    EXPECT_NE(folder.read("err").find("--force"), std::string::npos) << folder.read("err");
    EXPECT_EQ(folder.read(name), text);
    EXPECT_EQ(shell(folder, arguments + " --force > out 2> err"), 0) << folder.read("err");
    EXPECT_EQ(shell(folder, arguments + " > out 2> err"), 0) << folder.read("err");  // now it is ours
  }
}

/// In every verb, whatever it is forced to: a model's own file, those that it includes, its meshes.
TEST(Overwriting, WhatAModelIsReadFromIsNeverWrittenOver) {
  const ScratchFolder folder;
  fs::copy_file(std::string(TORSOR_MODELS) + "/double_pendulum.yaml", folder.path("m.json"));
  fs::copy_file(folder.path("m.json"), folder.path("m.html"));
  folder.file("main.xml",
              "<mujoco><include file=\"part.xml\"/><worldbody><body><joint type=\"hinge\" axis=\"0 1 0\"/>"
              "<geom type=\"sphere\" size=\"0.1\" mass=\"1\" pos=\"0 0 -1\"/></body></worldbody></mujoco>");
  folder.file("part.xml", "<mujocoinclude><option gravity=\"0 0 -9.81\"/></mujocoinclude>");
  folder.file("mesh.yaml",
              "torsor: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], shapes: [{mesh: part.obj}]}}\n"
              "simulation: {formulation: joint, integrator: rkmk4, step: 0.01, duration: 0.1}\n");
  folder.file("part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  fs::create_symlink("part.obj", folder.path("mesh.html"));
  fs::create_hard_link(folder.path("part.obj"), folder.path("mesh.csv"));
  fs::create_symlink("part.xml", folder.path("part.csv"));
  EXPECT_EQ(shell(folder, "convert main.xml main.yaml > out 2> err"), 0) << folder.read("err");
  EXPECT_EQ(shell(folder, "run mesh.yaml > out 2> err"), 0) << folder.read("err");
  const struct {
    std::string arguments, kept;
  } kCases[] = {{"modes m.json --out m.json", "m.json"},
                {"modes m.html --report m.html", "m.html"},
                {"study compare m.html --out m.html --step 0.01 --duration 0.1", "m.html"},
                {"convert main.xml part.xml", "part.xml"},
                {"run main.xml --step 0.01 --duration 0.1 --out part.csv", "part.xml"},
                {"run mesh.yaml --out mesh.csv", "part.obj"},
                {"show mesh.yaml -o mesh.html", "part.obj"}};
  for (const auto& [arguments, kept] : kCases) {
    const std::string text = folder.read(kept);
    EXPECT_EQ(shell(folder, arguments + " --force > out 2> err"), 2) << arguments;
    EXPECT_NE(folder.read("err").find("another file than those that are read"), std::string::npos)
        << arguments << ": " << folder.read("err");
    EXPECT_EQ(folder.read(kept), text) << arguments;
  }
}

TEST(Overwriting, RunsThatASweepKeepsAreNoException) {
  if (!has_page()) GTEST_SKIP() << "the page of reports was not built";
  const ScratchFolder folder;
  folder.file("s.yaml",
              "torsor_sweep: 1\nmodel: double_pendulum\nvary: {gravity.1: {range: [-10, -9], count: 2}}\n"
              "measure: {e: {max: energy.total}}\nsimulation: {duration: 0.1}\nkeep: {records: 2}\n");
  fs::create_directories(folder.path("s/runs"));
  for (const char* name : {"s/runs/run_0.h5", "s/runs/run_1.html"}) {
    folder.file(name, "my notes\n");
    EXPECT_EQ(shell(folder, "sweep s.yaml > out 2> err"), 2) << name;
    EXPECT_NE(folder.read("err").find("--force"), std::string::npos);
    EXPECT_EQ(folder.read(name), "my notes\n");
    EXPECT_EQ(shell(folder, "sweep s.yaml --force > out 2> err"), 0) << name;
    EXPECT_EQ(shell(folder, "sweep s.yaml > out 2> err"), 0) << name;
    fs::remove_all(folder.path("s/runs"));
    fs::create_directories(folder.path("s/runs"));
  }
  fs::create_symlink("../s.yaml", folder.path("s/table.h5.tmp"));  // was written through
  const std::string text = folder.read("s.yaml");
  EXPECT_EQ(shell(folder, "sweep s.yaml > out 2> err"), 0);
  EXPECT_EQ(folder.read("s.yaml"), text);
  EXPECT_EQ(shell(folder, "report s/table.h5 -o page.html > out 2> err"), 2);
  EXPECT_NE(folder.read("err").find("the table of a sweep"), std::string::npos);
}

/// The first writes for long enough that the second meets it.
TEST(TwoWriters, TheSecondIsRefused) {
  for (const std::string name : {"a.h5", "a.csv"}) {
    const ScratchFolder folder;
    const std::string run =
        "run double_pendulum --step 1e-4 --duration 1000 --record-every 100 --out " + name;
    const std::string both =
        run + " > out1 2> err1 & first=$!; " + until("[ -s " + name + " ]") + kProgram + kRun + " --out " +
        name + " > out2 2> err2; echo $? > status; kill -TERM $first; wait $first; echo $? > first";
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

/// The lines of the run stay, and the one that came second is told.
TEST(TwoWriters, AnExportDoesNotReplaceTheFileOfARun) {
  const ScratchFolder folder;
  ASSERT_EQ(shell(folder, kRun + " --out r.h5 > out 2> err"), 0);
  for (const std::string verb : {"export r.h5 a.csv", "export r.h5 a.csv --force"}) {
    fs::remove(folder.path("a.csv"));
    shell(folder,
          "run double_pendulum --step 1e-4 --duration 1000 --record-every 100 --out a.csv > out1 2> err1 & "
          "first=$!; " +
              until("[ -s a.csv ]") + kProgram + verb + " > out2 2> err2; echo $? > status; " +
              until("[ \"$(wc -l < a.csv)\" -gt 12 ]") + "kill -TERM $first; wait $first; echo $? > first");
    EXPECT_EQ(folder.read("status"), "2\n") << verb;
    EXPECT_NE(folder.read("err2").find("another program is writing it"), std::string::npos)
        << folder.read("err2");
    EXPECT_EQ(folder.read("first"), "130\n") << verb;
    const std::string csv = folder.read("a.csv");
    EXPECT_GT(std::count(csv.begin(), csv.end(), '\n'), 12) << "the lines of the export";
    EXPECT_TRUE(csv.ends_with("\n"));
  }
}

/// Runs that take hours end between two steps, and are made again by the next call.
TEST(Signals, ASweepEndsWithinItsRuns) {
  const ScratchFolder folder;
  const std::string head =
      "torsor_sweep: 1\nmodel: double_pendulum\nvary: {gravity.1: {range: [-10, -9], count: 4}}\n"
      "measure: {e: {final: energy.total}}\nkeep: {records: 1}\nsimulation: {step: 1e-4, duration: ";
  folder.file("s.yaml", head + "1e5}\n");
  shell(folder, "sweep s.yaml > out 2> err & first=$!; " + until("[ -s s/journal.bin ]") + kUntilItComputes +
                    "kill -TERM $first; wait $first; echo $? > status");
  EXPECT_EQ(folder.read("status"), "130\n");
  EXPECT_NE(folder.read("err").find("after 0 of 4 runs"), std::string::npos) << folder.read("err");
}

/// They were made in place of those of the call before, which were gone then.
TEST(Signals, ASweepThatIsInterruptedKeepsTheRunsThatWereWhole) {
  const ScratchFolder folder;
  folder.file("s.yaml",
              "torsor_sweep: 1\nmodel: double_pendulum\nvary: {gravity.1: {range: [-10, -9], count: 2}}\n"
              "measure: {e: {final: energy.total}}\nkeep: {records: 2}\nsimulation: {formulation: joint, "
              "integrator: rkmk4, step: 1e-4, duration: 50, record_every: 100}\n");
  const auto tables = [&] {
    std::vector<std::string> texts;
    for (const std::string run : {"run_0", "run_1"}) {
      EXPECT_EQ(shell(folder, "export s/runs/" + run + ".h5 " + run + ".csv 2> err"), 0)
          << folder.read("err");
      texts.push_back(folder.read(run + ".csv"));
    }
    return texts;
  };
  ASSERT_EQ(shell(folder, "sweep s.yaml --no-page > out 2> err"), 0) << folder.read("err");
  const std::vector<std::string> whole = tables();
  shell(folder,
        "sweep s.yaml --no-page > out 2> err & first=$!; " + until("[ \"$(ls -i s/runs)\" != \"$before\" ]") +
            "kill -TERM $first 2> none; wait $first; echo $? > status",
        "before=$(ls -i s/runs)\n");
  const std::string status = folder.read("status");
  EXPECT_TRUE(status == "130\n" || status == "0\n") << status;  // it may have been quicker
  EXPECT_EQ(tables(), whole);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path("s/runs")), {}), 2) << "passing files";
}

/// In the background, for longer than anybody waits.
const std::string kReported =
    "run double_pendulum --step 1e-4 --duration 1000 --report r.html > out 2> err & first=$!; ";

TEST(Signals, TermAndHangUpRemovePassingFolders) {
  if (!has_page()) GTEST_SKIP() << "the page of reports was not built";
  for (const char* signal : {"TERM", "HUP"}) {
    const ScratchFolder folder;
    shell(folder, kReported + until("[ -s tmp/torsor-*/run.h5 ]") + kUntilItComputes + "kill -" + signal +
                      " $first; wait $first; echo $? > status");
    EXPECT_TRUE(fs::is_empty(folder.path("tmp"))) << signal;
    EXPECT_EQ(folder.read("status"), "130\n") << signal;
    EXPECT_NE(folder.read("out").find("balance residual max"), std::string::npos) << signal;
    EXPECT_TRUE(fs::exists(folder.path("r.html"))) << signal;
  }
}

/// A second signal does not wait for the end of the run, nor for its page.
TEST(Signals, TheSecondRemovesPassingFoldersToo) {
  if (!has_page()) GTEST_SKIP() << "the page of reports was not built";
  const ScratchFolder folder;
  // As soon as the first one is no longer pending; 50 MB are long in the making of a page.
  shell(folder, kReported + until("[ -n \"$(find tmp -name run.h5 -size +50M)\" ]") + "kill -TERM $first; " +
                    until("! grep -q '^ShdPnd:.*[1-9a-f]' /proc/$first/status") +
                    "kill -TERM $first; wait $first; echo $? > status");
  EXPECT_TRUE(fs::is_empty(folder.path("tmp")));
  EXPECT_EQ(folder.read("status"), "130\n");
  EXPECT_NE(folder.read("err").find("torsor: interrupted\n"), std::string::npos) << folder.read("err");
  EXPECT_FALSE(fs::exists(folder.path("r.html")));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path(""))) {
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
  }
}

/// Once SIGTERM and SIGHUP, the bits 14 and 0, are caught; without SIGINT, which a shell lets what runs beside it ignore.
TEST(Signals, VerbsThatKeepNothingEndAtOnce) {
  for (const char* signal : {"TERM", "HUP"}) {
    const ScratchFolder folder;
    shell(folder,
          "study compare double_pendulum --step 1e-4 --duration 1000 --threads 1 > out 2> err & first=$!; " +
              until("grep -q '^SigCgt:.*[4-7c-f]..[13579bdf]$' /proc/$first/status") + kUntilItComputes +
              "kill -" + signal + " $first; wait $first; echo $? > status");
    EXPECT_EQ(folder.read("status"), "130\n") << signal;  // was 143
    EXPECT_NE(folder.read("err").find("interrupted"), std::string::npos) << folder.read("err");
  }
}

/// Signalled as soon as something passing is there; a verb that has finished by then has removed it itself.
TEST(Signals, NoVerbLeavesPassingFiles) {
  const ScratchFolder folder;
  ASSERT_EQ(shell(folder, "run double_pendulum --step 1e-3 --duration 20 --out big.h5 > out 2> err"), 0);
  for (const std::string arguments : {"modes stewart --report m.html", "export big.h5 big2.h5",
                                      "export big.h5 big2.json", "report big.h5 --size 100 -o p.html"}) {
    for (const char* signal : {"TERM", "HUP"}) {
      shell(folder, arguments +
                        " > out 2> err & first=$!; i=0\n"
                        "while [ $i -lt 2000 ] && kill -0 $first 2> none && [ -z \"$(ls tmp)\" ] && "
                        "! ls *.tmp > none 2>&1; do i=$((i + 1)); done; kill -" +
                        signal + " $first 2> none; wait $first; echo $? > status");
      const std::string status = folder.read("status");
      EXPECT_TRUE(status == "130\n" || status == "0\n" ||
                  folder.read("err").find("(page)") != std::string::npos)
          << arguments << ": " << status;
      EXPECT_TRUE(fs::is_empty(folder.path("tmp"))) << arguments;
      for (const fs::directory_entry& entry : fs::directory_iterator(folder.path(""))) {
        EXPECT_NE(entry.path().extension(), ".tmp") << arguments << ": " << entry.path();
      }
    }
  }
}

/// Whoever unpacks a folder of others and works in it writes nothing outside.
TEST(Strangers, LinksInAFolderLeadToNoFileOutside) {
  const ScratchFolder folder;
  folder.file("s.yaml",
              "torsor_sweep: 1\nmodel: double_pendulum\nvary: {gravity.1: {range: [-10, -9], count: 2}}\n"
              "measure: {e: {max: energy.total}}\nsimulation: {duration: 0.1}\n");
  folder.file("victim", "my notes\n");
  fs::create_directories(folder.path("s"));
  fs::create_symlink("../profile", folder.path("s/journal.bin"));
  EXPECT_EQ(shell(folder, "sweep s.yaml --no-page > out 2> err"), 2);
  EXPECT_NE(folder.read("err").find("it is a link"), std::string::npos) << folder.read("err");
  EXPECT_FALSE(fs::exists(folder.path("profile")));
  fs::remove(folder.path("s/journal.bin"));
  // The shell's number is that of the program that takes its place.
  std::string links, arguments = "sweep s.yaml --no-page > out 2> err";
  for (const char* name : {"s/table.csv", "s/table.h5"}) {
    links += "ln -s ../victim " + std::string(name) + ".$$.tmp\n";
  }
  EXPECT_EQ(shell(folder, arguments, links + "exec env "), 0) << folder.read("err");
  EXPECT_EQ(folder.read("victim"), "my notes\n");  // held the table
  EXPECT_TRUE(fs::is_regular_file(folder.path("s/table.csv")));
}

/// Nor over what may be replaced elsewhere: an empty file, a result of ours.
TEST(Strangers, ASweepFollowsNoLinksInItsFolder) {
  const ScratchFolder folder;
  const std::string sweep =
      "torsor_sweep: 1\nmodel: double_pendulum\nvary: {gravity.1: {range: [-10, -9], count: 2}}\n"
      "measure: {e: {max: energy.total}}\nsimulation: {duration: 0.1}\nkeep: {records: 2}\n";
  folder.file("s.yaml", sweep);
  folder.file("empty", "");
  ASSERT_EQ(shell(folder, kRun + " --out result.h5 > out 2> err"), 0);
  const std::string result = folder.read("result.h5");
  fs::create_directories(folder.path("s/runs"));
  const auto expect_refusal = [&](const std::string& link) {
    for (const char* force : {"", " --force"}) {
      EXPECT_EQ(shell(folder, "sweep s.yaml --no-page > out 2> err" + std::string(force)), 2) << link;
      EXPECT_NE(folder.read("err").find("'" + link + "': it is a link"), std::string::npos)
          << folder.read("err");
    }
    fs::remove(folder.path(link));
  };
  for (const std::string name :
       {"s/table.h5", "s/table.csv", "s/index.html", "s/runs/run_0.h5", "s/runs/run_1.html"}) {
    for (const char* target : {"result.h5", "empty"}) {
      fs::create_symlink(folder.path(target), folder.path(name));
      expect_refusal(name);
    }
  }
  fs::create_directories(folder.path("place"));
  fs::remove(folder.path("s/runs"));
  fs::create_directory_symlink(folder.path("place"), folder.path("s/runs"));
  expect_refusal("s/runs");
  fs::remove_all(folder.path("s"));
  fs::create_directory_symlink("place", folder.path("s"));
  expect_refusal("s");
  EXPECT_EQ(folder.read("result.h5"), result);
  EXPECT_EQ(folder.read("empty"), "");
  EXPECT_TRUE(fs::is_empty(folder.path("place")));
  fs::create_directory_symlink("place", folder.path("s"));  // which the user names
  EXPECT_EQ(shell(folder, "sweep s.yaml --no-page --out s > out 2> err"), 0) << folder.read("err");
  EXPECT_TRUE(fs::is_regular_file(folder.path("place/table.csv")));
}

TEST(Strangers, LinksToNothingAreNamed) {
  const ScratchFolder folder;
  ASSERT_EQ(shell(folder, kRun + " --out r.h5 > out 2> err"), 0);
  for (const std::string name : {"link.csv", "link.h5", "link.json"}) {
    fs::create_symlink("nowhere", folder.path(name));
    const std::string arguments = name == "link.json" ? "export r.h5 link.json" : kRun + " --out " + name;
    EXPECT_EQ(shell(folder, arguments + " > out 2> err"), 2) << name;
    EXPECT_NE(folder.read("err").find("it is a link to 'nowhere', where nothing is"), std::string::npos)
        << folder.read("err");
  }
  EXPECT_FALSE(fs::exists(folder.path("nowhere")));
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
  std::string objects = "[{}";
  for (int i = 0; i < 1'000'000; ++i) objects += ",{}";  // 400,000 took half a minute
  folder.file("many.json", objects + "]");
  for (const char* name : {"deep.json", "twice.json", "large.json", "many.json", "/dev/zero", "."}) {
    EXPECT_EQ(shell(folder,
                    "eval double_pendulum --state " + std::string(name) + " --quantity energy > out 2> err"),
              2)
        << name;
  }
  EXPECT_EQ(shell(folder, "eval double_pendulum --state beyond.json --quantity energy > out 2> err"),
            2);  // was null
  EXPECT_NE(folder.read("err").find("energy: expected numbers below"), std::string::npos);
}

TEST(Strangers, ASweepShowsNothingOfOtherFiles) {
  const ScratchFolder folder;
  const std::string secret = folder.file("secret", "password\n");
  folder.file("s.yaml", "torsor_sweep: 1\nmodel: " + secret +
                            "\nvary: {gravity.1: {range: [1, 2], count: 2}}\nmeasure: {e: {final: time}}\n");
  EXPECT_EQ(shell(folder, "sweep s.yaml --out f > out 2> err"), 2);
  EXPECT_NE(folder.read("err").find("s.yaml:2: model: expected a model file .yaml"), std::string::npos);
  EXPECT_EQ((folder.read("out") + folder.read("err")).find("password"), std::string::npos);  // was shown
}

/// The link was read, and the message about its text showed it.
TEST(Strangers, ASweepShowsNothingOfWhatLinksLeadTo) {
  const ScratchFolder folder;
  folder.file("secret", "password\n");
  fs::create_symlink("secret", folder.path("evil.yaml"));
  folder.file("s.yaml",
              "torsor_sweep: 1\nmodel: evil.yaml\n"
              "vary: {gravity.1: {range: [1, 2], count: 2}}\nmeasure: {e: {final: "
              "energy.total}}\nsimulation: {duration: 0.1}\n");
  EXPECT_EQ(shell(folder, "sweep s.yaml --out f > out 2> err"), 2);
  EXPECT_NE(folder.read("err").find("s.yaml:2: model: expected a model file .yaml"), std::string::npos);
  EXPECT_EQ((folder.read("out") + folder.read("err")).find("password"), std::string::npos);
  fs::remove(folder.path("evil.yaml"));
  shell(folder, "list models > out", "mkfifo evil.yaml\n");
  EXPECT_EQ(shell(folder, "sweep s.yaml --out f > out 2> err"), 2);  // waited for a writer without end
  fs::copy_file(std::string(TORSOR_MODELS) + "/double_pendulum.yaml", folder.path("m.yaml"));
  fs::remove(folder.path("evil.yaml"));
  fs::create_symlink("m.yaml", folder.path("evil.yaml"));
  EXPECT_EQ(shell(folder, "sweep s.yaml --no-page --out f > out 2> err"), 0) << folder.read("err");
}

const std::string kSettings =
    "simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.01, duration: 0.02}\n";

/// A rod with tendons to and fro between it and the world.
std::string long_tendon(int points, int times = 1) {
  std::string text = "torsor: 1\ndimension: 2\nbodies: {rod: {mass: 1, inertia: 1}}\npoints:\n", path;
  for (int i = 0; i < points; ++i) {
    const std::string name = "p" + std::to_string(i);
    text += "  " + name + ": {body: " + (i % 2 ? "world" : "rod") + ", at: [" + std::to_string(i % 7) + ", " +
            std::to_string(0.01 * i) + "]}\n";
    path += (i ? ", " : "") + name;
  }
  text += "joints: {pivot: {type: revolute, parent: world, child: rod}}\ntendons:\n";
  for (int i = 0; i < times; ++i) {
    text += "  t" + std::to_string(i) + ": {path: [" + path + "], stiffness: 1, rest_length: 0}\n";
  }
  return text + kSettings;
}

/// So many hinges about the same axis between each body and those that `joins` says, the world being -1.
template <class Joins>
std::string hinges(int bodies, int times, const Joins& joins) {
  std::string text = "torsor: 1\nbodies:\n", joints;
  for (int b = 0; b < bodies; ++b) {
    text += "  b" + std::to_string(b) + ": {mass: 1, inertia: [1, 1, 1]}\n";
    for (int a = -1; a < b; ++a) {
      for (int i = 0; i < (joins(a, b) ? times : 0); ++i) {
        joints += "  j" + std::to_string(a + 1) + "_" + std::to_string(b) + "_" + std::to_string(i) +
                  ": {type: revolute, parent: " + (a < 0 ? "world" : "b" + std::to_string(a)) + ", child: b" +
                  std::to_string(b) + "}\n";
      }
    }
  }
  return text + "joints:\n" + joints + kSettings;
}
const auto kChain = [](int a, int b) { return a == b - 1; };
const auto kEach = [](int, int) { return true; };

/// Each joined to some body before it and to another one, at random.
std::string joined_at_random(int bodies) {
  std::mt19937 random(1);
  std::string text = "torsor: 1\nbodies:\n", joints;
  for (int b = 0; b < bodies; ++b) {
    const std::string name = std::to_string(b);
    text += "  b" + name + ": {mass: 1, inertia: [1, 1, 1]}\n";
    for (const char* way : {"tree", "loop"}) {
      const int other = b > 0 ? static_cast<int>(random() % b) : -1;
      joints += "  " + std::string(way) + name +
                ": {type: revolute, parent: " + (other < 0 ? "world" : "b" + std::to_string(other)) +
                ", child: b" + name + "}\n";
    }
  }
  return text + "joints:\n" + joints + kSettings;
}

/// A ball of about so many triangles.
void write_ball(const std::string& path, int triangles) {
  const int rings = static_cast<int>(std::sqrt(triangles / 2));
  std::ofstream file(path);
  for (int i = 0; i <= rings; ++i) {
    for (int k = 0; k < rings; ++k) {
      const double t = M_PI * i / rings, f = 2 * M_PI * k / rings;
      file << "v " << std::sin(t) * std::cos(f) << ' ' << std::sin(t) * std::sin(f) << ' ' << std::cos(t)
           << '\n';
    }
  }
  for (int i = 0; i < rings; ++i) {
    for (int k = 0; k < rings; ++k) {
      const int a = i * rings + k + 1, b = i * rings + (k + 1) % rings + 1;
      file << "f " << a << ' ' << a + rings << ' ' << b + rings << "\nf " << a << ' ' << b + rings << ' ' << b
           << '\n';
    }
  }
}

/// Of one mesh so many times: for the picture alone, since poles of points in one place are no closed surface.
std::string meshes(int times) {
  std::string text = "torsor: 1\nbodies:\n";
  for (int i = 0; i < times; ++i) {
    text += "  b" + std::to_string(i) + ": {mass: 1, inertia: [1, 1, 1], shapes: [{mesh: ball.obj}]}\n";
  }
  return text + kSettings;
}

/// With at most so much memory of its own.
int within(int megabytes, const ScratchFolder& folder, const std::string& arguments) {
  return shell(folder, arguments + " > out 2> err", "ulimit -v " + std::to_string(1000 * megabytes) + "\n");
}

/// Files of 3 GB that hold next to nothing: they were read whole before their first bytes were looked at.
TEST(SizeBombs, HolesOfFilesTakeNoMemory) {
  const ScratchFolder folder;
  folder.file("s.yaml",
              "torsor_sweep: 1\nmodel: double_pendulum\nvary: {gravity.1: {range: [-10, -9], count: 2}}\n"
              "measure: {e: {max: energy.total}}\nsimulation: {duration: 0.1}\n");
  fs::create_directories(folder.path("f"));
  folder.file("f/journal.bin", "");
  fs::resize_file(folder.path("f/journal.bin"), 3'000'000'000);
  EXPECT_EQ(within(500, folder, "sweep s.yaml --no-page --out f"), 2);
  EXPECT_NE(folder.read("err").find("it is no journal of a sweep"), std::string::npos) << folder.read("err");
  fs::remove_all(folder.path("f"));
  ASSERT_EQ(within(500, folder, "sweep s.yaml --no-page --out f"), 0) << folder.read("err");
  const auto length = fs::file_size(folder.path("f/journal.bin"));
  fs::resize_file(folder.path("f/journal.bin"), 3'000'000'000);
  EXPECT_EQ(within(500, folder, "sweep s.yaml --no-page --out f"), 0) << folder.read("err");
  EXPECT_EQ(fs::file_size(folder.path("f/journal.bin")), length);

  ASSERT_EQ(shell(folder, kRun + " --out a.h5 > out 2> err"), 0);
  for (const char* name : {"tail.h5", "empty.h5"}) {
    if (name == std::string("tail.h5")) fs::copy_file(folder.path("a.h5"), folder.path(name));
    std::ofstream file(folder.path(name), std::ios::app);
    file.close();
    fs::resize_file(folder.path(name), 2'600'000'000);
    std::ofstream(folder.path(name), std::ios::app | std::ios::binary)
        << "TORSORJ1" << std::string("\0\0\x40\0\0\0\0\0", 8) << std::string(16, '\0');
    const int status = name == std::string("tail.h5") ? 0 : 2;
    EXPECT_EQ(within(500, folder, "export " + std::string(name) + " b.csv"), status) << folder.read("err");
    EXPECT_EQ(within(500, folder, "report " + std::string(name)), has_page() ? status : 2)
        << folder.read("err");
  }
}

TEST(SizeBombs, AreRefusedWithTheLimitNamed) {
  const ScratchFolder folder;
  write_ball(folder.path("ball.obj"), 160'000);
  const struct {
    std::string model, verb, limit;
  } kBombs[] = {
      {long_tendon(16'000), "check", "at most 1000 points"},
      {long_tendon(900, 30), "check", "at most 5e+06 pairs of points of a tendon"},  // 0.8 GB
      {hinges(1, 800, kChain), "check", "at most 64 joints between the same two bodies"},
      {hinges(50, 1, kEach), "check", "loops that couple at most 1500"},  // took minutes
      {hinges(50, 1, kEach), "run", "loops that couple at most 1500"},
      {joined_at_random(20'000), "check",
       "loops whose order of elimination is found with at most 1e+09 comparisons"},
      {hinges(2900, 2, kChain) + "couplings: {c: {joints: {j0_0_0: 1, j1_1_0: -1}}}\n", "check",
       "loops whose conditions times rates are at most 4e+07"},
      {meshes(20), "check", "at most 3000000 triangles in all shapes of a model"},
      {long_tendon(2), "run --step 1e-9 --duration 1001", "at most 1e12 steps in a run"},
      {long_tendon(2), "run --step 1e-9 --duration 3 --record energy --out a.h5",
       "at most 2147483647 records"},
  };
  for (const auto& [model, verb, limit] : kBombs) {
    folder.file("m.yaml", model);
    EXPECT_EQ(within(500, folder, verb + " m.yaml"), 2) << limit;
    EXPECT_NE(folder.read("err").find("expected " + limit), std::string::npos) << folder.read("err");
  }
}

TEST(SizeBombs, BelowTheLimitsMemoryIsBounded) {
  const ScratchFolder folder;
  write_ball(folder.path("ball.obj"), 150'000);
  for (const std::string& model :
       {long_tendon(1000), long_tendon(1000, 5), hinges(13, 64, kChain), hinges(20, 1, kEach), meshes(20)}) {
    folder.file("m.yaml", model);
    for (const char* verb : {"check", "run"}) {
      EXPECT_EQ(within(700, folder, std::string(verb) + " m.yaml"), 0)
          << folder.read("err") << model.substr(0, 80);
    }
  }
}

/// Each a body on the one before: MJCF nests them, and the program ended by a signal.
TEST(SizeBombs, DeepChainsAreNotWrittenAsMjcf) {
  const ScratchFolder folder;
  for (const int links : {254, 20'000}) {
    fs::remove(folder.path("c.yaml"));
    ASSERT_EQ(shell(folder, "new chain --links " + std::to_string(links) +
                                " --joint spherical --out c.yaml > out 2> err"),
              0);
    EXPECT_EQ(within(700, folder, "convert c.yaml c.xml"), 2) << links;
    EXPECT_NE(folder.read("err").find("expected at most 253 bodies on one another"), std::string::npos)
        << folder.read("err");
    EXPECT_FALSE(fs::exists(folder.path("c.xml")));
  }
  fs::remove(folder.path("c.yaml"));
  ASSERT_EQ(shell(folder, "new chain --links 253 --joint spherical --out c.yaml > out 2> err"), 0);
  EXPECT_EQ(within(500, folder, "convert c.yaml c.xml"), 0) << folder.read("err");
  EXPECT_EQ(within(500, folder, "check c.xml"), 0) << folder.read("err");
  ASSERT_EQ(shell(folder, "new chain --links 20000 --joint revolute --out r.yaml > out 2> err"), 0);
  EXPECT_EQ(within(700, folder, "convert r.yaml r.urdf"), 0) << folder.read("err");
}

/// Matrices of the square of 60,000 rates ended in a lack of memory.
TEST(SizeBombs, DenseMatricesAreBounded) {
  const ScratchFolder folder;
  ASSERT_EQ(shell(folder, "new chain --links 20000 --joint spherical --out c.yaml > out 2> err"), 0);
  const struct {
    const char *verb, *limit;
  } kVerbs[] = {
      {"modes c.yaml", "at most 4e+06 entries in a matrix of rates"},
      {"equilibrium c.yaml", "at most 4e+06 entries in a matrix of rates"},
      {"eval c.yaml --quantity mass_matrix", "at most 2e+07 entries in the mass matrix"},
      {"eval c.yaml --quantity coriolis_matrix", "at most 2e+07 entries in the Coriolis matrix"},
      {"eval c.yaml --quantity christoffel", "at most 2e+07 entries in Christoffel symbols"},
      {"eval c.yaml --quantity jacobians", "at most 2e+07 entries in Jacobians of all bodies"},
      {"eval c.yaml --quantity inverse_dynamics_dq", "at most 2e+07 entries in derivatives of the dynamics"}};
  for (const auto& [verb, limit] : kVerbs) {
    EXPECT_EQ(within(700, folder, verb), 2) << verb;
    EXPECT_NE(folder.read("err").find("joints: expected " + std::string(limit)), std::string::npos)
        << folder.read("err");
  }
}

/// Each dataset took 40 kB while the file was open.
TEST(SizeBombs, ResultsOfManyBodiesTakeMemoryInProportion) {
  const ScratchFolder folder;
  ASSERT_EQ(shell(folder, "new chain --links 2000 --out c.yaml > out 2> err"), 0);
  EXPECT_EQ(within(700, folder, "run c.yaml --duration 0.02 --out r.h5"), 0) << folder.read("err");  // 1.0 GB
  ASSERT_EQ(shell(folder, "new chain --links 20000 --out d.yaml > out 2> err"), 0);
  EXPECT_EQ(within(1500, folder, "run d.yaml --duration 0.02 --out s.h5"), 2);
  EXPECT_NE(folder.read("err").find("expected at most 100000 datasets in a file"), std::string::npos)
      << folder.read("err");
  EXPECT_FALSE(fs::exists(folder.path("s.h5")));
}

/// Within HDF5 the program ended by a signal, and left its passing file.
TEST(SizeBombs, ALackOfMemoryIsAnError) {
  const ScratchFolder folder;
  ASSERT_EQ(shell(folder, "new chain --links 1500 --out c.yaml > out 2> err"), 0);
  for (const int megabytes : {150, 200, 250, 300, 350, 400}) {
    const int status = within(megabytes, folder, "run c.yaml --duration 0.02 --out r.h5");
    EXPECT_TRUE(status == 0 || status == 1 || status == 5) << status << " " << folder.read("err");
    if (status != 0) {
      EXPECT_NE(folder.read("err").find("memory"), std::string::npos) << folder.read("err");
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.path(""))) {
      EXPECT_FALSE(entry.path().string().ends_with(".tmp")) << entry.path() << " at " << megabytes;
    }
  }
}

/// Which of several thousand constraints repeat others took minutes to tell.
TEST(SizeBombs, OfTooManyRedundantConstraintsOnlyTheirNumberIsTold) {
  const ScratchFolder folder;
  folder.file("m.yaml", hinges(16, 64, kChain));
  EXPECT_EQ(within(700, folder, "check m.yaml"), 0) << folder.read("err");
  const std::string told = folder.read("out");
  EXPECT_NE(told.find("5040 redundant"), std::string::npos) << told.substr(0, 400);
  EXPECT_NE(told.find("they are too many"), std::string::npos);
}

/// Each angle of a body in the plane was a list of all joints before it.
TEST(SizeBombs, MemoryIsThatOfTheBodies) {
  const ScratchFolder folder;
  std::string text = "torsor: 1\ndimension: 2\nbodies:\n", joints = "joints:\n";
  for (int b = 0; b < 10'000; ++b) {
    const std::string name = std::to_string(b);
    text += "  b" + name + ": {mass: 1, inertia: 1}\n";
    joints += "  j" + name + ": {type: revolute, parent: " + (b ? "b" + std::to_string(b - 1) : "world") +
              ", child: b" + name + "}\n";
  }
  folder.file("m.yaml", text + joints + kSettings);
  EXPECT_EQ(within(600, folder, "run m.yaml --formulation joint --integrator rkmk4"), 0)
      << folder.read("err");
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
