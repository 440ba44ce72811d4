// Paper: 1 Introduction. A test for each sentence that says how a layer computes.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/attention.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

constexpr Index kD = 6;

// "Attention mechanisms have become an integral part ..., allowing modeling of dependencies without regard to
// their distance in the input or output sequences": a word that stands elsewhere contributes as much.
TEST(Section1, AttentionModelsDependenciesWithoutRegardToTheirDistance) {
  constexpr Index kLen = 9;
  const AttentionMask mask = {.key_lengths = {kLen}, .causal = false};
  const Tensor query = random_tensor({1, 1, kD}, 1), word = random_tensor({1, 1, kD}, 2);
  const auto weight_of_word_at = [&](Index place) {
    Tensor key = Tensor::zeros({1, kLen, kD});
    std::copy_n(word.data(), kD, key.mutable_data() + place * kD);
    return weights_of(query, key, key, mask).at({0, 0, 0, place});
  };
  for (Index place = 1; place < kLen; ++place)
    EXPECT_NEAR(weight_of_word_at(place), weight_of_word_at(0), 1e-6) << place;
}

}  // namespace
}  // namespace plainformer
