// The layout of --help, in literal lines.
#include "command_line/help_text.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

using Words = std::vector<std::string>;

TEST(HelpText, WordsAreWhatWhiteSpaceSeparates) {
  EXPECT_EQ(words_of(" a  bc\nd "), (Words{"a", "bc", "d"}));
  EXPECT_EQ(words_of(""), Words());
  EXPECT_EQ(words_of(" \n"), Words());
}

TEST(HelpText, APartOfAUsageIsAnOptionWithItsPlaceholder) {
  EXPECT_EQ(parts_of_usage("plainformer bpe apply --codes CODES [--to FILE] < in > out"),
            (Words{"plainformer bpe apply", "--codes CODES", "[--to FILE]", "< in", "> out"}));
  EXPECT_EQ(parts_of_usage("plainformer average (--out DIR | --overwrite)"),
            (Words{"plainformer average", "(--out DIR |", "--overwrite)"}));
}

TEST(HelpText, ALineIsAsWideAsTheWidthAndNoWider) {
  EXPECT_EQ(wrapped({"one", "two", "six"}, 0, 0, 7), "one two\nsix");
  EXPECT_EQ(wrapped({"one", "two", "six"}, 0, 0, 6), "one\ntwo\nsix");
  EXPECT_EQ(wrapped({}, 0, 0, 6), "");
}

TEST(HelpText, FurtherLinesAreIndented) {
  EXPECT_EQ(wrapped({"one", "two", "six", "ten"}, 5, 2, 8), "one\n  two\n  six\n  ten");
}

TEST(HelpText, AWordThatIsTooLongHasALineOfItsOwn) {
  EXPECT_EQ(wrapped({"a", "very-long-word", "b"}, 0, 1, 5), "a\n very-long-word\n b");
  EXPECT_EQ(wrapped({"very-long-word", "b"}, 3, 1, 5), "very-long-word\n b");
}

TEST(HelpText, TheWidthCountsColumnsNotBytes) {
  EXPECT_EQ(wrapped({"größer", "ja"}, 0, 0, 9), "größer ja");
  EXPECT_EQ(wrapped({"猫猫", "ja"}, 0, 0, 6), "猫猫\nja");
}

TEST(HelpText, ARowsTextStaysInItsColumn) {
  EXPECT_EQ(help_row("--a", "one two three four five six seven", 5, 36),
            "  --a    one two three four five six\n"
            "         seven\n");
}

TEST(HelpText, ARowsTextKeeps24Columns) {
  EXPECT_EQ(help_row("--an-option", "one two three four five six", 11, 10),
            "  --an-option  one two three four five\n"
            "               six\n");
}

}  // namespace
}  // namespace plainformer
