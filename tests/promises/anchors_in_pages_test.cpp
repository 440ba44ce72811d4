// The links of the pages lead to headings that exist, questions to their places, and citations to the bibliography.
#include <gtest/gtest.h>

#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "promises/page_prose.h"

namespace plainformer {
namespace {

// --- anchors

// The anchor that code hosts make of a heading: small letters, hyphens for spaces, and no marks of punctuation.
std::string anchor_of(const std::string& heading) {
  static const Lines marks = {"·", "²", "√", "…", "—", "–", "“", "”", "’", "→"};  // those that are no ASCII
  std::string text = without_links(heading, true), anchor;
  for (const std::string& mark : marks)
    for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark)) text.erase(at, mark.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || std::isalnum(byte) != 0 || c == '-' || c == '_')
      anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
    else if (c == ' ')
      anchor += '-';
  }
  return anchor;
}

// The anchors of a page. The second heading of a name gets "-1", the third "-2".
std::set<std::string> anchors_of(const Lines& page) {
  static const Pattern heading("#{1,6} +(.*[^ ]) *");
  std::map<std::string, int> counts;
  std::set<std::string> anchors;
  bool is_fenced = false;
  for (const std::string& line : page) {
    if (is_fence(line)) is_fenced = !is_fenced;
    const auto match = is_fenced ? std::nullopt : heading.match(line);
    if (!match) continue;
    const std::string anchor = anchor_of(match->groups[1]);
    const int before = counts[anchor]++;
    anchors.insert(before == 0 ? anchor : anchor + "-" + std::to_string(before));
  }
  return anchors;
}

// The links of a page whose anchor no heading of the page or of the other one has.
Lines dead_anchors(const Lines& page, const std::function<Lines(const std::string& path)>& other_page) {
  Lines dead;
  bool is_fenced = false;
  for (const std::string& line : page) {
    if (is_fence(line)) is_fenced = !is_fenced;
    if (is_fenced) continue;
    for (const std::string& link : links_in(without_code(line))) {
      const std::size_t hash = link.find('#');
      if (hash == link.npos || link.starts_with("https://")) continue;
      const std::string path = link.substr(0, hash);
      if (!path.empty() && !path.ends_with(".md")) continue;
      const std::set<std::string> anchors = anchors_of(path.empty() ? page : other_page(path));
      if (!anchors.contains(link.substr(hash + 1))) dead.push_back(link);
    }
  }
  return dead;
}

TEST(Pages, AnchorsOfLinksAreHeadings) {
  for (const std::string& page : all_pages()) {
    const fs::path folder = (kRoot / page).parent_path();
    for (const std::string& link : dead_anchors(
             lines_of(kRoot / page), [&](const std::string& path) { return lines_of(folder / path); }))
      ADD_FAILURE() << page << ": no heading has the anchor of " << link;
  }
}

TEST(PageRules, AnAnchorWithoutAHeading) {
  EXPECT_EQ(anchor_of("Why the root, and not `d_k`?"), "why-the-root-and-not-d_k");
  EXPECT_EQ(anchor_of("The [code](x.md) of 3.2.1: O(n²)"), "the-code-of-321-on");
  EXPECT_EQ(anchor_of("Die *Königin* 猫"), "die-königin-猫");
  const Lines page = {"# Tests", "```", "# none", "```", "## Tests", "[a](#tests-1)", "[b](#none)"};
  const auto other = [](const std::string&) { return Lines{"# Other page"}; };
  EXPECT_EQ(dead_anchors(page, other), Lines{"#none"});
  EXPECT_EQ(dead_anchors({"[a](x.md#other-page) [b](x.md#page) [c](x.cpp#L1) [d](https://a.b/#c)"}, other),
            Lines{"x.md#page"});
}

// --- questions

// The questions of a page, "12. **Why?** Because. [3](3.md)", with the lines below them that continue them.
Lines questions_of(const Lines& page) {
  static const Pattern number("[0-9]+\\. \\*\\*.*");
  Lines questions;
  bool continues = false;
  for (const std::string& line : page) {
    const bool begins = number.matches(line);
    if (begins)
      questions.push_back(line);
    else if (continues && line.starts_with("   "))
      questions.back() += line;
    continues = begins || (continues && line.starts_with("   "));
  }
  return questions;
}

TEST(Pages, AQuestionIsAnsweredInALineAndTwoClicksFromTheFrontPage) {
  const Lines questions = questions_of(lines_of(kRoot / "docs/questions.md"));
  for (const std::string& question : questions) {
    EXPECT_FALSE(links_in(question).empty()) << question;
    EXPECT_LE(without_links(question, false).size(), 200u) << question;
  }
  const std::string link = "[" + std::to_string(questions.size()) + " questions](docs/questions.md)";
  bool is_linked = false;
  for (const std::string& line : lines_of(kRoot / "README.md"))
    is_linked = is_linked || line.find(link) != line.npos;
  EXPECT_TRUE(is_linked) << "README.md has no " << link;
}

TEST(PageRules, TheQuestionsOfAPage) {
  EXPECT_EQ(questions_of({"1. **A?** B.", "   [c](c.md)", "", "   text", "2. **D?** E.", "F", "3. no"}),
            (Lines{"1. **A?** B.   [c](c.md)", "2. **D?** E."}));
}

// --- works

