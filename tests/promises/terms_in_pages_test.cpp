// The chapters can be read in order: none is longer than 3,500 words, and none uses a term before one teaches it. The
// glossary names the first chapter of each term, and there the term stands in italics, in bold or in a heading.
//
// A link is no use: who does not know "[beam search](...)" finds it one click away. Nor is code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "promises/page_prose.h"

namespace plainformer {
namespace {

struct Term {
  std::string name;   // "batch"
  std::string first;  // the page that the glossary links first, "0-what-you-need.md"
};

// Words that are terms, too, where they mean something else: "memory" of a computer, a "singular value", a
// task named "recall".
struct OrdinaryUse {
  std::string page, term;
};
const std::vector<OrdinaryUse> kOrdinaryUses = {
    {"0-what-you-need.md", "memory"}, {"0-what-you-need.md", "source"},      {"0-what-you-need.md", "value"},
    {"1-introduction.md", "memory"},  {"4-why-self-attention.md", "recall"}, {"6.1-results.md", "precision"}};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

// Where a text in small letters has the word, or its plural, as a word of its own; npos if nowhere.
std::size_t find_word(const std::string& text, const std::string& word) {
  const std::string one = lower(word), ies = one.substr(0, one.size() - 1) + "ies";
  for (const std::string& form : {one, one + "s", one + "es", one.ends_with("y") ? ies : one}) {
    for (std::size_t at = text.find(form); at != text.npos; at = text.find(form, at + 1)) {
      const std::size_t end = at + form.size();
      if ((at == 0 || !is_part_of_word(text[at - 1])) && (end == text.size() || !is_part_of_word(text[end])))
        return at;
    }
  }
  return std::string::npos;
}

// The chapters in the order in which a reader reads them: the table of docs/README.md up to the conclusion.
Lines spine_of(const Lines& readme) {
  Lines spine;
  for (const std::string& line : readme) {
    const Lines cells = cells_of(line);
    if (cells.size() < 3 || !cells[1].starts_with("[")) continue;
    spine.push_back(links_in(cells[1])[0]);
    if (spine.back().starts_with("7-")) break;
  }
  return spine;
}

// The rows "| term, other name | meaning | [chapter](page), [another](page) |".
std::vector<Term> terms_of(const Lines& glossary) {
  std::vector<Term> terms;
  for (const std::string& line : glossary) {
    const Lines cells = cells_of(line);
    if (cells.size() != 3 || links_in(cells[2]).empty()) continue;
    std::string names = cells[0] + ", ";
    for (std::size_t comma = names.find(", "); comma != names.npos; comma = names.find(", ")) {
      terms.push_back({names.substr(0, comma), links_in(cells[2])[0]});
      names.erase(0, comma + 2);
    }
  }
  return terms;
}

// The paragraphs of a page in small letters, without links and emphasis.
Lines plain_prose_of(const Lines& page) {
  Lines prose;
  for (const std::string& paragraph : prose_of(page)) {
    std::string text = lower(without_links(paragraph, false));
    text.erase(std::remove(text.begin(), text.end(), '*'), text.end());
    prose.push_back(text);
  }
  return prose;
}

// The first place that uses the term, with the words around it; "" if none does.
std::string use_of(const std::string& term, const Lines& plain_prose) {
  for (const std::string& text : plain_prose) {
    const std::size_t at = find_word(text, term);
    if (at != text.npos) return text.substr(at - std::min<std::size_t>(at, 40), 40 + term.size() + 40);
  }
  return "";
}

bool is_emphasized_in(const std::string& text, const std::string& term) {
  bool is_emphasized = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t star = std::min(text.find('*', at), text.size());
    if (is_emphasized && find_word(text.substr(at, star - at), term) != text.npos) return true;
    is_emphasized = !is_emphasized;
    at = std::min(text.find_first_not_of('*', star), text.size());
  }
  return false;
}

// The number of the page's first paragraph that shows the term in italics, in bold or in a heading; npos if none does.
std::size_t lesson_of(const std::string& term, const Lines& page) {
  const Lines prose = prose_of(page);
  for (std::size_t i = 0; i < prose.size(); ++i) {
    const std::string text = lower(without_links(prose[i], true));
    if (text.starts_with("#") ? find_word(text, term) != text.npos : is_emphasized_in(text, term)) return i;
  }
  return std::string::npos;
}

bool teaches(const Lines& page, const std::string& term) {
  return lesson_of(term, page) != std::string::npos;
}

std::size_t place_in(const Lines& spine, const std::string& page) {
  return static_cast<std::size_t>(std::find(spine.begin(), spine.end(), page) - spine.begin());
}

// The words of a page, code and tables included, without the comments that no reader sees.
std::size_t words_in(const Lines& page) {
  std::size_t words = 0;
  for (const std::string& line : page) {
    std::istringstream text(without_between(line, "<!--", "-->"));
    for (std::string word; text >> word;) ++words;
  }
  return words;
}

TEST(Pages, AChapterHasAtMost3500Words) {
  for (const std::string& chapter : spine_of(lines_of(kRoot / "docs/README.md")))
    EXPECT_LE(words_in(lines_of(kRoot / "docs" / chapter)), 3500u) << chapter;
}

TEST(Pages, UseNoTermBeforeTheChapterThatTeachesIt) {
  const Lines spine = spine_of(lines_of(kRoot / "docs/README.md"));
  ASSERT_GT(spine.size(), 24u);
  std::vector<Lines> prose;
  for (const std::string& chapter : spine)
    prose.push_back(plain_prose_of(lines_of(kRoot / "docs" / chapter)));
  std::vector<OrdinaryUse> unused = kOrdinaryUses;
  for (const Term& term : terms_of(lines_of(kRoot / "docs/glossary.md"))) {
    for (std::size_t i = 0; i < place_in(spine, term.first); ++i) {
      const std::string use = use_of(term.name, prose[i]);
      if (use.empty()) continue;
      const auto ordinary = std::find_if(unused.begin(), unused.end(), [&](const OrdinaryUse& other) {
        return other.page == spine[i] && other.term == term.name;
      });
      if (ordinary == unused.end())
        ADD_FAILURE() << spine[i] << " uses \"" << term.name << "\", taught in " << term.first << ": " << use;
      else
        unused.erase(ordinary);
    }
  }
  for (const OrdinaryUse& use : unused)
    ADD_FAILURE() << use.page << " no longer uses \"" << use.term << "\" before its chapter";
}

TEST(Pages, TheFirstChapterOfATermTeachesItBeforeItUsesIt) {
  for (const Term& term : terms_of(lines_of(kRoot / "docs/glossary.md"))) {
    const Lines page = lines_of(kRoot / "docs" / term.first);
    Lines before = plain_prose_of(page);
    before.resize(std::min(before.size(), lesson_of(term.name, page)));
    EXPECT_EQ(use_of(term.name, before), "")
        << term.first << " uses \"" << term.name << "\" before it is taught";
    EXPECT_TRUE(teaches(page, term.name))
        << term.first << " has \"" << term.name << "\" neither in italics nor in bold nor in a heading";
  }
}

TEST(PageRules, ATermBeforeItsChapter) {
  const auto use = [](const std::string& term, const Lines& page) {
    return use_of(term, plain_prose_of(page));
  };
  EXPECT_NE(use("head", {"text", "", "one", "Head two"}), "");
  EXPECT_NE(use("query", {"all *queries*"}), "") << "the plural";
  EXPECT_NE(use("BLEU", {"a bleu", "of"}), "");
  EXPECT_NE(use("beam search", {"a beam", "search"}), "") << "over a line break";
  EXPECT_NE(use("batch", {"| a | batches |"}), "");
  EXPECT_EQ(use("head", {"ahead, head-on, header, `head`, $`head`$, [the", "head](x.md)", "<!-- head -->"}),
            "");
  EXPECT_EQ(use("head", {"```", "head", "```"}), "");
  EXPECT_TRUE(teaches({"a *multi-head* and a *wide", "head*"}, "head"));
  EXPECT_TRUE(teaches({"**Why heads?** Why"}, "head"));
  EXPECT_TRUE(teaches({"## A [head](x.md)"}, "head"));
  EXPECT_FALSE(teaches({"*a* head *b*", "", "head `*head*`"}, "head"));
  EXPECT_EQ(lesson_of("head", {"a head", "", "```", "*head*", "```", "one *head*"}), 1u);
}

TEST(PageRules, TheSpineItsTermsAndItsWords) {
  EXPECT_EQ(words_in({"# One two", "", "<!-- three -->", "```", "four;  five", "```"}), 7u);
  EXPECT_EQ(spine_of({"| | chapter | in one line |", "|---|---|---|", "| 0 | [A](a.md) | x |",
                      "| | [B](b.md) | x |", "| 7 | [C](7-c.md) | x |", "| | [D](d.md) | x |"}),
            (Lines{"a.md", "b.md", "7-c.md"}));
  const std::vector<Term> terms = terms_of(
      {"| term | meaning | chapter |", "|---|---|---|", "| source, target | x. | [0](0.md), [1](1.md) |"});
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_EQ(terms[1].name, "target");
  EXPECT_EQ(terms[1].first, "0.md");
}

}  // namespace
}  // namespace plainformer
