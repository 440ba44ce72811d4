#include "app/search_settings.h"

namespace plainformer {

SearchOptions SearchSettings::options() const {
  SearchOptions options;
  options.beam = beam;
  options.n_best = n_best;
  options.batch = batch;
  options.limits.extra_length = extra_length;
  options.length_penalty = static_cast<Real>(length_penalty);
  options.check("--");
  if (options.beam == 1) options.length_penalty = 0;  // greedy search does not compare lengths
  return options;
}

void add_search_options(CommandLine& line, SearchSettings* settings, int paper_beam) {
  line.option("--beam", "N", &settings->beam,
              "hypotheses kept; 1 is greedy search, the paper uses " + std::to_string(paper_beam));
  line.option("--length-penalty", "X", &settings->length_penalty,
              "alpha of beam search (with --beam 2 or more); 0 ranks by probability only");
  line.option("--extra-length", "N", &settings->extra_length,
              "an output is at most this many tokens longer than its input");
  line.option("--batch", "N", &settings->batch, "sentences decoded together");
}

}  // namespace plainformer
