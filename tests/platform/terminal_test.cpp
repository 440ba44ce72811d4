#include <gtest/gtest.h>

#include "platform/platform.h"
#include "system/system.h"

namespace plainformer {
namespace {

TEST(Terminal, APipeIsNone) {
  const Pipe pipe;
  EXPECT_FALSE(is_terminal(pipe.write_end()));
  EXPECT_EQ(terminal_width(pipe.write_end()), 80);
  EXPECT_FALSE(understands_escapes(pipe.write_end()));
}

TEST(Terminal, TellsItsWidth) {
  const PseudoTerminal terminal(123);
  if (terminal.file() < 0) GTEST_SKIP() << "no terminals here";
  EXPECT_TRUE(is_terminal(terminal.file()));
  EXPECT_EQ(terminal_width(terminal.file()), 123);
}

TEST(Terminal, UnderstandsEscapesUnlessItIsADumbOne) {
  const PseudoTerminal terminal(80);
  if (terminal.file() < 0) GTEST_SKIP() << "no terminals here";
  const EnvironmentVariable term("TERM");
  term.unset();
  EXPECT_TRUE(understands_escapes(terminal.file()));
  term.set("dumb");
  EXPECT_FALSE(understands_escapes(terminal.file()));
}

TEST(QuotedForShell, OnlyWhereTheShellNeedsIt) {
  EXPECT_EQ(quoted_for_shell("runs/de-en_1.2"), "runs/de-en_1.2");
  const char quote = quoted_for_shell("two words")[0];
  EXPECT_EQ(quoted_for_shell("two words"), quote + std::string("two words") + quote);
  if (quote != '\'') GTEST_SKIP() << "a path may not hold a quotation mark here";
  EXPECT_EQ(quoted_for_shell("o d'd"), "'o d'\\''d'");
  EXPECT_EQ(quoted_for_shell("$HOME"), "'$HOME'");
  EXPECT_EQ(quoted_for_shell("Bücher"), "'Bücher'");
  EXPECT_EQ(quoted_for_shell(""), "''");
}

}  // namespace
}  // namespace plainformer
