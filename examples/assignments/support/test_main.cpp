// The program that runs a test. Its verdict goes to file descriptor 3, with a number that it read from
// stdin before the test began. So nothing that the student's code prints passes for a verdict, nor does an
// early exit.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "core/storage.h"
#include "ops/ways.h"
#include "platform/platform.h"

namespace {

constexpr int kStandardInput = 0, kReportDescriptor = 3;

std::string read_number() {
  std::string number(64, '\0');
  const bool is_terminal = plainformer::is_terminal(kStandardInput);
  const std::ptrdiff_t count =
      is_terminal ? 0 : plainformer::read_bytes(kStandardInput, number.data(), number.size());
  number.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return number;
}

bool report(std::string_view text) {
  while (!text.empty()) {
    const std::ptrdiff_t count = plainformer::write_bytes(kReportDescriptor, text);
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::string number = read_number();
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // what was printed before a crash is shown
  // The pool of memory starts here, before any thread does. ThreadSanitizer, which sees only the student's
  // file, would take its start in one of several threads for a race.
  const plainformer::Storage first(1);
  std::string program = "tests";  // the file's name would tell a student's tests which bug they face
  arguments[0] = program.data();
  testing::InitGoogleTest(&argument_count, arguments);
  plainformer::ways = plainformer::plain_ways("all", "course");
  const bool passed = RUN_ALL_TESTS() == 0;
  const auto* const results = testing::UnitTest::GetInstance();
  const bool ran = results->successful_test_count() > 0 && results->skipped_test_count() == 0;
  if (!number.empty() && passed && ran)
    if (!report(number)) return 1;
  return passed && ran ? 0 : 1;
}
