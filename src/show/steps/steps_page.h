// One sentence through the model as a page of steps: each tensor in the order of its computation, forward and
// back, with the formula and the code that made it, its place in Figure 1, and the arithmetic of each of its
// cells.
#pragma once

#include <string>

#include "show/trace/trace.h"

namespace plainformer {

// A page takes some 6 bytes for each value: 9 MB for a sentence of ten words in the toy.
inline constexpr Index kMostStepValues = 3'000'000;

// The whole page: self-contained, and it needs its script.    trace: of which every value is shown
std::string steps_page(const Trace& trace);

// What the page shows, as JSON: its script can go on to the data of another trace.
std::string steps_data(const Trace& trace);

}  // namespace plainformer
