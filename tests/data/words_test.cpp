#include "data/words.h"

#include <gtest/gtest.h>

#include <chrono>
#include <sstream>

#include "core/random.h"
#include "core/strings.h"
#include "data/byte_pair_encoding.h"
#include "data/fixtures.h"
#include "data/text.h"

namespace plainformer {
namespace {

constexpr WordRule kSpaces = {}, kMarks = {.marks = true};

// The line with one space for each run of blanks, and none at its ends.
std::string without_runs_of_blanks(const std::string& line) {
  std::istringstream stream(line);
  std::string text;
  for (std::string word; stream >> word;) text += (text.empty() ? "" : " ") + word;
  return text;
}

void expect_undone(const WordRule& rule, const std::string& line) {
  const std::string cut = rule.cut(line);
  ASSERT_EQ(rule.join(cut), without_runs_of_blanks(line)) << testing::PrintToString(line) << "\n" << cut;
  for (const std::string& token : split_at(' ', cut)) {
    if (cut.empty()) continue;
    ASSERT_FALSE(token.empty() || is_blank(token) || token.ends_with("@@") || token == "<s>") << cut;
  }
}

struct Example {
  const char *line, *words;
};

void expect_cut(const WordRule& rule, const std::vector<Example>& examples) {
  for (const auto& [line, words] : examples) {
    EXPECT_EQ(rule.cut(line), words);
    EXPECT_EQ(rule.join(words), line);
  }
}

TEST(Words, AMarkSaysOnWhichSideItWasAttached) {
  expect_cut(kMarks, {{"", ""},
                      {"Ein Mann schläft.", "Ein Mann schläft ￭."},
                      {"Ein Mann schläft .", "Ein Mann schläft ."},
                      {"(so ((it)) is)", "(￭ so (￭ (￭ it ￭) ￭) is ￭)"},
                      {"\"Hi,\" he said.", "\"￭ Hi ￭, ￭\" he said ￭."},
                      {"¿Qué? a/b and a(b", "¿￭ Qué ￭? a ￭/￭ b and a ￭(￭ b"},
                      {"No... -- 'n' 5%", "No ￭. ￭. ￭. - ￭- '￭ n ￭' 5 ￭%"}});
}

TEST(Words, KeepWhatStandsBetweenLettersOrDigits) {
  expect_cut(kMarks, {{"don't l’eau T-Shirt 2nd", "don't l’eau T-Shirt 2nd"},
                      {"3.5, 1,000 and 10:30.", "3.5 ￭, 1,000 and 10:30 ￭."},
                      {"a.b 1.b", "a ￭.￭ b 1 ￭.￭ b"}});
}

TEST(Words, KeepAddresses) {
  expect_cut(kMarks, {{"(https://a.org/b?c=d&e).", "(￭ https://a.org/b?c=d&e ￭) ￭."},
                      {"www.a.org, a.b-c@d-e.co.uk!", "www.a.org ￭, a.b-c@d-e.co.uk ￭!"},
                      {"user@host https://", "user ￭@￭ host https ￭: ￭/ ￭/"},
                      {"看http://a.cn/b吧", "看 ￭ http://a.cn/b ￭ 吧"}});
}

TEST(Words, OfWritingWithoutSpacesAreItsCharacters) {
  expect_cut(kMarks, {{"我有3个苹果，用 Python。", "我 有 ￭ 3 ￭ 个 苹 果 ， 用 Python ￭ 。"},
                      {"你 好　世", "你 %20 好 %3000 世"},
                      {"รักคุณ", "รั ก คุ ณ"},
                      {"한국어 문장.", "한국어 문장 ￭."}});
}

TEST(Words, AreWrittenByNumberWhereNobodySeesThem) {
  expect_cut(kMarks, {{"10\u00A0000", "10 ￭%A0￭ 000"},
                      {"a ￭ b￭", "a %FFED b ￭%FFED"},
                      {"a\u200Bb", "a ￭%200B￭ b"},
                      {"100%20 %A0", "100 ￭%￭ 20 %￭ A0"},
                      {"👩\u200D👧!", "👩\u200D ￭👧 ￭!"}});
}

TEST(Words, AreNoSymbolOfTheModelAndNoPiece) {
  expect_cut(kMarks, {{"<s> @@ lo@@ x", "<￭ s ￭> @ ￭@ lo ￭@ ￭@ x"}});
  BytePairEncoding encoding = BytePairEncoding::parse("#version: 0.2\n￭ @</w>\n", "codes");
  EXPECT_EQ(BytePairEncoding::join(encoding.apply(kMarks.cut("lo@@ @@"))), kMarks.cut("lo@@ @@"));
}

TEST(Words, KeepAnAccentThatIsACharacterOfItsOwn) {
  expect_cut(kMarks, {{"scho\u0308n.", "scho\u0308n ￭."}});
  EXPECT_EQ(kSpaces.cut(" scho\u0308n.  \t"), " scho\u0308n.  \t");
  EXPECT_EQ(kSpaces.join(" a ￭."), " a ￭.");
}

TEST(Words, AreJoinedWithoutTheSignThatAModelWritesAnywhere) {
  EXPECT_EQ(kMarks.join("Ventil￭, a￭b ￭￭. %FFED"), "Ventil, ab. ￭");
}

TEST(Words, AreUndoneForEveryCharacter) {
  for (char32_t c = 1; c <= 0x10FFFF; c += c < 0x530 ? 1 : c < 0x3100 ? 7 : 61) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, c);
    expect_undone(kMarks, text);
    expect_undone(kMarks, "a" + text + "b 好" + text + " 好" + text + text + ".");
  }
}

