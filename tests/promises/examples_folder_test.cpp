// The programs of examples/: short, alone in their file, run by a test, and named at the top of a chapter.
#include <gtest/gtest.h>

#include <string>

#include "promises/repository.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

const std::string kOneFile = "attention_is_all_you_need";  // the whole paper, which is longer

Lines programs() {
  return files_under("examples", "examples/\\w+\\.cpp");
}

TEST(ExamplesFolder, HasProgramsThatFitOnTwoPages) {
  ASSERT_GE(programs().size(), 5u);
  for (const std::string& program : programs()) {
    const std::size_t most = program == "examples/" + kOneFile + ".cpp" ? 560 : 140;
    EXPECT_LE(lines_of(kRoot / program).size(), most) << program;
  }
}

// A program may use the standard library and the public headers of ours, and nothing else.
Lines foreign_includes(const Lines& lines) {
  static const Pattern include("#include.*"), allowed("#include <(plainformer/[\\w/]+\\.h|[a-z_]+)>");
  Lines foreign;
  for (const std::string& line : lines) {
    const bool is_app = line.find("<plainformer/app/") != std::string::npos;
    if (include.matches(line) && (is_app || !allowed.matches(line))) foreign.push_back(line);
  }
  return foreign;
}

TEST(ExamplesFolder, UsesThePublicHeadersOnly) {
  for (const std::string& program : programs()) expect_none(foreign_includes(lines_of(kRoot / program)));
}

TEST(ExamplesFolder, TheRuleOfIncludesRejectsOthers) {
  EXPECT_EQ(foreign_includes({"#include <vector>", "#include <plainformer/ops/linear.h>"}).size(), 0u);
  EXPECT_EQ(foreign_includes({"#include \"helper.h\""}).size(), 1u);
  EXPECT_EQ(foreign_includes({"#include <gtest/gtest.h>"}).size(), 1u);
  EXPECT_EQ(foreign_includes({"#include <plainformer/app/commands.h>"}).size(), 1u);
}

TEST(ExamplesFolder, EachProgramIsNamedAtTheTopOfAChapter) {
  for (const std::string& program : programs()) {
    bool named = false;
    for (const std::string& page : files_under("docs", ".*\\.md")) {
      const Lines lines = lines_of(kRoot / page);
      for (std::size_t i = 0; i < std::min<std::size_t>(lines.size(), 12); ++i)
        named |= contains(links_in(lines[i]), "../" + program);
    }
    EXPECT_TRUE(named) << program;
  }
}

TEST(ExamplesFolder, EachProgramIsRunByATest) {
  std::string tests;
  for (const std::string& path : files_under("tests/examples", ".*_test\\.cpp"))
    for (const std::string& line : lines_of(kRoot / path)) tests += line + "\n";
  for (const std::string& program : programs()) {
    const std::string name = fs::path(program).stem().string();
    const bool is_run =
        tests.find("\"" + name + "\"") != std::string::npos ||
        tests.find("/" + name + ".cpp\"") != std::string::npos;  // compiled by the test itself
    EXPECT_TRUE(is_run) << name;
  }
}

}  // namespace
}  // namespace plainformer
