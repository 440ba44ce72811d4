// What a program gets from its user, and gives back.
#include <gtest/gtest.h>

#include <iostream>

#include "platform/platform.h"
#include "support/program.h"
#include "system/process.h"

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

}  // namespace
}  // namespace plainformer
