// Files with a JSON value in each line (log.jsonl), which a killed program may leave with a part of a line at the end.
#pragma once

#include <functional>
#include <string>

#include "io/json.h"

namespace plainformer {

// The lines whose value is to be kept, each with its line break. Ends before the first line that is no JSON.
// std::runtime_error if the file cannot be read.
std::string kept_json_lines(const std::string& path, const std::function<bool(const JsonValue&)>& is_kept);

}  // namespace plainformer
