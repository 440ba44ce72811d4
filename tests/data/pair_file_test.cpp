// Pairs in the columns of one file.
#include "data/pair_file.h"

#include <gtest/gtest.h>

#include "data/fixtures.h"
#include "io/temporary_folder.h"

namespace plainformer {
namespace {

using Lines = std::vector<std::string>;
using namespace std::string_literals;

class PairFile : public testing::Test {
 protected:
  PairLines read(const std::string& text, const PairColumns& columns = {}) const {
    return read_pair_file(folder_.write("pairs.tsv", text), columns);
  }
  void expect_refused(const std::string& text, const std::string& message) const {
    const std::string error = error_message([&] { read(text); });
    EXPECT_NE(error.find("pairs.tsv" + message), std::string::npos) << error;
    EXPECT_NE(error.find("(hint: "), std::string::npos) << error;
  }
  const TemporaryFolder folder_;
};

TEST_F(PairFile, HoldsASourceATabAndATargetOnEachLine) {
  const PairLines lines = read("a b\tx\nc\ty z");
  EXPECT_EQ(lines.source, (Lines{"a b", "c"}));
  EXPECT_EQ(lines.target, (Lines{"x", "y z"}));
}

TEST_F(PairFile, MayHaveOtherColumnsThatNobodyReads) {
  const PairLines lines = read("17\tx\ta\tCC-BY\n18\ty\tb\n", {.source = 3, .target = 2});
  EXPECT_EQ(lines.source, (Lines{"a", "b"}));
  EXPECT_EQ(lines.target, (Lines{"x", "y"}));
}

// An empty pair keeps its line, so that line 3 of the file is pair 3.
TEST_F(PairFile, MayHaveBlankLinesAndEmptySides) {
  const PairLines lines = read("a\tx\n\n \t\nb\t\n");
  EXPECT_EQ(lines.source, (Lines{"a", "", "", "b"}));
  EXPECT_EQ(lines.target, (Lines{"x", "", "", ""}));
}

TEST_F(PairFile, MayMixLineEndsAndBeginWithAByteOrderMark) {
  const PairLines lines = read(
      "\xEF\xBB\xBF"
      "a\tx\r\nb\ty\nc\tz\r\n");
  EXPECT_EQ(lines.source, (Lines{"a", "b", "c"}));
  EXPECT_EQ(lines.target, (Lines{"x", "y", "z"}));
}

TEST_F(PairFile, ReadsAQuoteAsACharacter) {
  const PairLines lines = read("\"a\" b\tx \"\"y\n\"Stop, he said.\tz\n\"c\t\"Halt\"\n");
  EXPECT_EQ(lines.source, (Lines{"\"a\" b", "\"Stop, he said.", "\"c"}));
  EXPECT_EQ(lines.target, (Lines{"x \"\"y", "z", "\"Halt\""}));
  EXPECT_EQ(lines.open_quotes, (std::vector<Index>{2, 3}));
}

TEST_F(PairFile, WithoutTheColumnsNamesTheLine) {
  expect_refused("a\tx\nb y\n",
                 ":2: has 1 column, but column 2 is asked for (hint: a tab must stand between");
  expect_refused("a;x\n",
                 ":1: has 1 column, but column 2 is asked for (hint: a tab must stand between the "
                 "sentences, not a semicolon)");
  expect_refused(
      "a\tx\n\"b\nc\"\ty\n",
      ":2: has 1 column, but column 2 is asked for (hint: a quote opens here or in the line before");
  expect_refused(
      "a\t\"x\ny\"\n",
      ":2: has 1 column, but column 2 is asked for (hint: a quote opens here or in the line before");
  EXPECT_NE(error_message([&] {
              read("a\tx\n", {.source = 1, .target = 3});
            }).find(":1: has 2 columns, but column 3 is asked for"),
            std::string::npos);
}

TEST_F(PairFile, WithHundredsOfColumnsIsNoText) {
  expect_refused("a\tx\n" + std::string(299, '\t') + "b\n", ":2: has 300 columns, more than 100");
  EXPECT_EQ(read(std::string("a\tx") + std::string(98, '\t') + "\n").source, Lines{"a"});
}

TEST_F(PairFile, WithBytesThatAreNoTextNamesTheLine) {
  expect_refused("a\tx\nsch\xF6n\ty\n", ":2: not valid UTF-8");
  expect_refused(
      "\xFF\xFE"
      "a\0\t\0x\0\n\0"s,
      ":1: not valid UTF-8 (hint: it is UTF-16; convert it");
  expect_refused("\xFE\xFF\0a\0\t\0x\0\n"s, ":1: not valid UTF-8 (hint: it is UTF-16; convert it");
  expect_refused("a\0\t\0x\0\n\0"s, ":1: contains a NUL byte");
}

TEST_F(PairFile, WithACarriageReturnInALineNamesTheLine) {
  expect_refused("a\tx\nb\ty\rc\tz\n", ":2: has a carriage return within the line");
}

TEST_F(PairFile, ThatIsEmptyIsRefused) {
  expect_refused("", ": is empty");
}

}  // namespace
}  // namespace plainformer
