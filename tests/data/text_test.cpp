#include "data/text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "data/byte_pair_encoding.h"
#include "data/fixtures.h"
#include "data/vocabulary.h"
#include "io/temporary_folder.h"
#include "system/system.h"

namespace plainformer {
namespace {

using Lines = std::vector<std::string>;

class TextFile : public ::testing::Test {
 protected:
  Lines lines_of(const std::string& text) { return read_lines(folder_.write("text", text)); }
  TemporaryFolder folder_;
};

TEST_F(TextFile, LinesEndAtNewlineAlone) {
  EXPECT_EQ(lines_of("a\nb\n"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of("a\nb"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of("a\n\n"), (Lines{"a", ""}));
  EXPECT_EQ(lines_of("\n"), (Lines{""}));
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("a\xE2\x80\xA8z\xC2\x85z\vb\rc\n"), (Lines{"a\xE2\x80\xA8z\xC2\x85z\vb\rc"}));
}

TEST_F(TextFile, CarriageReturnsAtTheEndAndTheByteOrderMarkAreTakenOff) {
  EXPECT_EQ(lines_of("\xEF\xBB\xBF"
                     "a\r\nb\r\r\n\r\nc\r"),
            (Lines{"a", "b", "", "c"}));
  EXPECT_EQ(lines_of("a\n\xEF\xBB\xBF"
                     "b\n"),
            (Lines{"a",
                   "\xEF\xBB\xBF"
                   "b"}));
}

TEST_F(TextFile, APipeIsReadWhereItIsReadOnce) {
  if (!pipes_stand_in_any_folder()) GTEST_SKIP() << "a pipe is no file of a folder here";
  const NamedPipe pipe(folder_.path_of("pipe"));
  std::thread writer([&] { std::ofstream(pipe.path()) << "a\nb\n"; });
  EXPECT_EQ(read_lines(pipe.path(), /*may_be_pipe=*/true), (std::vector<std::string>{"a", "b"}));
  writer.join();
}

TEST_F(TextFile, AFileOverTheLimitIsRefused) {
  const std::string path = folder_.write("text", "12345");
  EXPECT_NO_THROW(open_text_file(path, 5));
  EXPECT_TRUE(contains(error_of([&] { open_text_file(path, 4); }), "has 5 bytes, more than 4"));
}

// A file of a terabyte is refused before it is read.
TEST_F(TextFile, OfATerabyteHoldsNoCodesAndNoVocabulary) {
  const std::string path = folder_.write("large", "");
  stretch_file(path, std::uintmax_t{1} << 40);
  const std::string refusal = "has 1099511627776 bytes";
  EXPECT_TRUE(contains(error_of([&] { BytePairEncoding::load(path); }), refusal));
  EXPECT_TRUE(contains(error_of([&] { Vocabulary::load(path); }), refusal));
}

TEST(SanitizeLine, MakesUtf8OfAnyBytes) {
  EXPECT_EQ(sanitize_line("gr\xC3\xBC\xC3\x9F"), "gr\xC3\xBC\xC3\x9F");
  EXPECT_EQ(sanitize_line("a\xFF\x62\r"), "a\xEF\xBF\xBD\x62");
  EXPECT_EQ(sanitize_line(std::string("a\0b", 3)), "a\xEF\xBF\xBD\x62");
  EXPECT_EQ(sanitize_line("x\xE2\x82"), "x\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(sanitize_line("\r\r"), "");
}

// As LineReader does: in the lines of a file that was put together from two, U+FEFF is a character.
TEST(SanitizeLine, TakesAByteOrderMarkFromTheFirstLineOnly) {
  EXPECT_EQ(sanitize_line("\xEF\xBB\xBFx", /*is_first=*/true), "x");
  EXPECT_EQ(sanitize_line("\xEF\xBB\xBFx"), "\xEF\xBB\xBFx");
}

TEST(TextProblem, NamesOtherFormatsByTheirFirstBytes) {
  using namespace std::string_literals;
  EXPECT_FALSE(text_problem("a\uFEFF\u00FF\u00FE"));
  EXPECT_STREQ(text_problem("\xFF\xFE"
                            "a\0"s)
                   ->hint,
               "it is UTF-16; convert it with iconv -f UTF-16 -t UTF-8");
  EXPECT_STREQ(text_problem("\xFE\xFF\0a"s)->hint, "it is UTF-16; convert it with iconv -f UTF-16 -t UTF-8");
  EXPECT_STREQ(text_problem("a\xFF\xFE")->hint,
               "convert the file, if it is Western European with iconv -f WINDOWS-1252 -t UTF-8");
  EXPECT_STREQ(text_problem("\x1F\x8B\x08")->hint, "write it out with zcat first");
  EXPECT_STREQ(text_problem("PK\x03\x04")->problem, "not text but an archive or a spreadsheet");
  EXPECT_STREQ(text_problem("a\0"s)->problem, "contains a NUL byte");
}

TEST(SplitWords, AtSpaceAndStrayCarriageReturnOnly) {
  using Words = std::vector<std::string_view>;
  EXPECT_EQ(split_words("  a b   c\xC2\xA0z\td "), (Words{"a", "b", "c\xC2\xA0z\td"}));
  EXPECT_EQ(split_words("a\rb"), (Words{"a", "b"}));
  EXPECT_EQ(split_words("10\u00A0000"), Words{"10\u00A0000"});
  EXPECT_EQ(split_words("  "), Words{});
  EXPECT_EQ(split_words(""), Words{});
}

TEST(SplitWords, WhiteSpaceAloneIsNoWord) {
  using Words = std::vector<std::string_view>;
  EXPECT_EQ(split_words("\t"), Words{});
  EXPECT_EQ(split_words("\u00A0\u3000 \u2028 \v\f"), Words{});
  EXPECT_EQ(split_words("a \t b\u3000 \u00A0"), (Words{"a", "b\u3000"}));
  EXPECT_EQ(split_at_spaces("a \t b"), (Words{"a", "\t", "b"}));
}

TEST(IsBlank, WithoutWords) {
  for (const char* line : {"", " \t\r", "\u00A0 \u3000"}) EXPECT_TRUE(is_blank(line)) << line;
  for (const char* line : {"a", "\u00A0a", "\xA0"}) EXPECT_FALSE(is_blank(line)) << line;
}

}  // namespace
}  // namespace plainformer
