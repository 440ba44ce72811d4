// Sentences as tokens, for the commands that show how a model treats a sentence.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model_folder/translator.h"

namespace plainformer {

using Warn = std::function<void(const std::string&)>;

// The words that pieces spell: "low@@ est" is one word of two pieces.
struct PiecedWord {
  std::string text;
  Index first = 0, pieces = 0;  // its first piece, and how many it has
};

std::vector<PiecedWord> words_of_pieces(const std::vector<std::string>& pieces);

// Text from a command line as one line of UTF-8: bytes that are not UTF-8 are replaced, ends of lines are spaces.
std::string one_line(std::string text);

// The pieces of these ids.
Sentence sentence_of_ids(const LoadedModel& model, const std::vector<int>& ids);

// Text as `plainformer translate` treats it: bytes that are not UTF-8 are replaced, and a sentence that is too
// long for the model is cut. Warns in the words of SourceNotes.
//   where   "--source" or "test.en:17"
Sentence read_sentence(LoadedModel& model, const std::string& text, const std::string& where,
                       const Warn& warn);

// The best translation of each sentence. An empty sentence has an empty one, as in `plainformer translate`.
std::vector<Sentence> translations_of(const LoadedModel& model, const std::vector<Sentence>& sources,
                                      const SearchOptions& options = kGreedy,
                                      const DecodingProgress& progress = {});

}  // namespace plainformer
