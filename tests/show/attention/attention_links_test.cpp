// Which head links two words: the counting, on weights small enough to count by hand.
#include "show/attention/attention_links.h"

#include <gtest/gtest.h>

#include "command_line/command_line.h"
#include "show/attention/attention_links_text.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

using Tokens = std::vector<std::string>;

// One layer. [heads, query_len, key_len]
AttentionOfKind attention(AttentionKind kind, Tokens queries, Tokens keys, const Tensor& weights) {
  AttentionOfKind result = {.kind = kind, .queries = std::move(queries), .keys = std::move(keys)};
  result.layers = {0};
  for (Index head = 0; head < weights.dim(0); ++head) result.heads.push_back(head);
  result.weights = {weights};
  return result;
}

AttentionOfKind cross(Tokens queries, Tokens keys, const Tensor& weights) {
  return attention(AttentionKind::kEncoderDecoder, std::move(queries), std::move(keys), weights);
}

LinksOfKind count(const std::string& link, const std::vector<AttentionOfKind>& pairs) {
  LinkCounter counter(WordLink::parse(link));
  for (const AttentionOfKind& pair : pairs) counter.add({pair});
  return counter.result().at(0);
}

TEST(AttentionLinks, CountsTheRowsWhoseLargestWeightIsOnTheWord) {
  const Tensor weights = Tensor::from({2, 2, 2}, {0.25, 0.75, 0.5, 0.5,  // head 0
                                                  0.75, 0.25, 0.125, 0.875});
  const auto pair = cross({"er", "kauft"}, {"he", "buys"}, weights);
  const LinksOfKind links =
      count("kauft->buys", {pair, pair, cross({"er"}, {"he"}, Tensor::filled({2, 1, 1}, 1))});
  EXPECT_EQ(links.cases, 2);
  EXPECT_EQ(links.pairs, 2);
  ASSERT_EQ(links.heads.size(), 2u);
  EXPECT_EQ(links.heads[0], (LinksOfHead{.layer = 0, .head = 1, .largest = 2, .weight_sum = 1.75}));
  // Of two equal weights the first counts as the largest, and it is on the other word.
  EXPECT_EQ(links.heads[1], (LinksOfHead{.layer = 0, .head = 0, .largest = 0, .weight_sum = 1}));
  EXPECT_EQ(links.equal_weights, 1);
  EXPECT_EQ(links.words_share, 1);
}

// "kauf@@ t" looks at "bu@@ ys": the mean of two rows, the sum of two columns.
TEST(AttentionLinks, AWordOfSeveralPiecesIsOneWord) {
  const Tensor weights = Tensor::from({1, 2, 3}, {0.5, 0.25, 0.25,  //
                                                  0.25, 0.375, 0.375});
  const LinksOfKind links = count("kauft->buys", {cross({"kauf@@", "t"}, {"he", "bu@@", "ys"}, weights)});
  EXPECT_EQ(links.cases, 1);
  EXPECT_EQ(links.heads[0].largest, 1);
  EXPECT_EQ(links.heads[0].weight_sum, 0.625);
  EXPECT_NEAR(links.equal_weights, 2.0 / 3, 1e-12);
  EXPECT_EQ(links.words_share, 0.5);
  EXPECT_EQ(count("kauf->buys", {cross({"kauf@@", "t"}, {"he", "bu@@", "ys"}, weights)}).cases, 0);
}

TEST(AttentionLinks, EachOccurrenceOfTheFirstWordIsACase) {
  const Tensor weights = Tensor::from({1, 3, 3}, {0.5, 0.25, 0.25, 0, 0, 1, 0, 1, 0});
  const LinksOfKind links = count("die->the", {cross({"die", "x", "die"}, {"the", "a", "the"}, weights)});
  EXPECT_EQ(links.cases, 2);
  EXPECT_EQ(links.pairs, 1);
  EXPECT_EQ(links.heads[0].largest, 1);
  EXPECT_EQ(links.heads[0].weight_sum, 0.75);  // both occurrences of "the"
  EXPECT_NEAR(links.words_share, 4.0 / 3, 1e-12);
}