// "Kingma & Ba (2015)" and "Kingma and Ba, 2015" are "Kingma and Ba 2015".
std::string normal(std::string work) {
  for (const auto& [from, to] : {std::pair("(", ""), std::pair(" & ", " and ")})
    if (const std::size_t at = work.find(from); at != work.npos)
      work.replace(at, std::string(from).size(), to);
  const std::size_t comma = work.rfind(", ");
  if (comma != work.npos && work.find(' ', comma + 2) == work.npos) work.erase(comma, 1);  // before the year
  return work;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool has_year(const std::string& text) {
  for (std::size_t i = 0; i + 3 < text.size(); ++i)
    if ((text.compare(i, 2, "19") == 0 || text.compare(i, 2, "20") == 0) && is_digit(text[i + 2]) &&
        is_digit(text[i + 3]))
      return true;
  return false;
}

Lines citations_in(const Lines& page) {
  static const std::string name = "(?:[Vv]an |de )*[A-Z][^\\s().,|\"]+";
  static const Pattern citation("(" + name + "(?:(?:,| and| &) " + name +
                                ")*(?: et al\\.)?,? \\(?(?:19|20)\\d\\d[a-z]?)(?!\\w)");
  static const Pattern date(
      "(WMT|NeurIPS|Rows|January|February|March|April|May|June|July|August|"
      "September|October|November|December) \\d+");
  Lines citations;
  for (const std::string& paragraph : prose_of(page)) {
    if (!has_year(paragraph)) continue;  // a search of all text for the pattern takes seconds
    for (const std::string& work : all_matches(without_links(paragraph, true), citation))
      if (!date.matches(work)) citations.push_back(normal(work));
  }
  return citations;
}

// The first cells of the bibliography: "Radford et al. 2019, GPT-2" is cited with or without the name of the model.
std::set<std::string> works_of(const Lines& bibliography) {
  static const Pattern name_and_year("(.*\\d{4}[a-z]?), .*");
  std::set<std::string> works;
  for (const std::string& line : bibliography) {
    const Lines cells = cells_of(line);
    if (cells.size() != 2) continue;
    const auto named = name_and_year.match(cells[0]);
    works.insert(normal(named ? named->groups[1] : cells[0]));
  }
  return works;
}

// The text of a source's comments, as one paragraph.
Lines comments_of(const Lines& source) {
  std::string text;
  for (const std::string& line : source)
    if (const std::size_t slashes = line.find("//"); slashes != line.npos) text += line.substr(slashes + 2);
  return {text};
}

TEST(Pages, EachWorkThatIsCitedStandsInTheBibliography) {
  const std::set<std::string> works = works_of(lines_of(kRoot / "docs/bibliography.md"));
  ASSERT_GT(works.size(), 60u);
  const auto expect_works = [&](const std::string& path, const Lines& text) {
    for (const std::string& work : citations_in(text))
      EXPECT_TRUE(works.contains(work)) << path << " cites " << work;
  };
  for (const std::string& page : all_pages())
    if (page != "docs/bibliography.md") expect_works(page, lines_of(kRoot / page));
  for (const std::string folder : {"src", "examples"})
    for (const std::string& path : files_under(folder, ".*\\.(h|cpp)"))
      expect_works(path, comments_of(lines_of(kRoot / path)));
}

TEST(Pages, EachWorkOfTheBibliographyIsCited) {
  std::set<std::string> cited;
  const auto add = [&](const Lines& text) {
    for (const std::string& work : citations_in(text)) cited.insert(work);
  };
  for (const std::string& page : all_pages())
    if (page != "docs/bibliography.md") add(lines_of(kRoot / page));
  for (const std::string folder : {"src", "examples"})
    for (const std::string& path : files_under(folder, ".*\\.(h|cpp)")) add(comments_of(lines_of(kRoot / path)));
  for (const std::string& work : works_of(lines_of(kRoot / "docs/bibliography.md")))
    EXPECT_TRUE(cited.contains(work) || !has_year(work)) << "nobody cites " << work;
}

TEST(Pages, EachWorkOfTheBibliographyHasALinkAndStandsOnce) {
  std::set<std::string> works;
  for (const std::string& line : lines_of(kRoot / "docs/bibliography.md")) {
    const Lines cells = cells_of(line);
    if (cells.size() != 2 || cells[0] == "cited as" || cells[0].starts_with("---")) continue;
    EXPECT_NE(cells[1].find("](https://"), std::string::npos) << cells[0] << " has no link";
    EXPECT_TRUE(works.insert(cells[0]).second) << cells[0] << " stands twice";
  }
}

TEST(PageRules, AWorkThatIsCited) {
  EXPECT_EQ(
      citations_in({"As Kingma and Ba (2015), Elman 1990, Popović 2015", "and Vinyals & Kaiser et al. 2014",
                    "show (Xiong et al., 2020; Sennrich, Haddow, Birch 2016).", "", "WMT 2014, November 2026",
                    "", "`Elman 1990` in 1990"}),
      (Lines{"Kingma and Ba 2015", "Elman 1990", "Popović 2015", "Vinyals and Kaiser et al. 2014",
             "Xiong et al. 2020", "Sennrich, Haddow, Birch 2016"}));
  EXPECT_EQ(works_of({"| a et al. 2019, GPT-2 | x |", "| Moses | y |"}),
            (std::set<std::string>{"a et al. 2019", "Moses"}));
}

}  // namespace
}  // namespace plainformer
