// Sentences of the built-in grammar as token ids, for pictures.
#pragma once

#include <string>
#include <vector>

#include "core/real.h"
#include "data/batching.h"

namespace plainformer {

struct ToyText {
  std::vector<SentencePair> pairs;
  Index vocab = 0;    // the size of their vocabulary
  std::string codes;  // the merges, as a codes file
};

// The first pairs of the grammar. Among 5000 or more all words occur; the vocabulary is then that of the preset `toy`.
ToyText toy_text(Index pairs);

}  // namespace plainformer
