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

TEST(Join, PutsTheSeparatorBetween) {
  EXPECT_EQ(join(", ", {"a", "", "b"}), "a, , b");
  EXPECT_EQ(join(", ", {"a"}), "a");
  EXPECT_EQ(join(", ", {}), "");
}

}  // namespace
}  // namespace plainformer
