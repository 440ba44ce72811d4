#include <gtest/gtest.h>

#include <iostream>
#include <memory>

#include "io/temporary_folder.h"
#include "platform/platform.h"
#include "support/sanitized.h"
#include "system/process.h"

namespace plainformer {
namespace {

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
  ProcessSetup setup = as_role("tell_peak_memory");
  setup.out = folder.path_of("out");
  ChildProcess process(setup);
  ASSERT_EQ(process.wait().exit_code, 0);
  const double peak = std::stod(folder.read("out"));
  EXPECT_GT(peak, 1);
  EXPECT_LT(peak, 200);
}

}  // namespace
}  // namespace plainformer
