#include "decoding/search_options.h"

#include "core/input_error.h"

namespace plainformer {

namespace {

constexpr Index kMaxBeam = 1000, kMaxExtraLength = 1'000'000, kMaxBatch = 100'000;

}  // namespace

void SearchOptions::check(const std::string& where) const {
  require_between(where + ": beam", beam, 1, kMaxBeam);
  require_between(where + ": n-best", n_best, 1, beam);
  require_between(where + ": extra length", limits.extra_length, 0, kMaxExtraLength);
  require_between(where + ": batch", batch, 1, kMaxBatch);
  // With a negative penalty, short translations would win, and early termination would not be exact. NaN
  // fails too.
  if (!(length_penalty >= 0 && length_penalty <= 10)) {
    throw input_error(where, "the length penalty is not from 0 to 10",
                      "the paper uses 0.6 to translate, and 0.3 to parse");
  }
}

}  // namespace plainformer
