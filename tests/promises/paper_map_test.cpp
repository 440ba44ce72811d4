// A reader with the paper in hand finds a section in four ways: docs/paper-map.md, the chapter in docs/, the
// title of the file, and the first line of the header. These tests keep the four one-to-one. Each rule is a
// function that lists what breaks it, so that it can be seen to reject.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "promises/repository.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

struct Section {
  std::string number, title;
};

// The paper's own table of contents. (The paper has no text of its own under 6.)
const std::vector<Section> kSections = {{"1", "Introduction"},
                                        {"2", "Background"},
                                        {"3", "Model Architecture"},
                                        {"3.1", "Encoder and Decoder Stacks"},
                                        {"3.2", "Attention"},
                                        {"3.2.1", "Scaled Dot-Product Attention"},
                                        {"3.2.2", "Multi-Head Attention"},
                                        {"3.2.3", "Applications of Attention in our Model"},
                                        {"3.3", "Position-wise Feed-Forward Networks"},
                                        {"3.4", "Embeddings and Softmax"},
                                        {"3.5", "Positional Encoding"},
                                        {"4", "Why Self-Attention"},
                                        {"5", "Training"},
                                        {"5.1", "Training Data and Batching"},
                                        {"5.2", "Hardware and Schedule"},
                                        {"5.3", "Optimizer"},
                                        {"5.4", "Regularization"},
                                        {"6.1", "Machine Translation"},
                                        {"6.2", "Model Variations"},
                                        {"6.3", "English Constituency Parsing"},
                                        {"7", "Conclusion"}};

struct Row {
  std::string section, title;
  Lines chapters, files, tests;  // paths from the root
};

// The links of a page in docs/ as paths from the root: "../src/a.h" is src/a.h, "3-b.md" is docs/3-b.md.
Lines paths_in(const std::string& text) {
  Lines paths;
  for (const std::string& link : links_in(text))
    paths.push_back((fs::path("docs") / link).lexically_normal().generic_string());
  return paths;
}

// The rows "| 3.1 | [title](chapter) | links to code | links to tests |".
std::vector<Row> paper_map(const Lines& page) {
  static const Pattern row("\\| ([1-7][0-9.]*) \\| \\[([^\\]]*)(\\][^|]*)\\|([^|]*)\\|([^|]*)\\|");
  std::vector<Row> rows;
  for (const std::string& line : page) {
    const auto match = row.match(line);
    if (!match) continue;
    const Lines& of = match->groups;
    rows.push_back({of[1], of[2], paths_in(of[3]), paths_in(of[4]), paths_in(of[5])});
  }
  return rows;
}

// The sections that a header's first line names: "// Paper: 3.1 Title (remark) and 5.4 Title". A number
// without its exact title is a problem.
Lines sections_of(const std::string& first_line, Lines& problems) {
  static const Pattern reference("(^// Paper: | and )([1-7](\\.[0-9])*) ");
  Lines sections;
  for (const Match& match : reference.all_in(first_line)) {
    const std::string& number = match.groups[2];
    const std::string rest = first_line.substr(match.end);
    const auto section = std::find_if(kSections.begin(), kSections.end(),
                                      [&](const Section& each) { return each.number == number; });
    const bool titled = section != kSections.end() && rest.rfind(section->title, 0) == 0 &&
                        (rest + ".").find_first_of(" ,.", section->title.size()) == section->title.size();
    if (!titled) problems.push_back(first_line);
    sections.push_back(number);
  }
  if (first_line.rfind("// Paper:", 0) == 0 && sections.empty()) problems.push_back(first_line);
  return sections;
}

using SectionsByHeader = std::map<std::string, Lines>;

SectionsByHeader sections_by_header(Lines& problems) {
  SectionsByHeader headers;
  for (const std::string& path : files_under("src", ".*\\.h")) {
    const Lines lines = lines_of(kRoot / path);
    if (!lines.empty()) headers[path] = sections_of(lines.front(), problems);
  }
  return headers;
}

// --- the rules

Lines titles_that_differ(const std::vector<Row>& rows) {
  Lines problems;
  for (std::size_t i = 0; i < std::max(rows.size(), kSections.size()); ++i) {
    const std::string row = i < rows.size() ? rows[i].section + " " + rows[i].title : "no row";
    const std::string section =
        i < kSections.size() ? kSections[i].number + " " + kSections[i].title : "no section";
    if (row != section) problems.push_back("\"" + row + "\" where the paper has \"" + section + "\"");
  }
  return problems;
}

