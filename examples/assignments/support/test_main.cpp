// The program that runs a student's tests. It ends with 0 if one has run, and all pass.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "core/storage.h"
#include "ops/ways.h"

int main(int argument_count, char** arguments) {
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
  return passed && ran ? 0 : 1;
}
