#include "ops/ragged_matmul.h"

#include <algorithm>

#include "core/thread_pool.h"
#include "ops/panels.h"

namespace plainformer {

namespace {

void multiply_unpacked(const SmallProduct& product) {
  const auto& [a, b, c, c_row_stride] = product;
  CHECK(a.cols == b.rows, "inner extents ", a.cols, " and ", b.rows);
  multiply_panels(strips_in_place(a), panels_in_place(b), c, c_row_stride, false);
}

// The fewest products of about that size that repay waking a thread: some 100,000 multiply-adds.
Index product_grain(const SmallProduct& product) {
  const Index work = product.a.rows * product.a.cols * product.b.cols;
  return std::max<Index>(1, 100'000 / std::max<Index>(1, work));
}

}  // namespace

void ragged_matmul(std::span<const SmallProduct> products) {
  if (products.empty()) return;
  parallel_for(std::ssize(products), product_grain(products.front()), [&](Index begin, Index end) {
    for (const SmallProduct& product : products.subspan(begin, end - begin)) multiply_unpacked(product);
  });
}

}  // namespace plainformer
