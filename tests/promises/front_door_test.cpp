// README is the front door: short, and with a reading order of src/transformer/ that stays true. Each rule is
// a function that lists what breaks it, so that it can be seen to reject.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "promises/repository.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

constexpr std::size_t kMostLines = 140;

struct Entry {
  std::string file;   // the header, from the root
  std::string lines;  // as README gives them
};

// The rows "| [name](src/...) | 123 | ... |". The link leads to the header, or to the source file beside it.
std::vector<Entry> reading_order(const Lines& readme) {
  static const Pattern row("\\| \\[[^\\]]*\\]\\((src/[^).]*)\\.(h|cpp)\\) \\| (\\d+) \\|.*");
  std::vector<Entry> entries;
  for (const std::string& line : readme) {
    if (const auto match = row.match(line)) entries.push_back({match->groups[1] + ".h", match->groups[3]});
  }
  return entries;
}

// A header counts with the source file beside it.
std::size_t lines_with_source(const std::string& path) {
  const std::size_t lines = lines_of(kRoot / path).size();
  const fs::path source = fs::path(path).replace_extension(".cpp");
  return source == path ? lines : lines + lines_of(kRoot / source).size();
}

// --- the rules

Lines too_long(const Lines& page) {
  if (page.size() <= kMostLines) return {};
  return {std::to_string(page.size()) + " lines, at most " + std::to_string(kMostLines)};
}

// Each header is named exactly once.
Lines names_that_differ(const std::vector<Entry>& entries, const Lines& headers) {
  std::map<std::string, int> times;
  for (const Entry& entry : entries) ++times[entry.file];
  Lines problems;
  for (const std::string& header : headers) {
    if (times[header] != 1)
      problems.push_back(header + " is named " + std::to_string(times[header]) + " times");
  }
  return problems;
}

Lines counts_that_differ(const std::vector<Entry>& entries) {
  Lines problems;
  for (const Entry& entry : entries) {
    const std::string lines = std::to_string(lines_with_source(entry.file));
    if (entry.lines != lines)
      problems.push_back(entry.file + " has " + lines + " lines, README says " + entry.lines);
  }
  return problems;
}

// What a file includes of the reading order stands above it.
Lines read_too_early(const std::vector<Entry>& entries, const std::map<std::string, Lines>& includes) {
  std::set<std::string> named, above;
  for (const Entry& entry : entries) named.insert(entry.file);
  Lines problems;
  for (const Entry& entry : entries) {
    for (const std::string& include : includes.at(entry.file)) {
      if (named.count(include) && !above.count(include))
        problems.push_back(entry.file + " is above " + include + ", which it includes");
    }
    above.insert(entry.file);
  }
  return problems;
}

// --- what the rules are applied to

std::map<std::string, Lines> includes_of(const std::vector<Entry>& entries) {
  static const Pattern include("^#include \"([^\"]+)\"");
  std::map<std::string, Lines> includes;
  for (const Entry& entry : entries) {
    includes[entry.file];
    for (const std::string& line : lines_of(kRoot / entry.file)) {
      for (const std::string& path : all_matches(line, include))
        includes[entry.file].push_back("src/" + path);
    }
  }
  return includes;
}

class FrontDoor : public testing::Test {
 protected:
  const Lines readme = lines_of(kRoot / "README.md");
  const std::vector<Entry> entries = reading_order(readme);
};

TEST_F(FrontDoor, HasAtMost140Lines) {
  ASSERT_FALSE(readme.empty());
  expect_none(too_long(readme));
}

TEST_F(FrontDoor, NamesEveryHeaderOfTheTransformerOnce) {
  const Lines headers = files_under("src/transformer", ".*\\.h");
  ASSERT_FALSE(headers.empty());
  expect_none(names_that_differ(entries, headers));
}

TEST_F(FrontDoor, CountsTheLinesOfHeaderAndSource) {
  ASSERT_FALSE(entries.empty());
  expect_none(counts_that_differ(entries));
}

TEST_F(FrontDoor, NamesAFileBelowThoseThatItIncludes) {
  expect_none(read_too_early(entries, includes_of(entries)));
}

// --- the rules reject

TEST(FrontDoorRules, APageThatIsTooLong) {
  EXPECT_EQ(too_long(Lines(kMostLines)).size(), 0u);
  EXPECT_EQ(too_long(Lines(kMostLines + 1)).size(), 1u);
}

TEST(FrontDoorRules, ARowIsReadAsFileAndLines) {
  const auto entries =
      reading_order({"| [a](src/transformer/a.cpp) | 12 | 3.1: b |", "| [a](docs/a.md) | 12 | |",
                     "| [a](src/transformer/a.h) | many | |", "| file | lines | |"});
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].file, "src/transformer/a.h");
  EXPECT_EQ(entries[0].lines, "12");
}

TEST(FrontDoorRules, AFileThatIsMissingOrNamedTwice) {
  const std::vector<Entry> once = {{"a.h", "1"}}, twice = {{"a.h", "1"}, {"a.h", "1"}};
  EXPECT_EQ(names_that_differ(once, {"a.h"}).size(), 0u);
  EXPECT_EQ(names_that_differ(twice, {"a.h"}).size(), 1u);
  EXPECT_EQ(names_that_differ(once, {"a.h", "b.h"}).size(), 1u);
}

TEST(FrontDoorRules, ACountThatIsWrong) {
  const std::string both = "src/core/shape.h", source = "src/core/shape.cpp";
  const std::size_t header_lines = lines_of(kRoot / both).size(),
                    source_lines = lines_of(kRoot / source).size();
  ASSERT_GT(header_lines, 0u);
  ASSERT_GT(source_lines, 0u);
  const std::string sum = std::to_string(header_lines + source_lines);
  EXPECT_EQ(counts_that_differ({{both, sum}, {source, std::to_string(source_lines)}}), Lines());
  EXPECT_EQ(counts_that_differ({{both, std::to_string(header_lines)}}).size(), 1u);
}

TEST(FrontDoorRules, AFileAboveOneThatItIncludes) {
  const std::map<std::string, Lines> includes = {{"a.h", {"b.h", "c.h"}}, {"b.h", {}}};
  EXPECT_EQ(read_too_early({{"b.h", "1"}, {"a.h", "1"}}, includes).size(), 0u);
  EXPECT_EQ(read_too_early({{"a.h", "1"}, {"b.h", "1"}}, includes).size(), 1u);
}

}  // namespace
}  // namespace plainformer
