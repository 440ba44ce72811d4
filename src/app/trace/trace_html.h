// A trace as one self-contained HTML page: passes, layers, sub-layers and tensors to unfold, values as tables
// whose cells are tinted by size and sign. It needs no network, and no script to be read.
#pragma once

#include <string>

#include "app/trace/trace.h"

namespace plainformer {

// The whole page. All text in it is escaped, tokens are isolated in their direction.
// The end tags of cells and rows, which HTML lets out, are left out: they would be a fifth of the page.
std::string to_html(const Trace& trace);

}  // namespace plainformer
