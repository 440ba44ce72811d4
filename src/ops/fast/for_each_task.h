// Independent tasks on all threads, such as the batches of a text.
#pragma once

#include <cstddef>
#include <functional>

namespace plainformer {

// Calls body(i) for i = 0 .. count-1. If there are at least as many indices as threads, each thread takes the next
// index when it is done with one, and computes it alone, so that nothing waits for small products. Otherwise the
// threads share the work within each call. The bits are the same. After an exception no call begins.
void for_each_task(std::size_t count, const std::function<void(std::size_t)>& body);

// With so many tasks, each thread has one.
std::size_t tasks_at_once();

}  // namespace plainformer
