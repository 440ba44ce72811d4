// Does an operation go the way that is chosen for its group? The bits show which way it went, because the two
// ways round differently. (It says nothing of operations whose two ways give the same bits.)
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "ops/ways.h"
#include "support/tensors.h"

namespace plainformer {

using Tensors = std::vector<Tensor>;

// A double, without loss: the 53 bits of its fraction have room in three floats.
inline Tensor parts_of(double value) {
  Tensor parts({3});
  for (Index i = 0; i < 3; ++i) {
    parts.mutable_data()[i] = static_cast<Real>(value);
    value -= double(parts.data()[i]);
  }
  return parts;
}

class OwnWay : public testing::Test {
 protected:
  void SetUp() override {
    if (kernels().name == std::string("scalar")) GTEST_SKIP() << "scalar kernels round as the plain way does";
  }

  // Calls run with the operation itself, which must leave the fast way if its group alone is plain, and give
  // the bits of run with the fast way if all other groups are plain.
  template <typename Run, typename Operation>
  static void expect_own_way(const std::string& group, const Run& run, Operation* operation,
                             Operation* fast) {
    const Tensors fast_bits = Tensors{run(fast)};
    {
      const WaysInScope alone(plain_ways(group, "test"));
      EXPECT_FALSE(same_bits(Tensors{run(operation)}, fast_bits)) << group << " is plain";
    }
    Ways others = plain_ways("all", "test");
    const Ways its_own = plain_ways(group, "test");
    for (Way Ways::*way : {&Ways::adam, &Ways::attention, &Ways::cross_entropy, &Ways::decoding,
                           &Ways::elementwise, &Ways::layer_norm, &Ways::linear})
      if (its_own.*way == Way::kPlain) others.*way = Way::kFast;
    const WaysInScope all_others(others);
    EXPECT_TRUE(same_bits(Tensors{run(operation)}, fast_bits)) << group << " is fast";
  }

  const WaysInScope fast_otherwise_{plain_ways("none", "test")};  // for the operations that an operation uses
  const Tensor x = random_tensor({31, 203}, 1), y = random_tensor({31, 203}, 2);
};

}  // namespace plainformer
