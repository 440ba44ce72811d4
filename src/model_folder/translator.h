// Text to the tokens that a model reads, and tokens to their translations.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "decoding/decode_all.h"
#include "model_folder/model_folder.h"

namespace plainformer {

// The tokens of a sentence, without special symbols. A piece that the vocabulary lacks keeps its spelling; its id is
// that of <unk>.
struct Sentence {
  std::vector<int> ids;
  std::vector<std::string> pieces;
  WordRule words = {};  // of the model, to join them

  std::string text() const { return words.join(BytePairEncoding::join(pieces)); }
};

using Warn = std::function<void(const std::string&)>;

// Reads text for a model. Keeps references.
class SourceReader {
 public:
  // longest: the most tokens of a source that the model reads (longest_source)
  SourceReader(BytePairEncoding& byte_pairs, const Vocabulary& vocabulary, const WordRule& words,
               Index longest);
  explicit SourceReader(LoadedModel& model);

  // Shortens a text that is too long for the model, and warns about it.
  //   where   names the text in the warning: "--source" or "standard input:17"
  Sentence read(const std::string& text, const std::string& where = "", const Warn& warn = {});

 private:
  BytePairEncoding& byte_pairs_;
  const Vocabulary& vocabulary_;
  WordRule words_;
  Index longest_;
};

// Translates with a model that does not change meanwhile. Keeps references.
class Translator {
 public:
  Translator(const Transformer& model, const Vocabulary& vocabulary, const WordRule& words);
  explicit Translator(const LoadedModel& model);

  // The n_best translations of each source, in the order of the sources. A source without tokens has one translation,
  // which is empty; the model is not asked.
  //   sources   token ids without </s>, at most longest_source of them
  std::vector<Hypotheses> translate(const std::vector<std::vector<int>>& sources,
                                    const SearchOptions& options, const DecodingProgress& progress = {});

  // The text of each source's best translation.
  std::vector<std::string> best_texts(const std::vector<std::vector<int>>& sources,
                                      const SearchOptions& options);

  std::string text_of(const Hypothesis& translation) const;

 private:
  PreparedModel model_;
  const Vocabulary& vocabulary_;
  WordRule words_;
};

}  // namespace plainformer
