// Bad model files: each is refused with file, line, key path, expected and found, by the reader and by the
// program (exit status 2, the same words on stderr). The first line of a file in malformed/ says what to
// expect.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>

#include "torsor/base/error.h"
#include "torsor/format/model_reader.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

struct Expectation {
  std::string key;
  int line = 0;
  std::string text;
};

Expectation read_expectation(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string head;
  std::getline(stream, head);
  std::smatch match;
  if (!std::regex_match(head, match, std::regex("# expect: key=(\\S+) line=(\\d+) text=(.*)")))
    throw std::runtime_error(path + ": no `# expect:` line");
  return {match[1], std::stoi(match[2]), match[3]};
}

std::vector<std::string> malformed_files() {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(TORSOR_VERIFICATION "/malformed"))
    paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

ModelError refusal(const std::function<void()>& load) {
  try {
    load();
  } catch (const ModelError& error) {
    return error;
  }
  ADD_FAILURE() << "was accepted";
  return ModelError("", "", "");
}

struct Outcome {
  int status = -1;
  std::string messages;
};

Outcome check_with_program(const std::string& path) {
  const std::string command = std::string("'") + TORSOR_PROGRAM + "' check '" + path + "' 2>&1 >/dev/null";
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return outcome;
  std::array<char, 4096> block{};
  while (const std::size_t count = fread(block.data(), 1, block.size(), pipe))
    outcome.messages.append(block.data(), count);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  return outcome;
}

void expect_program_says(const std::string& path, const ModelError& error) {
  const Outcome outcome = check_with_program(path);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.messages.find(error.what()), std::string::npos) << outcome.messages;
}

/// Every refusal names where and what; the message has all of it.
void expect_complete(const ModelError& error, const std::string& path) {
  EXPECT_EQ(error.file, path);
  EXPECT_GT(error.line, 0);
  for (const std::string& part :
       {error.file, std::to_string(error.line), error.key, error.expected, error.found}) {
    EXPECT_NE(part, "");
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << part;
  }
}

class Malformed : public testing::TestWithParam<std::string> {};

TEST_P(Malformed, IsRefusedWithPlaceAndReason) {
  const std::string& path = GetParam();
  const Expectation expectation = read_expectation(path);
  const ModelError error = refusal([&] { load_model(path); });
  expect_complete(error, path);
  EXPECT_EQ(error.key, expectation.key);
  EXPECT_EQ(error.line, expectation.line);
  EXPECT_NE(std::string(error.what()).find(expectation.text), std::string::npos) << error.what();
  expect_program_says(path, error);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) { return fs::path(info.param).stem(); }
INSTANTIATE_TEST_SUITE_P(File, Malformed, testing::ValuesIn(malformed_files()), test_name);

TEST(Malformed, ThereAreManyFiles) { EXPECT_GE(malformed_files().size(), 60u); }

/// What is too large or too regular to keep as a file.
struct Generated {
  std::string name, text, words;
};

std::string repeated(const std::string& part, int count) {
  std::string text;
  text.reserve(part.size() * static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

std::string deep_indentation(int levels) {
  std::string text = "torsor: 1\nbodies:\n";
  for (int i = 1; i <= levels; ++i) text += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  return text;
}

/// Nine levels of nine references: 10^9 values if they were followed.
std::string billion_laughs() {
  std::string text = "torsor: 1\na: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char name = 'b'; name <= 'i'; ++name) {
    const std::string before = std::string("*") + static_cast<char>(name - 1);
    text += std::string(1, name) + ": &" + name + " [" + before + repeated(", " + before, 8) + "]\n";
  }
  return text;
}

std::string with_effort(const std::string& effort) {
  return "torsor: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\njoints:\n  j: {type: revolute, parent: "
         "world, "
         "child: a}\nactuators:\n  m: {joint: j, effort: " +
         effort + "}\n";
}

std::vector<Generated> generated() {
  std::string junk(std::size_t{100} << 20, '\0');
  unsigned state = 12345;
  for (char& byte : junk) byte = static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
  std::string keys = "torsor: 1\nbodies:\n";
  for (int i = 0; i < 400'000; ++i) keys += " b" + std::to_string(i) + ": [1, 2, 3]\n";
  return {
      {"closed_flow_lists", "torsor: 1\nbodies: " + repeated("[", 300) + repeated("]", 300), "levels"},
      {"flow_lists", "torsor: 1\nbodies: " + repeated("[", 1'000'000), "a list"},
      {"flow_maps", "torsor: 1\nbodies: " + repeated("{a: ", 1'000'000), "levels"},
      {"block_lists", "torsor: 1\nbodies:\n  " + repeated("- ", 1'000'000), "levels"},
      {"explicit_keys", repeated("? ", 1'000'000), "plain key"},
      {"indentation", deep_indentation(2'000), "levels"},
      {"alias_bomb", billion_laughs(), "anchor"},
      {"deep_expression", with_effort("{expression: \"" + repeated("(", 100'000) + "t\"}"), "expression"},
      {"long_expression", with_effort("{expression: \"t" + repeated("+t", 100'000) + "\"}"), "expression"},
      {"nested_programs", with_effort(repeated("{expression: \"2*s\", s: ", 10'000)), "levels"},
      {"many_values", keys, "values"},
      {"long_line", "torsor: 1\nname: " + repeated("x", 10'000'000), "bodies"},
      {"long_key", repeated("k", 1'000) + ": 1\n", "unknown key"},
      {"junk_100_mb", std::move(junk), "16 MiB"}};
}

TEST(Malformed, GeneratedExtremesAreRefused) {
  const fs::path folder = fs::temp_directory_path() / ("torsor_malformed_" + std::to_string(getpid()));
  fs::create_directories(folder);
  for (const Generated& input : generated()) {
    SCOPED_TRACE(input.name);
    const std::string path = (folder / (input.name + ".yaml")).string();
    std::ofstream(path, std::ios::binary) << input.text;
    const ModelError error = refusal([&] { load_model(path); });
    expect_complete(error, path);
    EXPECT_NE(std::string(error.what()).find(input.words), std::string::npos) << error.what();
    EXPECT_LT(std::string(error.what()).size(), 2000u);
    expect_program_says(path, error);
  }
  fs::remove_all(folder);
}

TEST(Malformed, WhatIsNoFile) {
  for (const std::string path : {"/nowhere/arm.yaml", TORSOR_VERIFICATION}) {
    const ModelError error = refusal([&] { load_model(path); });
    expect_complete(error, path);
    EXPECT_EQ(check_with_program(path).status, 2);
  }
}

}  // namespace
}  // namespace torsor
