#include "ops/ways.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "core/strings.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

std::string complaint(const std::string& names) {
  return error_of([&] { plain_ways(names, "--plain"); });
}

const std::string kHint =
    " (hint: give all, none, or some of "
    "adam,attention,byte_pairs,cross_entropy,decoding,elementwise,layer_norm,linear)";

// Each name alone makes one group plain, and the names of all of them are all.
TEST(Ways, EachGroupHasAName) {
  const std::string names = "adam,attention,byte_pairs,cross_entropy,decoding,elementwise,layer_norm,linear";
  EXPECT_EQ(plain_names(plain_ways(names, "--plain")), "all");
  EXPECT_EQ(plain_names(plain_ways("none", "--plain")), "none");
  const Ways named = plain_ways("layer_norm,attention", "--plain");
  EXPECT_EQ(plain_names(named), "attention,layer_norm");
  EXPECT_TRUE(named.attention == Way::kPlain && named.layer_norm == Way::kPlain &&
              named.linear == Way::kFast);
  for (const std::string& name : split_at(',', names))
    EXPECT_EQ(plain_names(plain_ways(name, "--plain")), name);
}

TEST(Ways, AnUnknownOrMissingNameIsRefusedWithTheChoices) {
  for (const auto& [names, unknown] : {std::pair{"softmax", "softmax"},
                                       {"attention, linear", " linear"},
                                       {"Attention", "Attention"},
                                       {"all,linear", "all"}})
    EXPECT_EQ(complaint(names),
              "--plain: there is no group of operations \"" + std::string(unknown) + "\"" + kHint);
  for (const std::string names : {"", ",", "attention,", ",attention", "attention,,linear"})
    EXPECT_EQ(complaint(names), "--plain: the name of a group of operations is missing" + kHint) << names;
}

TEST(Ways, AScopeEndsWithTheWaysBeforeIt) {
  const Ways before = ways, attention = plain_ways("attention", "test"), none = plain_ways("none", "test");
  {
    const WaysInScope outer(attention);
    EXPECT_EQ(ways, attention);
    {
      const WaysInScope inner(none);
      EXPECT_EQ(ways, none);
    }
    EXPECT_EQ(ways, attention);
    try {
      const WaysInScope inner(none);
      throw std::runtime_error("out of the scope");
    } catch (const std::runtime_error&) {
      EXPECT_EQ(ways, attention);
    }
  }
  EXPECT_EQ(ways, before);
}

// Of this very program: tests/CMakeLists.txt runs it both ways.
TEST(Ways, InUseAreThoseOfTheEnvironment) {
  const char* names = std::getenv("PLAINFORMER_PLAIN");
  EXPECT_EQ(ways, names ? plain_ways(names, "PLAINFORMER_PLAIN") : Ways());
}

}  // namespace
}  // namespace plainformer
