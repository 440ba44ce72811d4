#include "app/peak_memory.h"

#include <gtest/gtest.h>

#include <memory>
#include <regex>

#include "app/small_model.h"
#include "sanitized.h"

namespace plainformer {
namespace {

using Bytes = std::unique_ptr<volatile char[]>;

// Memory of which each page is written to.
Bytes megabytes(std::size_t count) {
  Bytes bytes = std::make_unique<volatile char[]>(count << 20);
  for (std::size_t i = 0; i < count << 20; i += 1024) bytes[i] = 1;
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

TEST(PeakMemory, IsNotOfTheProcessThatStartedThisOne) {
  const TemporaryFolder folder;
  write_text(folder);
  const Bytes ours = megabytes(300);
  const ProgramResult result = run_program(train_arguments(folder, "model"));
  std::smatch peak;
  ASSERT_TRUE(std::regex_search(result.err, peak, std::regex("peak memory ([0-9]+) MB\n"))) << result.err;
  EXPECT_GT(std::stoi(peak[1]), 1);
  EXPECT_LT(std::stoi(peak[1]), 200);
}

}  // namespace
}  // namespace plainformer
