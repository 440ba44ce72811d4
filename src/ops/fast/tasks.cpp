#include "ops/fast/tasks.h"

#include <atomic>

#include "core/thread_pool.h"

namespace plainformer {

void for_each_task(std::size_t count, const std::function<void(std::size_t)>& body) {
  const Index workers = count < tasks_at_once() ? 1 : threads();
  std::atomic<std::size_t> next = 0;
  parallel_for(workers, 1, [&](Index, Index) {
    try {
      for (std::size_t i; (i = next++) < count;) body(i);
    } catch (...) {
      next = count;  // the others finish what they have begun
      throw;
    }
  });
}

std::size_t tasks_at_once() {
  return threads();
}

}  // namespace plainformer
