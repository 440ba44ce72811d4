// Text cut at separators.
#include "core/split.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

using Parts = std::vector<std::string>;

TEST(SplitAt, HasOnePartMoreThanSeparators) {
  EXPECT_EQ(split_at(',', "a,,b"), (Parts{"a", "", "b"}));
  EXPECT_EQ(split_at(',', ",a,"), (Parts{"", "a", ""}));
  EXPECT_EQ(split_at(',', "a b"), Parts{"a b"});
  EXPECT_EQ(split_at(',', ""), Parts{""});
}

}  // namespace
}  // namespace plainformer