// A row has a chapter, whose file name begins with the number and whose heading is number and title. Further pages of
// the chapter add ": " and a title of their own.
Lines chapters_that_differ(const std::vector<Row>& rows, const std::map<std::string, std::string>& headings) {
  Lines problems;
  std::set<std::string> mapped;
  for (const Row& row : rows) {
    if (row.chapters.empty()) problems.push_back(row.section + ": no chapter");
    for (const std::string& chapter : row.chapters) {
      mapped.insert(chapter);
      const auto heading = headings.find(chapter);
      const bool is_first = chapter == row.chapters.front();
      const std::string expected = "# " + row.section + " " + row.title + (is_first ? "" : ": ");
      if (heading == headings.end()) {
        problems.push_back(chapter + " does not exist");
      } else if (is_first ? heading->second != expected : heading->second.rfind(expected, 0) != 0) {
        problems.push_back(chapter + " begins with \"" + heading->second + "\", not \"" + expected + "\"");
      }
      if (chapter.rfind("docs/" + row.section + "-", 0) != 0)
        problems.push_back(chapter + " is not named after " + row.section);
    }
  }
  for (const auto& [chapter, heading] : headings) {
    if (!mapped.count(chapter)) problems.push_back(chapter + " is not in the paper map");
  }
  return problems;
}

// Map and first lines name the same headers under the same sections.
Lines headers_that_differ(const std::vector<Row>& rows, const SectionsByHeader& headers) {
  Lines problems;
  std::map<std::string, Lines> files_of;
  for (const Row& row : rows) files_of[row.section] = row.files;
  for (const auto& [header, sections] : headers) {
    for (const std::string& section : sections) {
      if (!contains(files_of[section], header))
        problems.push_back("row " + section + " does not name " + header + ", whose first line names " +
                           section);
    }
  }
  for (const Row& row : rows) {
    for (const std::string& file : row.files) {
      const auto header = headers.find(file);
      if (header == headers.end() || !contains(header->second, row.section))
        problems.push_back("row " + row.section + " names " + file + ", whose first line does not name " +
                           row.section);
    }
  }
  return problems;
}

// Everything in transformer/ is of the paper.
Lines headers_without_section(const SectionsByHeader& headers) {
  Lines problems;
  for (const auto& [header, sections] : headers) {
    const bool of_the_paper = header.rfind("src/transformer/", 0) == 0;
    if (of_the_paper && sections.empty())
      problems.push_back(header + ": its first line names no section of the paper");
  }
  return problems;
}

// A row with code has tests; its tests exist; and it names the tests that mirror its headers or its section.
Lines tests_that_differ(const std::vector<Row>& rows, const Lines& tests) {
  static const Pattern dot("\\."), header("^src/(.*)\\.h$");
  Lines problems;
  for (const Row& row : rows) {
    if (!row.files.empty() && row.tests.empty()) problems.push_back("row " + row.section + " has no test");
    for (const std::string& test : row.tests) {
      if (!contains(tests, test)) problems.push_back(test + " does not exist");
    }
    Lines mirrors = {"tests/paper/section_" + dot.replaced_in(row.section, "_") + "_test.cpp"};
    for (const std::string& file : row.files)
      mirrors.push_back(header.replaced_in(file, "tests/$1_test.cpp"));
    for (const std::string& mirror : mirrors) {
      if (contains(tests, mirror) && !contains(row.tests, mirror))
        problems.push_back("row " + row.section + " does not name " + mirror);
    }
  }
  return problems;
}

// --- what the rules are applied to

// Chapter 0 is ours: the paper has no such section.
std::map<std::string, std::string> numbered_chapters() {
  std::map<std::string, std::string> headings;
  for (const std::string& path : files_under("docs", "docs/[1-9].*\\.md")) {
    const Lines lines = lines_of(kRoot / path);
    headings[path] = lines.empty() ? "" : lines.front();
  }
  return headings;
}

class PaperMap : public testing::Test {
 protected:
  const std::vector<Row> rows = paper_map(lines_of(kRoot / "docs/paper-map.md"));
  Lines first_line_problems;
  const SectionsByHeader headers = sections_by_header(first_line_problems);
};

TEST_F(PaperMap, HasEverySectionOfThePaperUnderItsTitle) {
  expect_none(titles_that_differ(rows));
}

TEST_F(PaperMap, EverySectionHasItsChapter) {
  expect_none(chapters_that_differ(rows, numbered_chapters()));
}

TEST_F(PaperMap, FirstLinesNameSectionsByNumberAndTitle) {
  expect_none(first_line_problems);
}

TEST_F(PaperMap, NamesTheHeadersWhoseFirstLinesNameTheSection) {
  expect_none(headers_that_differ(rows, headers));
}

TEST_F(PaperMap, TheTransformerBelongsToThePaper) {
  expect_none(headers_without_section(headers));
}

TEST_F(PaperMap, NamesTheTests) {
  expect_none(tests_that_differ(rows, files_under("tests", ".*_test\\.cpp")));
}

