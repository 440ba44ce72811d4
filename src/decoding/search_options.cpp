#include "decoding/search_options.h"

#include "core/input_error.h"
#include "core/number_text.h"

namespace plainformer {

namespace {

constexpr Index kMaxBeam = 1000, kMaxExtraLength = 1'000'000, kMaxBatch = 100'000;

}  // namespace

void SearchOptions::check(const std::string& prefix) const {
  require_between(prefix + "beam", beam, 1, kMaxBeam);
  require_at_least(prefix + "n-best", n_best, 1);
  if (n_best > beam)
    throw input_error(prefix + "n-best",
                      std::to_string(n_best) + " is more than the beam, " + std::to_string(beam),
                      "choose a beam of at least " + std::to_string(n_best));
  require_between(prefix + "extra-length", limits.extra_length, 0, kMaxExtraLength);
  require_between(prefix + "batch", batch, 1, kMaxBatch);
  // With a negative penalty, short translations would win, and early termination would not be exact. NaN
  // fails too.
  if (!(length_penalty >= 0 && length_penalty <= 10)) {
    throw input_error(prefix + "length-penalty", shortest_text(length_penalty) + " is out of range",
                      "choose 0 to 10; the paper uses 0.6 to translate, and 0.3 to parse");
  }
}

}  // namespace plainformer
