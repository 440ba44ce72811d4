// How often operations that multiply have been called. Within one operation all positions are independent of
// each other, so its threads may compute them in any order. A layer's operations wait for each other. So the
// number of calls shows how sequential a layer is: a constant for attention, the length for a recurrent
// layer.
#pragma once

#include <cstdint>

namespace plainformer {

// A layer's multiplying operation calls this once. The losses do not.
void count_operation_call();

// An operation whose loops do not count calls this instead: it counts a call, and the multiply-adds that it makes.
void count_operation(std::int64_t multiply_adds);

// All calls since the program began. As with multiply_adds(), two readings differ by the work between them.
std::int64_t operation_calls();

}  // namespace plainformer