// --- the rules reject

TEST(PaperMapRules, ARowsLinksArePathsFromTheRoot) {
  const std::vector<Row> rows = paper_map(
      {"| 5.3 | [Optimizer](5.3-optimizer.md) | [adam](../src/training/adam.h) | [t](../tests/t.cpp) |"});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].chapters, Lines{"docs/5.3-optimizer.md"});
  EXPECT_EQ(rows[0].files, Lines{"src/training/adam.h"});
  EXPECT_EQ(rows[0].tests, Lines{"tests/t.cpp"});
}

TEST(PaperMapRules, AMissingOrMisnamedSection) {
  EXPECT_EQ(titles_that_differ({}).size(), kSections.size());
  std::vector<Row> rows;
  for (const Section& section : kSections) rows.push_back({section.number, section.title, {}, {}, {}});
  EXPECT_EQ(titles_that_differ(rows).size(), 0u);
  rows[4].title = "Multihead Attention";
  EXPECT_EQ(titles_that_differ(rows).size(), 1u);
}

TEST(PaperMapRules, AChapterThatIsMissingMisnamedMistitledOrUnmapped) {
  const std::string good = "docs/5.3-optimizer.md", bad = "docs/optimizer.md", heading = "# 5.3 Optimizer";
  const auto problems = [&](const Lines& chapters, const std::map<std::string, std::string>& headings) {
    return chapters_that_differ({{"5.3", "Optimizer", chapters, {}, {}}}, headings).size();
  };
  EXPECT_EQ(problems({good}, {{good, heading}}), 0u);
  EXPECT_EQ(problems({good}, {}), 1u);
  EXPECT_EQ(problems({bad}, {{bad, heading}}), 1u);
  EXPECT_EQ(problems({good}, {{good, "# 5.3 Optimiser"}}), 1u);
  EXPECT_EQ(problems({good}, {{good, heading}, {"docs/8-appendix.md", "# 8 Appendix"}}), 1u);
  EXPECT_EQ(problems({}, {}), 1u);
  const std::string more = "docs/5.3-more.md";
  EXPECT_EQ(problems({good, more}, {{good, heading}, {more, heading + ": More"}}), 0u);
  EXPECT_EQ(problems({good, more}, {{good, heading}, {more, heading}}), 1u);
}

TEST(PaperMapRules, AFirstLineWithoutTheExactTitle) {
  Lines problems;
  EXPECT_EQ(sections_of("// Paper: 3.1 Encoder and Decoder Stacks (the norm) and 5.4 Regularization, too",
                        problems),
            (Lines{"3.1", "5.4"}));
  EXPECT_EQ(sections_of("// Rows of a table.", problems), Lines());
  EXPECT_EQ(problems, Lines());
  for (const char* line : {"// Paper: 3.1 Encoder-Decoder Stacks", "// Paper: 3.5 Positional Encodings",
                           "// Paper: 3.6 Something", "// Paper: Attention"}) {
    problems.clear();
    sections_of(line, problems);
    EXPECT_EQ(problems, Lines{line});
  }
}

TEST(PaperMapRules, AHeaderThatOnlyOneOfMapAndFirstLineNames) {
  const std::vector<Row> rows = {{"5.3", "Optimizer", {}, {"src/training/adam.h"}, {}}};
  EXPECT_EQ(headers_that_differ(rows, {{"src/training/adam.h", {"5.3"}}}).size(), 0u);
  EXPECT_EQ(headers_that_differ(rows, {{"src/training/adam.h", {"5.4"}}}).size(), 2u);
  EXPECT_EQ(headers_that_differ(rows, {}).size(), 1u);
  EXPECT_EQ(headers_that_differ({}, {{"src/training/adam.h", {"5.3"}}}).size(), 1u);
  EXPECT_EQ(headers_without_section({{"src/transformer/a.h", {}}, {"src/ops/a.h", {}}}).size(), 1u);
}

TEST(PaperMapRules, ATestThatIsMissingOrLeftOut) {
  const Row row = {"5.3", "Optimizer", {}, {"src/training/adam.h"}, {"tests/training/adam_test.cpp"}};
  Row without = row;
  without.tests.clear();
  EXPECT_EQ(tests_that_differ({row}, row.tests).size(), 0u);
  EXPECT_EQ(tests_that_differ({row}, {}).size(), 1u);
  EXPECT_EQ(tests_that_differ({without}, {}).size(), 1u);
  EXPECT_EQ(tests_that_differ({without}, row.tests).size(), 2u);
  EXPECT_EQ(tests_that_differ({row}, {row.tests[0], "tests/paper/section_5_3_test.cpp"}).size(), 1u);
}

}  // namespace
}  // namespace plainformer
