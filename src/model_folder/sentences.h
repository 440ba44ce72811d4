// Sentences as tokens, for the commands that show how a model treats a sentence.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "decoding/search_options.h"
#include "model_folder/model_folder.h"

namespace plainformer {

// Without special symbols. A piece that the vocabulary lacks keeps its spelling; its id is that of <unk>.
struct Sentence {
  std::vector<int> ids;
  std::vector<std::string> pieces;

  std::string text() const { return BytePairEncoding::join(pieces); }
};

// Text from a command line as one line of UTF-8: bytes that are not UTF-8 are replaced, ends of lines are spaces.
std::string one_line(std::string text);

Sentence sentence_of_text(LoadedModel& model, const std::string& text);
Sentence sentence_of_ids(const LoadedModel& model, const std::vector<int>& ids);

using Warn = std::function<void(const std::string&)>;

// Prints warnings to standard error, each on one line after the names of the program and the command.
Warn warnings_of(const std::string& command);

// Text as `plainformer translate` treats it: bytes that are not UTF-8 are replaced, and a sentence that is too
// long for the model is cut. Warns about a cut and about pieces that the vocabulary lacks.
//   where   "--source" or "test.en:17"
Sentence read_sentence(LoadedModel& model, const std::string& text, const std::string& where,
                       const Warn& warn);

// The translations. An empty sentence has an empty one, as in `plainformer translate`. For more than one
// sentence it shows a progress bar.
std::vector<Sentence> translations_of(const LoadedModel& model, const std::vector<Sentence>& sources,
                                      const SearchOptions& options = kGreedy);

}  // namespace plainformer
