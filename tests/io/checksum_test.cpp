#include "io/checksum.h"

#include <gtest/gtest.h>

#include <set>

namespace plainformer {
namespace {

std::string checksum_of(std::string_view bytes) {
  Checksum checksum;
  checksum.add(bytes);
  return checksum.hex();
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
      Checksum checksum;
      checksum.add(std::string_view(bytes).substr(0, first));
      checksum.add(std::string_view(bytes).substr(first, second - first));
      checksum.add(std::string_view(bytes).substr(second));
      ASSERT_EQ(checksum.hex(), checksum_of(bytes)) << first << ", " << second;
    }
  }
}

TEST(Checksum, SeesEveryFlippedBitAndEveryLength) {
  std::set<std::string> seen = {checksum_of(some_bytes(100))};
  for (std::size_t bit = 0; bit < 800; ++bit) {
    std::string bytes = some_bytes(100);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
    EXPECT_TRUE(seen.insert(checksum_of(bytes)).second) << "bit " << bit;
  }
  for (std::size_t length = 0; length < 100; ++length) {
    EXPECT_TRUE(seen.insert(checksum_of(std::string(length, '\0'))).second) << length << " zeros";
  }
}

}  // namespace
}  // namespace plainformer
