// The options of decoding that several commands share.
#pragma once

#include "command_line/command_line.h"
#include "decoding/search_options.h"

namespace plainformer {

struct SearchSettings {
  Index beam = 1, n_best = 1, batch = 32, extra_length = 50;
  double length_penalty = 0.6;

  // Throws std::runtime_error, which names the option and its range.
  SearchOptions options() const;
};

// Adds --beam, --length-penalty, --extra-length and --batch.    paper_beam: the paper's beam for this task
void add_search_options(CommandLine& line, SearchSettings* settings, int paper_beam);

}  // namespace plainformer
