// Every step of the ladder is the same matrix product.
#include "ops/fast/matmul_ladder.h"

#include <gtest/gtest.h>

#include <string>

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "support/matmul.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

// The plain steps have the bits of multiply with the scalar kernels, the others with the kernels in use, for
// any number of threads. 301 is more than a block and no multiple of a tile.
TEST(MatmulLadder, EachStepHasTheBitsOfMultiply) {
  const std::string in_use = kernels().name;
  for (const Index n : {0, 1, 7, 61, 301}) {
    const Tensor a = random_tensor({n, n}, 1), b = random_tensor({n, n}, 2);
    const Tensor fast = matmul(a, Transpose::kNo, b, Transpose::kNo);
    use_kernels("scalar");
    const Tensor plain = matmul(a, Transpose::kNo, b, Transpose::kNo);
    use_kernels(in_use);
    for (const int count : {1, 3}) {
      set_threads(count);
      for (std::size_t i = 0; i < kMatmulLadder.size(); ++i) {
        Tensor c({n, n});
        kMatmulLadder[i].multiply(n, a.data(), b.data(), c.mutable_data());
        EXPECT_TRUE(same_bits(c, i < 3 ? plain : fast)) << kMatmulLadder[i].name << ", n " << n;
      }
    }
  }
  set_threads(default_threads());
}

}  // namespace
}  // namespace plainformer
