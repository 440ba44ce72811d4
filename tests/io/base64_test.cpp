#include "io/base64.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

// The test vectors of RFC 4648, section 10.
TEST(Base64, FillsUpTheLastGroupOfThreeBytes) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, TakesBytesAsUnsigned) {
  EXPECT_EQ(base64("\xff\xfe\xfb"), "//77");
}

}  // namespace
}  // namespace plainformer
