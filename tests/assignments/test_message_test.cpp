#include "test_message.h"

#include <gtest/gtest.h>

namespace plainformer::course {
namespace {

ProcessResult ended(int exit_code, const std::string& output) {
  ProcessResult result;
  result.exit_code = exit_code;
  result.output = output;
  return result;
}

TEST(FailureMessage, IsTheExpectedAndTheFound) {
  EXPECT_EQ(failure_message(
                ended(1,
                      "[ RUN      ] Half.OfOne\n/home/me/plainformer/tests/ops/half_test.cpp:7: Failure\n"
                      "Expected: 0.5\n  Actual: 2\n\n[  FAILED  ] Half.OfOne (0 ms)\n")),
            "tests/ops/half_test.cpp:7: Failure\nExpected: 0.5\n  Actual: 2\n");
}

TEST(FailureMessage, ShowsAfterThemWhatTheCodePrinted) {
  std::string output = "[ RUN      ] Half.OfOne\n";
  for (int i = 0; i < 50; ++i) output += "sum " + std::to_string(i) + "\n";
  output +=
      "/home/me/plainformer/tests/ops/half_test.cpp:7: Failure\nExpected: 0.5\n[  FAILED  ] Half.OfOne (0 "
      "ms)\n";
  const std::string message = failure_message(ended(1, output));
  EXPECT_TRUE(message.starts_with("tests/ops/half_test.cpp:7: Failure\nExpected: 0.5\nIt printed:\nsum 0\n"))
      << message;
  EXPECT_EQ(message.find("sum 40"), std::string::npos);
}

TEST(FailureMessage, NamesTheFunctionThatIsNotWritten) {
  EXPECT_EQ(failure_message(ended(3, "[ RUN      ] Half.OfOne\nhalf is not written yet\n")),
            "half is not written yet");
}

TEST(FailureMessage, SaysWhereASanitizerStoppedIt) {
  EXPECT_EQ(
      failure_message(ended(1,
                            "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1 at pc 0x2\n"
                            "    #0 0x3 in half(int) /home/me/homework/03-halving/half.cpp:12\n"
                            "    #1 0x4 in main test_main.cpp:3\n")),
      "AddressSanitizer: heap-buffer-overflow\nat half.cpp:12");
  EXPECT_EQ(failure_message(ended(1, "/home/me/half.cpp:9:5: runtime error: signed integer overflow\n")),
            "half.cpp:9:5: runtime error: signed integer overflow");
}

TEST(FailureMessage, SaysWhereAnExceptionLeftTheCode) {
  EXPECT_EQ(
      failure_message(ended(
          1,
          "[ RUN      ] Half.OfOne\nterminate called after throwing an instance of 'std::runtime_error'\n"
          "  what():  index 4 of an axis of 4\n"
          "==7==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x2 bp 0x3)\n"
          "    #0 0x3 in abort (/lib/libc.so+0x2)\n"
          "    #1 0x3 in half(int) /home/me/homework/03-halving/half.cpp:12\n")),
      "an exception left the code: index 4 of an axis of 4\nat half.cpp:12");
}

// The library checks the index, and the student wrote it.
TEST(FailureMessage, NamesTheStudentsLineWhenAnIndexIsOutOfRange) {
  EXPECT_EQ(
      failure_message(ended(
          1,
          "[ RUN      ] Half.OfOne\nterminate called after throwing an instance of 'std::logic_error'\n"
          "  what():  ../../src/core/shape.cpp:42: check failed: i < extent: index 3 on axis 1 of [2, 3]\n"
          "==7==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x2 bp 0x3)\n"
          "    #0 0x3 in abort (/lib/libc.so+0x2)\n"
          "    #1 0x3 in check_indices /repo/src/core/shape.cpp:42\n"
          "    #2 0x3 in half(int) /home/me/homework/03-halving/half.cpp:12\n")),
      "an exception left the code: check failed: i < extent: index 3 on axis 1 of [2, 3]\nat half.cpp:12");
}

TEST(FailureMessage, HasNoPathOfAFailedCheckWhoseLineStandsBelowIt) {
  EXPECT_EQ(failure_message(ended(
                1,
                "[ RUN      ] Half.OfOne\nterminate called after throwing an instance of 'std::logic_error'\n"
                "  what():  /home/me/homework/03-halving/half.cpp:12: check failed: n > 0: no rows\n"
                "==7==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x2 bp 0x3)\n"
                "    #2 0x3 in half(int) /home/me/homework/03-halving/half.cpp:12\n")),
            "an exception left the code: check failed: n > 0: no rows\nat half.cpp:12");
  EXPECT_EQ(
      failure_message(ended(
          1,
          "[ RUN      ] Half.OfOne\nunknown file: Failure\nC++ exception with description "
          "\"/home/me/src/shape.cpp:4: check failed: i < n: 3\" thrown.\n[  FAILED  ] Half.OfOne (0 ms)\n")),
      "unknown file: Failure\nC++ exception with description \"check failed: i < n: 3\" thrown.\n");
}

TEST(FailureMessage, OfATestThatHadToWaitSaysThatTheMachineMayBeBusy) {
  ProcessResult slow;
  slow.timed_out = true;
  EXPECT_EQ(failure_message(slow).find("busy"), std::string::npos) << "it has computed all the time";
  slow.waited = true;
  EXPECT_NE(failure_message(slow).find("Perhaps the machine is busy"), std::string::npos);
}

TEST(FailureMessage, TheFailedTestOfSeveralIsKnown) {
  EXPECT_EQ(failed_test_of(ended(1,
                                 "[ RUN      ] A.One\n[       OK ] A.One (0 ms)\n[ RUN      ] A.Two\n"
                                 "[  FAILED  ] A.Two, where GetParam() = 1 (0 ms)\n[ RUN      ] A.Three\n")),
            "A.Two");
  EXPECT_EQ(failed_test_of(ended(1, "[ RUN      ] A.One\n[       OK ] A.One (0 ms)\n[ RUN      ] A.Two\n")),
            "A.Two")
      << "it has crashed";
  EXPECT_EQ(failed_test_of(ended(1, "[ RUN      ] A.One\n[       OK ] A.One (0 ms)\n")), "")
      << "it has crashed at its end";
  EXPECT_EQ(failed_test_of(ended(1, "")), "");
}

TEST(FailureMessage, ShowsWhatWasPrintedBeforeACrash) {
  EXPECT_EQ(failure_message(ended(1,
                                  "[ RUN      ] Half.OfOne\n[0.5, row 1\n==7==ERROR: AddressSanitizer: "
                                  "heap-buffer-overflow on address 0x1 at pc 0x2\n"
                                  "    #0 0x3 in half(int) /home/me/homework/03-halving/half.cpp:12\n")),
            "AddressSanitizer: heap-buffer-overflow\nat half.cpp:12\nIt printed:\n[0.5, row 1\n");
}

TEST(FailureMessage, NamesAnExceptionWithoutAText) {
  EXPECT_EQ(
      failure_message(ended(1,
                            "[ RUN      ] Half.OfOne\nterminate called after throwing an instance of 'int'\n"
                            "==7==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x2 bp 0x3)\n"
                            "    #1 0x3 in half(int) /home/me/homework/03-halving/half.cpp:12\n")),
      "an exception left the code: an instance of 'int'\nat half.cpp:12");
}

TEST(FailureMessage, ShowsWhatIsPrintedWhateverItBeginsWith) {
  const std::string message =
      failure_message(ended(1,
                            "[ RUN      ] Half.OfOne\n[0.5, 0.25]\n/a/tests/half_test.cpp:7: Failure\n"
                            "  Actual: 2\n[  FAILED  ] Half.OfOne (0 ms)\n"));
  EXPECT_NE(message.find("It printed:\n[0.5, 0.25]\n"), std::string::npos) << message;
}

TEST(FailureMessage, CutsNoNumber) {
  std::string line = "Actual: false (";
  for (int i = 0; i < 25; ++i) line += "at row " + std::to_string(i) + " found 0.123456789, ";
  const std::string message =
      failure_message(ended(1, "[ RUN      ] H.O\n/a/tests/h.cpp:7: Failure\n" + line + "\n"));
  EXPECT_NE(message.find("at row 24"), std::string::npos) << message;
  std::size_t count = 0;
  for (std::size_t at = message.find("0.123456789"); at != std::string::npos;
       at = message.find("0.123456789", at + 1))
    ++count;
  EXPECT_EQ(count, 25u);
}

TEST(FailureMessage, SaysHowTheProcessEnded) {
  EXPECT_EQ(failure_message(ended(0, "[  PASSED  ] 1 test.\n")), "the program ended before the test did");
  EXPECT_EQ(failure_message(ended(9, "")), "it ended with exit code 9");
  ProcessResult crashed;
  crashed.signal = 11;
  EXPECT_EQ(failure_message(crashed), "it ended with " + crashed.ending());
  ProcessResult slow;
  slow.timed_out = true;
  EXPECT_EQ(failure_message(slow), "it was " + slow.ending() + ": does every loop end?");
}

TEST(FailureMessage, IsShort) {
  std::string output = "[ RUN      ] Half.OfOne\n";
  for (int i = 0; i < 100; ++i) output += std::string(1000, 'x') + "\n";
  EXPECT_LT(failure_message(ended(1, output)).size(), 13'000u);
}

}  // namespace
}  // namespace plainformer::course