// The decoder's input is <s> a b, its output a b </s>: the row of b sees <s> and a.
TEST(AttentionLinks, AWordThatStandsLaterIsHidden) {
  AttentionOfKind self = attention(AttentionKind::kDecoderSelf, {"a", "b", "</s>"}, {"<s>", "a", "b"},
                                   Tensor::from({1, 3, 3}, {1, 0, 0, 0.25, 0.75, 0, 0, 0.5, 0.5}));
  self.first_key_word = 1;
  const LinksOfKind back = count("b->a", {self}), ahead = count("a->b", {self});
  EXPECT_EQ(back.cases, 1);
  EXPECT_EQ(back.hidden, 0);
  EXPECT_EQ(back.heads[0].largest, 1);
  EXPECT_EQ(back.equal_weights, 0.5);
  EXPECT_EQ(back.commonest_distance(), (std::pair<Index, Index>{-1, 1}));
  EXPECT_EQ(ahead.cases, 0);
  EXPECT_EQ(ahead.hidden, 1);
  EXPECT_EQ(count("</s>-><s>", {self}).equal_weights, 1.0 / 3);
}

TEST(AttentionLinks, TheCommonestDistanceIsWhatAPositionAloneWouldGive) {
  const Tensor one = Tensor::filled({1, 3, 3}, 0.25);
  const auto at = [&](int query, int key) {
    Tokens queries(3, "x"), keys(3, "y");
    queries[static_cast<std::size_t>(query)] = "a";
    keys[static_cast<std::size_t>(key)] = "b";
    return cross(queries, keys, one);
  };
  EXPECT_EQ(count("a->b", {at(0, 2), at(1, 0), at(2, 1)}).commonest_distance(),
            (std::pair<Index, Index>{-1, 2}));
  EXPECT_EQ(count("a->b", {at(0, 2), at(1, 0)}).commonest_distance(), (std::pair<Index, Index>{-1, 1}));
}

TEST(AttentionLinks, ANumberThatIsNoneLinksNothing) {
  const Tensor weights = Tensor::filled({1, 1, 2}, std::numeric_limits<Real>::quiet_NaN());
  const LinksOfKind links = count("a->b", {cross({"a"}, {"b", "c"}, weights)});
  EXPECT_EQ(links.heads[0].largest, 0);
  EXPECT_EQ(links.heads[0].weight_sum, 0);
}

TEST(AttentionLinks, TwoWordsAndAnArrow) {
  EXPECT_EQ(WordLink::parse(" kauft -> buys ").from, "kauft");
  EXPECT_EQ(WordLink::parse("kauft->buys").to, "buys");
  for (const char* text : {"", "kauft", "kauft->", "->buys", "a b->c", "kauft-buys"}) {
    EXPECT_EQ(thrown_message<UsageError>([&] { WordLink::parse(text); }),
              "--find takes two words, such as \"kauft->buys\", not \"" + std::string(text) + "\"");
  }
}

LinksOfKind of_counts(Index cases, Index largest, Index at_distance) {
  LinksOfKind links = {.kind = AttentionKind::kEncoderSelf, .pairs = cases, .cases = cases};
  links.equal_weights = links.words_share = 0.1 * static_cast<double>(cases);
  links.distances = {{-2, at_distance}};
  links.heads = {
      {.layer = 1, .head = 3, .largest = largest, .weight_sum = 0.5 * static_cast<double>(largest)}};
  return links;
}

TEST(AttentionLinks, TheTableSaysHowManyAndWhatTheyAreWorth) {
  EXPECT_EQ(links_text({of_counts(20, 15, 8)}, false),
            "Encoder self-attention: 20 cases in 20 pairs\n"
            "layer  head  mean weight  largest  of cases\n"
            "    1     3        0.375       15      75 %\n"
            "Equal weights: 0.100 on the word; a word at random: 10 % of the cases.\n"
            "A head that always looks at the word 2 places before: 8 of 20 cases (40 %).\n"
            "The best is layer 1, head 3: 75 % of the cases.\n");
}

TEST(AttentionLinks, AndSaysSoWhereNoHeadDoes) {
  const auto last_line = [](const std::string& text) {
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
  };
  EXPECT_EQ(last_line(links_text({of_counts(20, 8, 8)}, false)),
            "No head in this table links the words more often than that.\n");
  EXPECT_EQ(
      last_line(links_text({of_counts(20, 10, 8)}, false)),
      "No head in this table links the words in more than half of the cases; the best is layer 1, head 3.\n");
  EXPECT_EQ(links_text({of_counts(0, 0, 0)}, false), "");
}

}  // namespace
}  // namespace plainformer
