#include "data/vocabulary.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "core/special_symbols.h"
#include "data/byte_pair_encoding.h"
#include "data/fixtures.h"
#include "io/temporary_folder.h"

namespace plainformer {
namespace {

using Tokens = std::vector<std::string>;
using Ids = std::vector<int>;

constexpr const char* kSpecials = "<pad>\n<s>\n</s>\n<unk>\n";

TEST(Vocabulary, BeginsWithTheSpecialSymbols) {
  const Vocabulary vocabulary;
  EXPECT_EQ(vocabulary.to_text(), kSpecials);
  EXPECT_EQ(vocabulary.size(), kSpecialSymbols);
  EXPECT_EQ(vocabulary.id("<pad>"), kPadId);
  EXPECT_EQ(vocabulary.id("<s>"), kStartId);
  EXPECT_EQ(vocabulary.id("</s>"), kEndId);
  EXPECT_EQ(vocabulary.id("<unk>"), kUnknownId);
}

TEST(Vocabulary, MostFrequentFirstThenByBytes) {
  const Vocabulary::TokenCounts counts = {{"b", 2}, {"\xC3\xA4", 2}, {"a@@", 2}, {"the", 9}, {"rare", 1}};
  EXPECT_EQ(Vocabulary::from_counts(counts).to_text(),
            std::string(kSpecials) + "the\na@@\nb\n\xC3\xA4\nrare\n");
}

TEST(Vocabulary, EncodesAndDecodesTextWhichNeverMeansASpecialSymbol) {
  const Vocabulary vocabulary = Vocabulary::from_counts({{"<s>", 100}, {"</s>", 100}, {"x", 3}, {"y@@", 2}});
  EXPECT_EQ(vocabulary.to_text(), std::string(kSpecials) + "\\</s>\n\\<s>\nx\ny@@\n");
  EXPECT_EQ(vocabulary.encode({"<s>", "y@@", "x", "never", "</s>", "<pad>"}), (Ids{5, 7, 6, 3, 4, 3}));
  EXPECT_EQ(vocabulary.decode({5, 7, 6, 3, 4, 0}), (Tokens{"<s>", "y@@", "x", "<unk>", "</s>", "<pad>"}));
  EXPECT_EQ(vocabulary.token(5), "\\<s>");
  EXPECT_THROW(vocabulary.token(8), std::logic_error);
  EXPECT_THROW(vocabulary.token(-1), std::logic_error);
}

TEST(Vocabulary, AnEscapedSymbolIsTextAsWell) {
  const Tokens tokens = {"<s>", "\\<s>", "\\\\<unk>", "\\", "\\x", "<s"};
  Vocabulary::TokenCounts counts;
  for (const std::string& token : tokens) counts[token] = 1;
  const Vocabulary vocabulary = Vocabulary::from_counts(counts);
  EXPECT_EQ(vocabulary.size(), kSpecialSymbols + 6);
  EXPECT_EQ(Vocabulary::parse(vocabulary.to_text(), "v").decode(vocabulary.encode(tokens)), tokens);
}

TEST(VocabularyFile, SurvivesARoundTrip) {
  const TemporaryFolder folder;
  const std::string text = std::string(kSpecials) + "b\na\n\xE6\xBC\xA2@@\n\xC2\xA0\nx\ty\n";
  const Vocabulary loaded = Vocabulary::load(folder.write("vocabulary.txt", text));
  EXPECT_EQ(loaded.to_text(), text);
  EXPECT_EQ(loaded.id("a"), 5);
  EXPECT_EQ(loaded.token(4), "b");
}

TEST(VocabularyFile, TheErrorNamesTheLine) {
  const auto error = [](const std::string& text) {
    const std::string message = error_of([&] { Vocabulary::parse(text, "v.txt"); });
    EXPECT_TRUE(contains(message, " (hint: ")) << message;
    return message.substr(0, message.find(" (hint: "));
  };
  EXPECT_EQ(error("<pad>\n<s>\n</s>\n"), "v.txt: ends after 3 of the 4 special symbols");
  EXPECT_EQ(error("<pad>\n</s>\n<s>\n<unk>\n"), "v.txt:2: expected the special symbol <s>");
  EXPECT_EQ(error(std::string(kSpecials) + "a\n\nb\n"), "v.txt:6: an empty line");
  EXPECT_EQ(error(std::string(kSpecials) + "a 17\n"), "v.txt:5: white space in a token");
  EXPECT_EQ(error(std::string(kSpecials) + "<s>\n"), "v.txt:5: repeats the token of an earlier line");
}

TEST(VocabularyFile, SizeIsLimited) {
  std::string text = kSpecials;
  for (Index i = kSpecialSymbols; i < Vocabulary::kMaxTokens; ++i) text += std::to_string(i) + "\n";
  EXPECT_EQ(Vocabulary::parse(text, "v").size(), Vocabulary::kMaxTokens);
  EXPECT_TRUE(
      contains(error_of([&] { Vocabulary::parse(text + "more\n", "v"); }), "v:200001: more than 200000"));
}

// ---- cut_unknown_pieces: pieces that the vocabulary lacks, cut into the fewest that it has

Vocabulary vocabulary_of(const Tokens& pieces) {
  std::string text = kSpecials;
  for (const std::string& piece : pieces) text += piece + "\n";
  return Vocabulary::parse(text, "vocabulary");
}

TEST(UnknownPieces, AreCutIntoTheFewestThatAreKnown) {
  struct Example {
    Tokens known, pieces, cut;
  };
  const Tokens sleep = {"s@@", "l@@", "e@@", "p@@", "p", "sl@@", "slee@@", "lee@@", "leep", "ing"},
               few = {"a@@", "b@@", "bc@@", "d", "猫"};
  const Example examples[] = {
      {sleep, {"sleep@@", "ing"}, {"slee@@", "p@@", "ing"}},
      {sleep, {"sleep"}, {"s@@", "leep"}},  // not slee@@ p: the last is longer
      {sleep, {"ing", "leep"}, {"ing", "leep"}},
      {sleep, {}, {}},
      // The longest piece at the beginning would be "abc@@", after which "d@@", "e@@" and "f" are left.
      {{"abc@@", "d@@", "e@@", "f", "ab@@", "cdef"}, {"abcdef"}, {"ab@@", "cdef"}},
      // The fewest characters stay unknown; "d" ends words alone.
      {few, {"axbcd"}, {"a@@", "x@@", "bc@@", "d"}},
      {few, {"ad@@", "d"}, {"a@@", "d@@", "d"}},
      {few, {"犬", "猫@@"}, {"犬", "猫@@"}},
      {{"\\<s>", "<@@", "s@@", ">"}, {"<s>"}, {"<s>"}},  // text, not the symbol
      {{"<@@", "s@@", ">"}, {"<s>"}, {"<@@", "s@@", ">"}}};
  for (const auto& [known, pieces, cut] : examples)
    EXPECT_EQ(cut_unknown_pieces(pieces, vocabulary_of(known)), cut) << testing::PrintToString(pieces);
}

// Each way to cut a text of n letters is a number below 2^(n-1), with a bit for each place.
TEST(UnknownPieces, AreCutAsWellAsByAnyOtherWay) {
  Random random(random_stream(1, 2, 3));
  const auto letters = [&](int most) {
    std::string text;
    for (Index n = 1 + random.below(most); n > 0; --n) text += random.below(2) == 0 ? 'a' : 'b';
    return text;
  };
  for (int i = 0; i < 200; ++i) {
    Vocabulary::TokenCounts tokens;
    for (int k = 0; k < 6; ++k) tokens[letters(4) + (random.below(3) > 0 ? "@@" : "")] = 1;
    const Vocabulary vocabulary = Vocabulary::from_counts(tokens);
    const auto cost = [&](const Tokens& pieces) {
      std::size_t unknown = 0;
      for (const std::string& piece : pieces) {
        if (vocabulary.id(piece) != kUnknownId) continue;
        ++unknown;
        if (BytePairEncoding::join({piece}).size() > 1)
          unknown += 1000;  // only single characters may be left
      }
      return std::pair{unknown, pieces.size()};
    };
    const std::string text = letters(9);
    const std::string piece = text + (random.below(2) == 0 ? "@@" : "");
    if (vocabulary.id(piece) != kUnknownId) continue;
    const Tokens cut = cut_unknown_pieces({piece}, vocabulary);
    EXPECT_EQ(BytePairEncoding::join(cut), text);
    for (unsigned way = 0; way < 1u << (text.size() - 1); ++way) {
      Tokens other(1);
      for (std::size_t at = 0; at < text.size(); ++at) {
        other.back() += text[at];
        if (at + 1 == text.size() || !(way >> at & 1)) continue;
        other.back() += "@@";
        other.emplace_back();
      }
      if (piece != text) other.back() += "@@";
      EXPECT_LE(cost(cut), cost(other)) << piece << " in " << vocabulary.to_text();
    }
  }
}

TEST(UnknownPieces, OfALongWordTakeNotLong) {
  const std::string text(100'000, 'a');
  EXPECT_EQ(cut_unknown_pieces({text}, vocabulary_of({"aaaaa@@", "aaaaa"})).size(), text.size() / 5);
}

}  // namespace
}  // namespace plainformer
