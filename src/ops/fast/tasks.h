// How the fast way shares work among the threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "core/real.h"

namespace plainformer {

// Calls body(i) for i = 0 .. count-1, such as the batches of a text. If there are at least as many indices as
// threads, each thread takes the next index when it is done with one, and computes it alone, so that nothing
// waits for small products. Otherwise the threads share the work within each call. The bits are the same.
// After an exception no call begins.
void for_each_task(std::size_t count, const std::function<void(std::size_t)>& body);

// The number of threads: that many tasks give each thread one.
std::size_t tasks_at_once();

namespace fast {

// The fewest rows of this length that are worth waking a thread for: some 16,000 elements, about ten
// microseconds of work.
inline Index row_grain(Index row_length) {
  return std::max<Index>(1, 16384 / std::max<Index>(1, row_length));
}

}  // namespace fast

}  // namespace plainformer
