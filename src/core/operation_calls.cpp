#include "core/operation_calls.h"

#include <atomic>

namespace plainformer {

namespace {

constinit std::atomic<std::int64_t> total = 0;

}  // namespace

void count_operation_call() {
  total.fetch_add(1, std::memory_order_relaxed);
}

std::int64_t operation_calls() {
  return total.load(std::memory_order_relaxed);
}

}  // namespace plainformer
