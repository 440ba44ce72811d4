// On Windows a stack is aligned to 16 bytes, and some compilers keep vectors of 32 and 64 bytes in it as if
// it were aligned to those (GCC bug 54412). So each kernel runs on a stack at each multiple of 16.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "kernels/kernel_agreement.h"
#include "support/sanitized.h"

namespace plainformer {
namespace {

using Results = std::vector<double>;

constexpr Index kLength = 101;

void append(Results& results, const std::vector<Output*>& outputs) {
  for (Output* output : outputs)
    for (Index i = 0; i < output->size; ++i) results.push_back((*output)[i]);
}

void add_products(const Kernels& kernel_set, bool in_pairs, Results& results) {
  constexpr Index kDepth = 5;
  const auto micro_kernel = in_pairs ? kernel_set.micro_kernel_bf16 : kernel_set.micro_kernel;
  const Index widest = std::max(kernel_set.tile_cols, 2 * kernel_set.row_tile_cols);
  Input a(2 * kernel_set.tile_rows * kDepth, 1), b(2 * kDepth * widest, 2), bias(widest, 3);
  if (in_pairs) {
    for (Input* x : {&a, &b})
      kernel_set.pair_neighbors(std::ssize(x->storage) - kOffset - 64, x->data(), x->data());
  }
  const auto multiply = [&](Index rows, Index cols) {
    Output c(rows * cols);
    micro_kernel({rows, cols, kDepth, a.data(), kDepth, 1, b.data(), cols, c.data(), cols,
                  /*accumulate=*/false, bias.data()});
    append(results, {&c});
  };
  for (Index rows = 1; rows <= kernel_set.tile_rows; ++rows)
    for (Index cols = 1; cols <= kernel_set.tile_cols; ++cols) multiply(rows, cols);
  multiply(1, kernel_set.row_tile_cols);
  multiply(1, widest);  // the kernel of a single row
}

void add_packing(const Kernels& kernel_set, Results& results) {
  constexpr Index kDepth = 6;
  const Index width = kernel_set.tile_cols;
  Input from(width * width, 4);
  Output packed(kDepth * width), transposed(kDepth * width), rows(kDepth / 2 * width), neighbors(width / 2);
  kernel_set.pack(width, kDepth, from.data(), width, width, packed.data());
  kernel_set.pack_transposed(width, kDepth, from.data(), width, transposed.data());
  kernel_set.pair_rows(kDepth, width, from.data(), rows.data());
  kernel_set.pair_neighbors(width, from.data(), neighbors.data());
  append(results, {&packed, &transposed, &rows, &neighbors});
}

void add_vectors(const Kernels& kernel_set, Results& results) {
  const Index n = kLength;
  Input x(n, 5), y(n, 6), gain(n, 9), bias(n, 10);
  Output sum(n, 1), scaled(n), shifted(n), dropped(n), value(n, 1), first(n, 1), second(n, 1);
  kernel_set.add(n, x.data(), sum.data());
  kernel_set.scale(n, 2, x.data(), scaled.data());
  kernel_set.scale_and_shift(n, 2, 3, x.data(), shifted.data());
  kernel_set.dropout(n, random_stream(1, 2, 3), 4, 1u << 30, 2, x.data(), dropped.data());
  const AdamStep step = {Real(0.1),  Real(0.9), Real(0.98), Real(1e-9), Real(0.1),
                         Real(0.02), Real(0.5), Real(0.5),  Real(1)};
  kernel_set.adam(n, step, x.data(), value.data(), first.data(), second.data());

  Output softmax_gradient(n), exponentials(n), norm(n), grad_x(n), grad_gain(n, 0), grad_bias(n, 0);
  Real mean = 0, rstd = 0;
  kernel_set.softmax_gradient(n, Real(0.5), y.data(), x.data(), softmax_gradient.data());
  kernel_set.layer_norm(n, x.data(), gain.data(), bias.data(), Real(1e-5), norm.data(), &mean, &rstd);
  kernel_set.layer_norm_backward(n, y.data(), x.data(), gain.data(), mean, rstd, grad_x.data());
  kernel_set.layer_norm_backward_parameters(1, n, y.data(), x.data(), n, &mean, &rstd, grad_gain.data(),
                                            grad_bias.data());
  const Real largest = kernel_set.largest(n, x.data());
  for (const double number :
       {kernel_set.sum(n, x.data()), double(kernel_set.dot(n, x.data(), y.data())),
        kernel_set.sum_of_squares(n, x.data()), double(largest), kernel_set.fma_chains(10).sum,
        kernel_set.exp_sum(n, largest, x.data(), nullptr),
        kernel_set.exp_sum(n, 1, x.data(), exponentials.data())})
    results.push_back(number);
  append(results, {&sum, &scaled, &shifted, &dropped, &value, &first, &second, &softmax_gradient,
                   &exponentials, &norm, &grad_x, &grad_gain, &grad_bias});
}

Results results_of(const Kernels& kernel_set) {
  Results results;
  add_products(kernel_set, /*in_pairs=*/false, results);
  add_products(kernel_set, /*in_pairs=*/true, results);
  add_packing(kernel_set, results);
  add_vectors(kernel_set, results);
  return results;
}

struct ShiftedRun {
  Results results;
  std::uintptr_t stack = 0;  // the address of a number in the stack
};

// Lets a frame of `sixteenths` * 16 bytes lie above the call.
template <int sixteenths>
ShiftedRun run_below(const Kernels& kernel_set) {
  volatile char shift[16 * sixteenths];
  shift[0] = 0;
  ShiftedRun run = {.results = results_of(kernel_set), .stack = reinterpret_cast<std::uintptr_t>(shift)};
  shift[0] = 1;
  return run;
}

class StackAlignment : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(AllKernels, StackAlignment, testing::ValuesIn(supported_kernels()),
                         [](const auto& instance) { return instance.param; });

TEST_P(StackAlignment, NoKernelNeedsMoreThan16Bytes) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer lays out frames of its own";
  using RunBelow = ShiftedRun (*)(const Kernels&);
  // Volatile, so that each call has a frame of its own.
  const volatile RunBelow runs[] = {run_below<8>, run_below<9>, run_below<10>, run_below<11>};
  const Kernels& kernel_set = find_kernels(GetParam());
  const Results expected = results_of(kernel_set);
  std::set<std::uintptr_t> alignments;
  for (const volatile RunBelow& run : runs) {
    const ShiftedRun shifted = run(kernel_set);
    EXPECT_EQ(shifted.results, expected);
    alignments.insert(shifted.stack % 64);
  }
  EXPECT_EQ(alignments.size(), 4u) << "the frames do not shift the stack";
}

}  // namespace
}  // namespace plainformer
