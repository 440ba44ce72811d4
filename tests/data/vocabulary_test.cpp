#include "data/vocabulary.h"

#include <gtest/gtest.h>

#include "core/special_symbols.h"
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

TEST(Vocabulary, EncodesAndDecodes) {
  const Vocabulary vocabulary = Vocabulary::from_counts({{"x", 3}, {"y@@", 2}});
  EXPECT_EQ(vocabulary.encode({"y@@", "x", "never", "x"}), (Ids{5, 4, 3, 4}));
  EXPECT_EQ(vocabulary.decode({5, 4, 3, 0}), (Tokens{"y@@", "x", "<unk>", "<pad>"}));
}

TEST(Vocabulary, TextNeverMeansASpecialSymbol) {
  const Vocabulary vocabulary = Vocabulary::from_counts({{"<s>", 100}, {"</s>", 100}, {"x", 1}});
  EXPECT_EQ(vocabulary.to_text(), std::string(kSpecials) + "\\</s>\n\\<s>\nx\n");
  EXPECT_EQ(vocabulary.encode({"<s>", "x", "</s>", "<pad>", "<unk>"}), (Ids{5, 6, 4, 3, 3}));
  EXPECT_EQ(vocabulary.decode({5, 6, 4}), (Tokens{"<s>", "x", "</s>"}));
  EXPECT_EQ(vocabulary.token(5), "\\<s>");
}

TEST(Vocabulary, AnEscapedSymbolIsTextAsWell) {
  const Tokens tokens = {"<s>", "\\<s>", "\\\\<unk>", "\\", "\\x", "<s"};
  Vocabulary::TokenCounts counts;
  for (const std::string& token : tokens) counts[token] = 1;
  const Vocabulary vocabulary = Vocabulary::from_counts(counts);
  EXPECT_EQ(vocabulary.size(), kSpecialSymbols + 6);
  EXPECT_EQ(Vocabulary::parse(vocabulary.to_text(), "v").decode(vocabulary.encode(tokens)), tokens);
}

TEST(Vocabulary, AnIdOutsideIsAProgrammersError) {
  EXPECT_THROW(Vocabulary().token(4), std::logic_error);
  EXPECT_THROW(Vocabulary().token(-1), std::logic_error);
}

TEST(VocabularyFile, SurvivesARoundTrip) {
  const TemporaryFolder folder;
  const std::string text = std::string(kSpecials) + "b\na\n\xE6\xBC\xA2@@\n\xC2\xA0\nx\ty\n";
  const Vocabulary vocabulary = Vocabulary::load(folder.write("vocabulary.txt", text));
  EXPECT_EQ(vocabulary.to_text(), text);
  EXPECT_EQ(vocabulary.id("a"), 5);
  EXPECT_EQ(vocabulary.token(4), "b");
}

TEST(VocabularyFile, ByteOrderMarkAndWindowsLineEndsAreFine) {
  const Vocabulary vocabulary = Vocabulary::parse("\xEF\xBB\xBF<pad>\r\n<s>\r\n</s>\r\n<unk>\r\na", "v");
  EXPECT_EQ(vocabulary.to_text(), std::string(kSpecials) + "a\n");
}

TEST(VocabularyFile, TheErrorNamesTheLine) {
  const auto error = [](const std::string& text) {
    const std::string message = error_message([&] { Vocabulary::parse(text, "v.txt"); });
    EXPECT_NE(message.find(" (hint: "), std::string::npos) << message;
    return message.substr(0, message.find(" (hint: "));
  };
  EXPECT_EQ(error(""), "v.txt: ends after 0 of the 4 special symbols");
  EXPECT_EQ(error("<pad>\n<s>\n</s>\n"), "v.txt: ends after 3 of the 4 special symbols");
  EXPECT_EQ(error("the\n"), "v.txt:1: expected the special symbol <pad>");
  EXPECT_EQ(error("<pad>\n</s>\n<s>\n<unk>\n"), "v.txt:2: expected the special symbol <s>");
  EXPECT_EQ(error(std::string(kSpecials) + "a\n\nb\n"), "v.txt:6: an empty line");
  EXPECT_EQ(error(std::string(kSpecials) + "a 17\n"), "v.txt:5: white space in a token");
  EXPECT_EQ(error(std::string(kSpecials) + "a\nb\na\n"), "v.txt:7: repeats the token of an earlier line");
  EXPECT_EQ(error(std::string(kSpecials) + "<s>\n"), "v.txt:5: repeats the token of an earlier line");
  EXPECT_EQ(error(std::string(kSpecials) + "\xFF\n"), "v.txt:5: not valid UTF-8");
}

TEST(VocabularyFile, SizeIsLimited) {
  std::string text = kSpecials;
  for (Index i = kSpecialSymbols; i < Vocabulary::kMaxTokens; ++i) text += std::to_string(i) + "\n";
  EXPECT_EQ(Vocabulary::parse(text, "v").size(), Vocabulary::kMaxTokens);
  EXPECT_NE(
      error_message([&] { Vocabulary::parse(text + "more\n", "v"); }).find("v:200001: more than 200000"),
      std::string::npos);
}

}  // namespace
}  // namespace plainformer
