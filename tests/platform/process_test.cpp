// What a program gets from its user, and gives back; the signals that it notes; its memory; and its terminal.
#include <gtest/gtest.h>

#include <csignal>
#include <iostream>
#include <memory>

#include "platform/platform.h"
#include "support/program.h"
#include "support/sanitized.h"
#include "system/process.h"
#include "system/system.h"

namespace plainformer {
namespace {

ProgramResult run_role(const std::string& name, const std::vector<std::string>& arguments,
                       const std::string& input = "") {
  return run_program(as_role(name, arguments).arguments, {.input = input, .program = this_program()});
}

const Role tell_arguments("tell_arguments", [](const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) std::cout << "[" << argument << "]\n";
  return 0;
});

TEST(Process, GetsItsArgumentsAsTheyWereGiven) {
  const ProgramResult result = run_role("tell_arguments", {"", "ä ö", "\U0001F600 猫", "a\"b\\",
                                                           "C:\\Bücher\\", "\\\\x\\\"", "*", "'", "%PATH%"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out,
            "[]\n[ä ö]\n[\U0001F600 猫]\n[a\"b\\]\n[C:\\Bücher\\]\n[\\\\x\\\"]\n[*]\n[']\n[%PATH%]\n");
}

const Role copy_input("copy_input", [](const std::vector<std::string>&) {
  for (char byte; std::cin.get(byte);) std::cout << byte;
  std::cerr << "\r\n" << std::flush;
  return 3;
});

TEST(Process, PassesBytesThroughUnchanged) {
  const std::string bytes("a\r\nb\n\x1a\0\xff\xc3\xa4", 10);
  const ProgramResult result = run_role("copy_input", {}, bytes);
  EXPECT_EQ(result.out, bytes);
  EXPECT_EQ(result.err, "\r\n");
  EXPECT_EQ(result.exit_code, 3);
}

// --- Ctrl-C and the request to terminate, as another process sends them ---

// Prints the number of each signal that was noted. The second one ends it.
const Role note_signals("note_signals", [](const std::vector<std::string>&) {
  catch_interrupts();
  catch_lost_readers();
  std::cout << "ready\n" << std::flush;
  while (interrupt_signal() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::cout << interrupt_signal() << "\n" << std::flush;
  std::this_thread::sleep_for(std::chrono::minutes(1));
  return 0;
});

TEST(Interrupts, TheFirstIsNotedAndTheSecondEndsTheProgram) {
  for (const int first : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    if (!can_send(first)) continue;
    ProgramSetup setup = as_role("note_signals");
    setup.takes_ctrl_c = true;
    setup.stdout_path = folder.path_of("out");
    ChildProcess process(setup);
    ASSERT_TRUE(wait_until([&] { return folder.read("out") == "ready\n"; }));
    process.send(first);
    const std::string noted = "ready\n" + std::to_string(first) + "\n";
    ASSERT_TRUE(wait_until([&] { return folder.read("out") == noted; })) << folder.read("out");
    process.send(SIGINT);
    EXPECT_EQ(process.wait().exit_code, 128 + SIGINT);
  }
}

// A terminal that closes may send more than one of these.
TEST(Interrupts, AClosedTerminalIsNotedAndMoreOfThatIsNoReasonToEnd) {
  if (!can_send(kHangUp)) GTEST_SKIP() << "no program can send this to another one here";
  const TemporaryFolder folder;
  ProgramSetup setup = as_role("note_signals");
  setup.stdout_path = folder.path_of("out");
  ChildProcess process(setup);
  ASSERT_TRUE(wait_until([&] { return folder.read("out") == "ready\n"; }));
  process.send(kHangUp);
  ASSERT_TRUE(wait_until([&] { return folder.read("out") == "ready\n" + std::to_string(kHangUp) + "\n"; }));
  for (const int signal : {kBrokenPipe, kHangUp, kHangUp}) process.send(signal);
  process.send(SIGTERM);
  EXPECT_EQ(process.wait().exit_code, 128 + SIGTERM);
}

// --- memory ---

using Bytes = std::unique_ptr<volatile char[]>;

// Memory of which each page is written to.
Bytes megabytes(std::size_t count) {
  Bytes bytes = std::make_unique<volatile char[]>(count * 1'000'000);
  for (std::size_t i = 0; i < count * 1'000'000; i += 1024) bytes[i] = 1;
  return bytes;
}

TEST(PeakMemory, IsOfTheLargestUseSoFar) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const double before = peak_resident_megabytes();
  EXPECT_GT(before, 1);
  megabytes(200);
  const double after = peak_resident_megabytes();
  EXPECT_GE(after, 195);
  EXPECT_LE(after, before + 205);
  megabytes(10);
  EXPECT_EQ(peak_resident_megabytes(), after);
}

const Role tell_peak_memory("tell_peak_memory", [](const std::vector<std::string>&) {
  std::cout << peak_resident_megabytes();
  return 0;
});

TEST(PeakMemory, IsNotOfTheProcessThatStartedThisOne) {
  const TemporaryFolder folder;
  const Bytes ours = megabytes(300);
  ProgramSetup setup = as_role("tell_peak_memory");
  setup.stdout_path = folder.path_of("out");
  ChildProcess process(setup);
  ASSERT_EQ(process.wait().exit_code, 0);
  const double peak = std::stod(folder.read("out"));
  EXPECT_GT(peak, 1);
  EXPECT_LT(peak, 200);
}

// --- the terminal ---

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
  EXPECT_EQ(quoted_for_shell("two words\\"), quote == '"' ? "\"two words\\\\\"" : "'two words\\'");
  if (quote != '\'') GTEST_SKIP() << "a path may not hold a quotation mark here";
  EXPECT_EQ(quoted_for_shell("o d'd"), "'o d'\\''d'");
  EXPECT_EQ(quoted_for_shell("$HOME"), "'$HOME'");
  EXPECT_EQ(quoted_for_shell("Bücher"), "'Bücher'");
  EXPECT_EQ(quoted_for_shell(""), "''");
}

}  // namespace
}  // namespace plainformer
