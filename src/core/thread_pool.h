// Threads that share the indices 0 .. count-1 of a loop.
//
// The rule of this project: a thread owns the outputs of its indices and never splits a reduction. So results
// are bitwise the same for any number of threads, and for any distribution of the indices.
//
// Only one thread of the program may call parallel_for or set_threads at a time (except for nested calls):
// two calls at once are a data race.
#pragma once

#include <type_traits>

#include "core/real.h"

namespace plainformer {

// The number of threads that parallel_for uses: default_threads() until set_threads changes it, and 1 inside
// a parallel_for. Both functions throw std::runtime_error if the system cannot start that many; set_threads
// then changes nothing.
int threads();
void set_threads(int count);  // 1 to 1024; not from inside a parallel_for

// The default: PLAINFORMER_THREADS, else the number of processors that this process may use (its affinity and
// the quota of its control groups), or 1 in the build to step through (preset debug). std::runtime_error if
// PLAINFORMER_THREADS is not a whole number from 1 to 1024.
int default_threads();

namespace detail {
using RangeFunction = void (*)(void* body, Index begin, Index end);
void parallel_for(Index count, Index grain, RangeFunction function, void* body);
}  // namespace detail

// Calls body(begin, end) for consecutive ranges that together cover 0 .. count-1 once, and waits for all.
//   grain   the smallest range worth waking a thread for. If count is at most that, with one thread, or
//           inside another parallel_for, this is one plain call, body(0, count). If count is 0, body is not
//           called
// After an exception from a body no new range begins. The first exception is rethrown here, once all threads
// have finished their ranges.
template <typename Body>
void parallel_for(Index count, Index grain, Body&& body) {
  using Function = std::remove_reference_t<Body>;
  const detail::RangeFunction call = [](void* function, Index begin, Index end) {
    (*static_cast<Function*>(function))(begin, end);
  };
  detail::parallel_for(count, grain, call, const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace plainformer
