#include "core/multiply_adds.h"

#include <atomic>

namespace plainformer {

namespace {

// The count is relaxed: nothing else depends on the order of the additions, and parallel_for waits for its threads
// anyway.
constinit std::atomic<std::int64_t> products_made = 0;

}  // namespace

void count_multiply_adds(std::int64_t made) {
  products_made.fetch_add(made, std::memory_order_relaxed);
}

std::int64_t multiply_adds() {
  return products_made.load(std::memory_order_relaxed);
}

}  // namespace plainformer
