// What the chapters on the model say of the small model's numbers is what the program prints. The fences are tested
// elsewhere; these are the numbers in the sentences, in the tables and in the drawings beside them.
//
// A decimal of three or more places stands in an output of its page, in one of a page that its paragraph links, or in
// the list of those that a paragraph calculates.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "promises/marked_block.h"
#include "promises/repository.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

using Numbers = std::set<std::string>;

// By chapter: what a paragraph calculates from the outputs, and losses of trainings.
const std::map<std::string, Numbers> kCalculated = {
    {"3-model-architecture.md",
     {"0.107", "0.126", "0.119", "0.116", "0.144", "0.120"}},  // -ln p of each token
    {"3.1-encoder-and-decoder-stacks.md",
     {"2.828", "0.184", "0.443", "0.398", "0.360", "1.668", "9.054", "0.248", "0.272", "0.172", "0.319"}},
    {"3.2.2-multi-head-attention.md", {"0.062"}},
    {"3.2.3-applications-of-attention.md", {"0.565", "0.498", "0.956", "1.255"}},
    {"3.3-position-wise-feed-forward-networks.md", {}},
    {"3.4-embeddings-and-softmax.md", {"4.555"}}};

Numbers decimals_in(const std::string& text, const std::string& places) {
  static std::map<std::string, Pattern> patterns;
  const Pattern& pattern = patterns.try_emplace(places, "(\\d+\\.\\d" + places + ")").first->second;
  const Lines found = all_matches(text, pattern);
  return {found.begin(), found.end()};
}

// The decimals of the outputs that a page shows.
Numbers shown_on(const Lines& page) {
  Numbers shown;
  for (const std::string kind : {"output", "slow output", "printed by"}) {
    for (const MarkedBlock& block : marked_blocks(page, kind))
      for (const std::string& line : content_of(page, block)) shown.merge(decimals_in(line, "+"));
  }
  return shown;
}

// The page's paragraphs, tables and drawings, without the blocks whose content comes from elsewhere.
Lines own_paragraphs_of(Lines page) {
  for (const std::string kind : {"output", "slow output", "printed by", "code", "file"}) {
    for (const MarkedBlock& block : marked_blocks(page, kind)) {
      page[block.line - 1].clear();
      for (std::size_t i = block.begin; i < block.end; ++i) page[i].clear();
    }
  }
  Lines paragraphs = {""};
  for (const std::string& line : page) {
    if (line.empty())
      paragraphs.emplace_back();
    else
      paragraphs.back() += line + ' ';
  }
  return paragraphs;
}

// The decimals of a page that no output shows, in the order of its paragraphs.
Lines unfounded_decimals(const Lines& page, const Numbers& calculated, const fs::path& folder) {
  const Numbers shown = shown_on(page);
  Lines unfounded;
  for (const std::string& paragraph : own_paragraphs_of(page)) {
    Numbers linked;
    for (const std::string& link : links_in(without_math(paragraph))) {
      const fs::path target = folder / link.substr(0, link.find('#'));
      if (target.extension() == ".md" && fs::exists(target)) linked.merge(shown_on(lines_of(target)));
    }
    for (const std::string& number : decimals_in(paragraph, "{3,}"))
      if (shown.count(number) + linked.count(number) + calculated.count(number) == 0)
        unfounded.push_back(number);
  }
  return unfounded;
}

TEST(Pages, DecimalsInSentencesAreThoseOfTheOutputsBesideThem) {
  for (const auto& [chapter, calculated] : kCalculated) {
    for (const std::string& number :
         unfounded_decimals(lines_of(kRoot / "docs" / chapter), calculated, kRoot / "docs"))
      ADD_FAILURE() << chapter << " says " << number << ", which no output of it or of a linked page shows";
  }
}

TEST(PageRules, ADecimalThatNoOutputShows) {
  const Lines page = {"A 1.250 and 2.500 and 3.75.",
                      "",
                      "<!-- output: a -->",
                      "```",
                      "x 1.250",
                      "```",
                      "",
                      "```",
                      "7.5000",
                      "```"};
  EXPECT_EQ(unfounded_decimals(page, {}, ""), (Lines{"2.500", "7.5000"}));
  EXPECT_EQ(unfounded_decimals(page, {"2.500", "7.5000"}, ""), Lines{});
}

}  // namespace
}  // namespace plainformer
