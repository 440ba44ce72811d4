#include "core/operation_calls.h"

#include <atomic>

#include "core/multiply_adds.h"

namespace plainformer {

namespace {

constinit std::atomic<std::int64_t> calls_made = 0;

}  // namespace

void count_operation_call() {
  calls_made.fetch_add(1, std::memory_order_relaxed);
}

void count_operation(std::int64_t multiply_adds) {
  count_operation_call();
  count_multiply_adds(multiply_adds);
}

std::int64_t operation_calls() {
  return calls_made.load(std::memory_order_relaxed);
}

}  // namespace plainformer
