// Errors of the user or of the data: one line with the place, the problem and a remedy.
#pragma once

#include <stdexcept>
#include <string>

#include "core/real.h"

namespace plainformer {

// The error of a file or an option: "corpus.en:17: not valid UTF-8 (hint: convert it with iconv)". One line,
// safe to print on a terminal: control characters, which a hostile file or name may contain, become "?".
//   where   "file", "file:line" or "--option"
std::runtime_error input_error(const std::string& where, const std::string& problem, const std::string& hint);

// Throws the input_error "name: value is out of range (hint: choose least to most)" unless
// least <= value <= most.
//   name   "--merges" or "model.safetensors: heads"
void require_between(const std::string& name, Index value, Index least, Index most);

// Throws the input_error "name: value is out of range (hint: choose at least 1)" unless value >= least.
void require_at_least(const std::string& name, Index value, Index least);

// The remedy for a probability or a share that must not be 1.
inline constexpr const char* kChooseBelowOne = "choose at least 0 and less than 1";

// Throws the input_error "name: value is out of range", with that remedy, unless 0 <= value < 1. NaN is out
// of range, too.
void require_below_one(const std::string& name, double value);

}  // namespace plainformer
