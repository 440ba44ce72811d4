// examples/attention_is_all_you_need.cpp stands alone, is short, and learns its language.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace plainformer {
namespace {

const std::string kFile = PLAINFORMER_SOURCE_DIR "/examples/attention_is_all_you_need.cpp";

std::vector<std::string> lines_of_the_file() {
  std::ifstream stream(kFile);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// A directive other than the #include of a standard header, which has no dot, no slash and no capital letter.
bool is_foreign(const std::string& line) {
  static const std::regex directive(R"(\s*#.*)"), standard_header(R"(#include <[a-z]+>)");
  return std::regex_match(line, directive) && !std::regex_match(line, standard_header);
}

TEST(OneFilePromises, HasAtMost500Lines) {
  const std::size_t lines = lines_of_the_file().size();
  EXPECT_GT(lines, 300u);
  EXPECT_LE(lines, 500u);
}

TEST(OneFilePromises, IncludesStandardHeadersOnlyAndHasNoMacro) {
  for (const std::string& line : lines_of_the_file()) EXPECT_FALSE(is_foreign(line)) << line;
  EXPECT_FALSE(is_foreign("#include <vector>"));
  for (const char* line : {"#include \"core/tensor.h\"", "#include <Eigen/Dense>", "#include <unistd.h>",
                           "#define N 2", "  #pragma once"})
    EXPECT_TRUE(is_foreign(line)) << line;
}

// The headings are the paper's sections, in the order that the first lines of the file announce.
TEST(OneFilePromises, FollowsThePaper) {
  static const std::regex heading("// --- ([3-6][0-9.]*) .*");
  std::vector<std::string> sections;
  for (const std::string& line : lines_of_the_file()) {
    std::smatch match;
    if (std::regex_match(line, match, heading)) sections.push_back(match[1]);
  }
  EXPECT_EQ(sections, (std::vector<std::string>{"3.2.1", "3.2.2", "3.3", "3.1", "3.4", "3.5", "3", "5.1",
                                                "5.3", "5.4", "6.1"}));
}

std::string shell_quoted(const std::string& text) {
  return "'" + text + "'";
}

// What a command prints. A command that fails gives "" and a failure.
std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), size);
  const int status = pclose(pipe);
  EXPECT_EQ(status, 0) << command;
  return status == 0 ? output : "";
}

double cpu_seconds_of_children() {
  rusage usage = {};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// As its first lines say, with warnings as errors: compile it, run it, and read the last line.
TEST(SlowOneFile, CompilesAloneAndTranslates99PercentIn60SecondsOfOneCore) {
#ifdef PLAINFORMER_EMULATED
  GTEST_SKIP() << "an emulator is too slow";
#endif
  const std::string program =
      (std::filesystem::path(testing::TempDir()) / ("one_file_" + std::to_string(getpid()))).string();
  output_of(shell_quoted(PLAINFORMER_CXX) + " -O2 -std=c++20 -Wall -Wextra -Werror " + shell_quoted(kFile) +
            " -o " + shell_quoted(program));
  const double before = cpu_seconds_of_children();
  const std::string output = output_of(shell_quoted(program));
  const double seconds = cpu_seconds_of_children() - before;
  std::filesystem::remove(program);

  static const std::regex last_line(R"(\nHeld-out exact match: ([0-9.]+) % \(([0-9]+) of 1000\)\n$)");
  std::smatch match;
  ASSERT_TRUE(std::regex_search(output, match, last_line)) << output;
  EXPECT_GE(std::stoi(match[2]), 990) << output;
  EXPECT_GT(seconds, 0.1);
  EXPECT_LE(seconds, 60) << output;
}

}  // namespace
}  // namespace plainformer
