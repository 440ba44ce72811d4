// Pieces that the vocabulary lacks, cut into the fewest that it has.
#include "data/unknown_pieces.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "core/special_symbols.h"
#include "data/byte_pair_encoding.h"

namespace plainformer {
namespace {

using Pieces = std::vector<std::string>;

Vocabulary vocabulary_of(const Pieces& pieces) {
  std::string text = "<pad>\n<s>\n</s>\n<unk>\n";
  for (const std::string& piece : pieces) text += piece + "\n";
  return Vocabulary::parse(text, "vocabulary");
}

TEST(UnknownPieces, AreCutIntoTheFewestThatAreKnown) {
  const Vocabulary vocabulary =
      vocabulary_of({"s@@", "l@@", "e@@", "p@@", "p", "sl@@", "slee@@", "lee@@", "leep", "ing"});
  EXPECT_EQ(cut_unknown_pieces({"sleep@@", "ing"}, vocabulary), (Pieces{"slee@@", "p@@", "ing"}));
  EXPECT_EQ(cut_unknown_pieces({"sleep"}, vocabulary),
            (Pieces{"s@@", "leep"}));  // not slee@@ p: the last is longer
  EXPECT_EQ(cut_unknown_pieces({"ing", "leep"}, vocabulary), (Pieces{"ing", "leep"}));
  EXPECT_EQ(cut_unknown_pieces({}, vocabulary), Pieces{});
}

// The longest piece at the beginning would be "abc@@", after which "d@@", "e@@" and "f" are left.
TEST(UnknownPieces, AreNotCutByTheLongestMatch) {
  EXPECT_EQ(cut_unknown_pieces({"abcdef"}, vocabulary_of({"abc@@", "d@@", "e@@", "f", "ab@@", "cdef"})),
            (Pieces{"ab@@", "cdef"}));
}

TEST(UnknownPieces, LeaveTheFewestCharactersUnknown) {
  const Vocabulary vocabulary = vocabulary_of({"a@@", "b@@", "bc@@", "d", "猫"});
  EXPECT_EQ(cut_unknown_pieces({"axbcd"}, vocabulary), (Pieces{"a@@", "x@@", "bc@@", "d"}));
  EXPECT_EQ(cut_unknown_pieces({"ad@@", "d"}, vocabulary),
            (Pieces{"a@@", "d@@", "d"}));  // "d" ends words alone
  EXPECT_EQ(cut_unknown_pieces({"犬", "猫@@"}, vocabulary), (Pieces{"犬", "猫@@"}));
}

TEST(UnknownPieces, ThatSpellASpecialSymbolAreText) {
  EXPECT_EQ(cut_unknown_pieces({"<s>"}, vocabulary_of({"\\<s>", "<@@", "s@@", ">"})), Pieces{"<s>"});
  EXPECT_EQ(cut_unknown_pieces({"<s>"}, vocabulary_of({"<@@", "s@@", ">"})), (Pieces{"<@@", "s@@", ">"}));
}

// All ways to cut a text of n letters are the numbers below 2^(n-1): a bit a place.
TEST(UnknownPieces, AreCutAsWellAsByAnyOtherWay) {
  Random random(random_stream(1, 2, 3));
  const auto letters = [&](int most) {
    std::string text;
    for (int n = 1 + static_cast<int>(random.uniform() * most); n > 0; --n)
      text += random.uniform() < 0.5 ? 'a' : 'b';
    return text;
  };
  for (int i = 0; i < 200; ++i) {
    std::string tokens = "<pad>\n<s>\n</s>\n<unk>\n";
    for (int k = 0; k < 6; ++k) {
      const std::string token = letters(4) + (random.uniform() < 0.7 ? "@@" : "");
      if (tokens.find("\n" + token + "\n") == std::string::npos) tokens += token + "\n";
    }
    const Vocabulary vocabulary = Vocabulary::parse(tokens, "vocabulary");
    const auto cost = [&](const Pieces& pieces) {
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
    const std::string piece = text + (random.uniform() < 0.5 ? "@@" : "");
    if (vocabulary.id(piece) != kUnknownId) continue;
    const Pieces cut = cut_unknown_pieces({piece}, vocabulary);
    EXPECT_EQ(BytePairEncoding::join(cut), text);
    for (unsigned way = 0; way < 1u << (text.size() - 1); ++way) {
      Pieces other(1);
      for (std::size_t at = 0; at < text.size(); ++at) {
        other.back() += text[at];
        if (at + 1 == text.size() || !(way >> at & 1)) continue;
        other.back() += "@@";
        other.emplace_back();
      }
      if (piece != text) other.back() += "@@";
      EXPECT_LE(cost(cut), cost(other)) << piece << " in " << tokens;
    }
  }
}

TEST(UnknownPieces, OfALongWordTakeNotLong) {
  const std::string text(100'000, 'a');
  EXPECT_EQ(cut_unknown_pieces({text}, vocabulary_of({"aaaaa@@", "aaaaa"})).size(), text.size() / 5);
}

}  // namespace
}  // namespace plainformer
