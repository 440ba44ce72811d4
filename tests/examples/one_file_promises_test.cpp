// examples/attention_is_all_you_need.cpp stands alone, follows the paper, and learns its language.
#include <gtest/gtest.h>

#include <string>

#include "promises/repository.h"
#include "support/program.h"

namespace plainformer {
namespace {

const std::string kFile = PLAINFORMER_SOURCE_DIR "/examples/attention_is_all_you_need.cpp";

// A directive other than the #include of a standard header, which has no dot, no slash and no capital letter.
bool is_foreign(const std::string& line) {
  static const Pattern directive(R"(\s*#.*)"), standard_header(R"(#include <[a-z]+>)");
  return directive.matches(line) && !standard_header.matches(line);
}

TEST(OneFilePromises, IncludesStandardHeadersOnlyAndHasNoMacro) {
  for (const std::string& line : lines_of(kFile)) EXPECT_FALSE(is_foreign(line)) << line;
  EXPECT_FALSE(is_foreign("#include <vector>"));
  for (const char* line : {"#include \"core/tensor.h\"", "#include <Eigen/Dense>", "#include <unistd.h>",
                           "#define N 2", "  #pragma once"})
    EXPECT_TRUE(is_foreign(line)) << line;
}

// The headings are the paper's sections, in the order that the first lines of the file announce.
TEST(OneFilePromises, FollowsThePaper) {
  static const Pattern heading("// --- ([3-6][0-9.]*) .*");
  std::vector<std::string> sections;
  for (const std::string& line : lines_of(kFile)) {
    if (const auto match = heading.match(line)) sections.push_back(match->groups[1]);
  }
  EXPECT_EQ(sections, (std::vector<std::string>{"3.2.1", "3.2.2", "3.3", "3.1", "3.4", "3.5", "3", "5.1",
                                                "5.3", "5.4", "6.1"}));
}

// As its first lines say, with warnings as errors: compile it, run it, and read the last line. It takes half
// a minute of a fast core, and up to 80 seconds of an old one that others use, too.
TEST(SlowOneFile, CompilesAloneAndTranslates99PercentInTwoMinutesOfOneCore) {
#ifdef PLAINFORMER_EMULATED
  GTEST_SKIP() << "an emulator is too slow";
#endif
  const TemporaryFolder folder;
  const std::string program = folder.path_of("one_file");
  const ProgramResult compiled =
      run_program({"-O2", "-std=c++20", "-Wall", "-Wextra", "-Werror", kFile, "-o", program},
                  {.program = PLAINFORMER_CXX});
  ASSERT_EQ(compiled.exit_code, 0) << compiled.err;
  const ProgramResult result = run_program({}, {.program = program});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string& output = result.out;

  static const Pattern last_line(R"(\nHeld-out exact match: ([0-9.]+) % \(([0-9]+) of 1000\)\n$)");
  const auto match = last_line.first_in(output);
  ASSERT_TRUE(match) << output;
  EXPECT_GE(std::stoi(match->groups[2]), 990) << output;
  EXPECT_GT(result.cpu_seconds, 0.1);
  EXPECT_LE(result.cpu_seconds, 120) << output;
}

}  // namespace
}  // namespace plainformer
