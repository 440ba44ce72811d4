// What several commands share: options in a range, --threads, and standard output at the end.
#pragma once

#include "core/real.h"

namespace plainformer {

// input_error that names the option and what would fit, unless least <= value <= most.
void require_between(const char* option, Index value, Index least, Index most);

// The same without an upper bound.
void require_at_least(const char* option, Index value, Index least);

// 0 keeps the default. std::runtime_error for a number that makes no sense.
void use_threads(Index count);

// For after the last line: std::runtime_error if standard input ended because it cannot be read (a folder,
// say).
void check_input();

// Flushes standard output. std::runtime_error if it could not take everything (a full disk, say). Returns 0.
int finish_output();

}  // namespace plainformer
