#include "core/input_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/thrown_message.h"

namespace plainformer {
namespace {

TEST(InputError, IsOneLineWhateverTheNameOfAFile) {
  EXPECT_STREQ(input_error("a\nb\x1B[2J", "has \"\x7F\tä\"", "none").what(),
               "a?b?[2J: has \"??ä\" (hint: none)");
  const std::string name = "a\n\x1b[2J\x7f\xc2\x9b" + std::string("2J\xc2\xa0\xc3\x9b\xc2!");
  EXPECT_STREQ(input_error(name, "no such file", "check the path").what(),
               "a??[2J??2J\xc2\xa0\xc3\x9b\xc2!: no such file (hint: check the path)");
}

TEST(RequireBetween, NamesValueAndRange) {
  EXPECT_NO_THROW(require_between("config: heads", 1, 1, 8));
  EXPECT_NO_THROW(require_between("config: heads", 8, 1, 8));
  for (const Index heads : {0, 9})
    EXPECT_EQ(error_of([&] { require_between("config: heads", heads, 1, 8); }),
              "config: heads: " + std::to_string(heads) + " is out of range (hint: choose 1 to 8)");
}

TEST(RequireAtLeast, NamesValueAndBound) {
  EXPECT_NO_THROW(require_at_least("--steps", 1, 1));
  EXPECT_EQ(error_of([] { require_at_least("--steps", 0, 1); }),
            "--steps: 0 is out of range (hint: choose at least 1)");
}

TEST(RequireBelowOne, NamesValueAndRange) {
  EXPECT_NO_THROW(require_below_one("--dropout", 0));
  EXPECT_NO_THROW(require_below_one("--dropout", 0.999));
  const auto complaint = [](double value) {
    return error_of([&] { require_below_one("--dropout", value); });
  };
  EXPECT_EQ(complaint(1), "--dropout: 1 is out of range (hint: choose at least 0 and less than 1)");
  EXPECT_EQ(complaint(-0.1), "--dropout: -0.1 is out of range (hint: choose at least 0 and less than 1)");
  EXPECT_EQ(complaint(std::nan("")),
            "--dropout: nan is out of range (hint: choose at least 0 and less than 1)");
}

}  // namespace
}  // namespace plainformer