TEST(Words, AreUndoneForRandomLines) {
  const std::vector<std::vector<std::string>> alphabets = {
      {"a", "B", "z", "0", "9", " ", " ", ".", ",", "'", "-", ":", "@", "/", "(", ")", "\"", "<", "s", ">"},
      {"你", "好", "，", "。", " ", "　", "a", "3", "￭", "“", "”", "%", "20", "\u0301"},
      {"ผ", "ั", "ก", "ຂ", "ក", "្", "က", "ာ", " ", "1", "ا", "ل", "ע", "ब", "्", "\u200D", "한",
       "\u1112\u1161"},
      {"￭", "%", "%20", "%A0", "%FFED", "%A", " ", "@@", "<s>", "http://", "www.", "a@b.c", "Ab"},
      {" ", "\t", "\r", "\v", "\u00A0", "\u2028", "\u0308", "\u00AD", "\uFEFF", "\u200B", "\u0085", "x", ".",
       "İ"}};
  Random random(random_stream(1, 2, 3));
  for (int i = 0; i < 5'000; ++i) {
    const std::vector<std::string>& alphabet = alphabets[random.below(std::ssize(alphabets))];
    std::string line;
    for (Index length = random.below(12); length > 0; --length)
      line += alphabet[random.below(std::ssize(alphabet))];
    expect_undone(kMarks, line);
    kMarks.join(line);  // of anything
  }
}

TEST(Words, OfALongLineTakeLittleTime) {
  const std::string addresses = repeated("a+", 100'000), marks = repeated("\u0301", 100'000);
  const auto start = std::chrono::steady_clock::now();
  expect_undone(kMarks, addresses);
  EXPECT_EQ(kMarks.join(kMarks.cut(marks)), marks);
  // A second or so at -O0; a look at the rest of the line at each token would take minutes.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(Words, HaveTheirRuleInTheMetadataOfAModel) {
  for (const WordRule& rule : {kSpaces, kMarks}) EXPECT_EQ(word_rule_from(metadata_of(rule), "x"), rule);
  EXPECT_EQ(metadata_of(kSpaces), Metadata());
  EXPECT_EQ(metadata_of(kMarks), (Metadata{{"words", "marks"}, {"unknown_pieces", "cut"}}));
  EXPECT_EQ(word_rule_from({{"words", "spaces"}, {"case", "as-is"}, {"heads", "8"}}, "x"), kSpaces);
  const auto error = [](const Metadata& metadata) {
    return error_of([&] { word_rule_from(metadata, "m.safetensors"); });
  };
  EXPECT_EQ(
      error({{"words", "syllables"}}),
      "m.safetensors: its \"words\" is \"syllables\", which is unknown (hint: it can be spaces or marks)");
  EXPECT_EQ(error({{"case", "marks"}}).find("m.safetensors: its text has marks of case"), 0u);
  EXPECT_EQ(
      error({{"unknown_pieces", "kept"}}),
      "m.safetensors: its \"unknown_pieces\" is \"kept\", which is unknown (hint: it can be unk or cut)");
  EXPECT_EQ(error({{"unknown_pieces", "cut"}}).find("m.safetensors: it cuts unknown pieces of words"), 0u);
}

}  // namespace
}  // namespace plainformer
