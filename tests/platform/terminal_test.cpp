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

}  // namespace
}  // namespace plainformer
