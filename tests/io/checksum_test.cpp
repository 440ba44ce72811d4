#include "io/checksum.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

std::string checksum_of(std::string_view bytes) {
  return Checksum().add(bytes).hex();
}

std::string some_bytes(std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes += static_cast<char>(i * i + 7 * i);
  return bytes;
}

// Files carry these values: they must never change. They are what this code gave when the first file was
// written.
TEST(Checksum, StaysTheSameForever) {
  EXPECT_EQ(checksum_of(""), "681d8d34c448af0f");
  EXPECT_EQ(checksum_of("plainformer"), "7b129a31a21e86a0");
  EXPECT_EQ(checksum_of(some_bytes(1000)), "1942552498cff86c");
}

TEST(Checksum, DoesNotDependOnThePieces) {
  const std::string bytes = some_bytes(101);
  for (std::size_t first = 0; first <= bytes.size(); ++first) {
    for (std::size_t second = first; second <= bytes.size(); ++second) {
      const std::string_view all = bytes;
      Checksum checksum;
      checksum.add(all.substr(0, first)).add(all.substr(first, second - first)).add(all.substr(second));
      ASSERT_EQ(checksum.hex(), checksum_of(bytes)) << first << ", " << second;
    }
  }
}

}  // namespace
}  // namespace plainformer
