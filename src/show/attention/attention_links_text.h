// The counts of `plainformer attention --find` for people.
#pragma once

#include <string>
#include <vector>

#include "show/attention/attention_links.h"

namespace plainformer {

// A table for each kind of attention in which A sees B. Below each stand two baselines, equal weights and the
// most common distance, and a sentence with the outcome.
std::string links_text(const std::vector<LinksOfKind>& kinds, bool with_bars);

}  // namespace plainformer
