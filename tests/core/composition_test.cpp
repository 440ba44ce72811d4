#include "core/composition.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/utf8.h"

namespace plainformer {
namespace {

// "41 30A" as UTF-8.
std::string text_of_code_points(const std::string& code_points) {
  std::istringstream input(code_points);
  std::string text;
  for (unsigned value; input >> std::hex >> value;) append_utf8(text, value);
  return text;
}

TEST(Composed, JoinsALetterAndItsMarks) {
  EXPECT_EQ(composed("scho\u0308n"), "sch\u00f6n");
  EXPECT_EQ(composed("Vie\u0302\u0323t"), "Vi\u1ec7t");   // in whatever order the marks are
  EXPECT_EQ(composed("\u1112\u1161\u11ab"), "\ud55c");    // Hangul
  EXPECT_EQ(composed("q\u0307\u0323"), "q\u0323\u0307");  // no character for it, but one order
  EXPECT_EQ(composed("\u0301a"), "\u0301a");
  EXPECT_EQ(composed("\u304b\u3099"), "\u304c");
}

TEST(Composed, KeepsComposedTextAndBytesThatAreNoText) {
  for (const std::string text :
       {"", "plain", "sch\u00f6n", "\u4f60\u597d", "\u0397\u03b1", "\xff\xcc", "a\xcc\x88\xff"})
    EXPECT_EQ(composed(text), text);
}

TEST(Composed, EqualsPythons) {
  std::ifstream file(PLAINFORMER_SOURCE_DIR "/tests/core/fixtures/composition.tsv");
  int lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    const std::size_t tab = line.find('\t');
    const std::string before = text_of_code_points(line.substr(0, tab)),
                      after = text_of_code_points(line.substr(tab + 1));
    EXPECT_EQ(composed(before), after) << line;
    EXPECT_EQ(composed(after), after) << line;
  }
  EXPECT_EQ(lines, 150);
}

}  // namespace
}  // namespace plainformer
