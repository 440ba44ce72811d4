// A trace as one self-contained HTML page. Passes, layers, sub-layers and tensors unfold. Values are tables
// whose cells are tinted by sign and size. It needs no network, and it can be read without its script.
#pragma once

#include <string>

#include "show/trace/trace.h"

namespace plainformer {

// The whole page. All text in it is escaped, and tokens do not affect the text direction around them.
// End tags of cells and rows are optional in HTML. The page omits them, because they would be a fifth of it.
std::string to_html(const Trace& trace);

}  // namespace plainformer
