// A trace as JSON, for other programs: the values with all their digits. docs/reference.md has the schema.
#pragma once

#include <string>

#include "show/trace/trace.h"

namespace plainformer {

// One document; each record is one line of it.
std::string to_json(const Trace& trace);

}  // namespace plainformer
