// The sentences of `plainformer attention` as tokens.
#pragma once

#include <string>
#include <vector>

#include "app/attention/attended_pair.h"

namespace plainformer {

// Text as `plainformer translate` treats it: bytes that are not UTF-8 are replaced, and a sentence that is too
// long for the model is cut. Prints a warning about a cut and about pieces that the vocabulary lacks.
//   where   "--source" or "test.en:17"
Sentence read_sentence(LoadedModel& model, const std::string& text, const std::string& where);

// The greedy translations; that of an empty sentence is empty.
std::vector<Sentence> translations_of(const LoadedModel& model, const std::vector<Sentence>& sources);

}  // namespace plainformer
