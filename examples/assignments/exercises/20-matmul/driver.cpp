#include "driver.h"

#include <algorithm>
#include <vector>

#include "core/thread_pool.h"
#include "core/writable_tensor.h"
#include "ops/fast/matmul_ladder.h"
#include "vector_tile.h"

namespace plainformer::course {
namespace {

constexpr Real kUntouched = 77;
constexpr Index kFence = 512;

// Small whole numbers: every order of the additions gives the same sums. Zeros follow, so that code which reads
// too far finds the same in every run.
std::vector<Real> whole_numbers(Index count, unsigned seed) {
  const Tensor random = random_input({count}, seed);
  std::vector<Real> numbers(random.data(), random.data() + count);
  for (Real& number : numbers) number = static_cast<Real>(static_cast<int>(3 * number));
  numbers.resize(2 * count + kFence);
  return numbers;
}

// Sums of c's rows and of its columns, by their numbers: large matrices in few numbers.
void show_sums(const char* name, Index n, const std::vector<Real>& c) {
  double sum = 0, by_row = 0, by_column = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      sum += c[i * n + j];
      by_row += static_cast<double>(i) * c[i * n + j];
      by_column += static_cast<double>(j * j) * c[i * n + j];
    }
  const double numbers[] = {sum, by_row, by_column};
  show(name, numbers);
}

void show_step(const MatmulStep& step, Index n) {
  const std::vector<Real> a = whole_numbers(n * n, 1), b = whole_numbers(n * n, 2);
  std::vector<Real> c(n * n, kUntouched);
  step.multiply(n, a.data(), b.data(), c.data());
  show_sums(step.name, n, c);
}

void show_all() {
  set_threads(3);
  use_kernels(tile_kernels().name);
  show_step(kMatmulLadder[1], 61);
  show_step(kMatmulLadder[2], 131);
  show_step(kMatmulLadder[3], 300);
  show_step(kMatmulLadder[4], 131);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"the matrix product", show_all}};
}

}  // namespace plainformer::course
