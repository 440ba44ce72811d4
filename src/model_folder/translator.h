// Text to the tokens that a model reads, and tokens to their translations.
#pragma once

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
  Index cut_from = 0;   // its tokens before SourceReader cut it; 0 if it did not
  // The words of the text that end in "@@", where blanks alone end a word.
  std::vector<std::string> like_pieces = {};

  std::string text() const { return words.join(BytePairEncoding::join(pieces)); }
};

// Translates a text with the best translation of each line, as `plainformer translate` does: a line is a sentence, an
// empty line stays empty, and a line that is too long for the model is cut. Every call prepares the weights anew, so
// give it many lines at once, or keep a Translator.
//   text   UTF-8; bytes that are not are replaced
std::string translate(LoadedModel& model, const std::string& text, const SearchOptions& options = {});

// Reads text for a model. Keeps references.
class SourceReader {
 public:
  // longest: the most tokens of a source that the model reads (longest_source)
  SourceReader(BytePairEncoding& byte_pairs, const Vocabulary& vocabulary, const WordRule& words,
               Index longest);
  explicit SourceReader(LoadedModel& model);

  // Cuts a text that is too long for the model.
  Sentence read(const std::string& text);

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
  // which is empty; the model is not asked. Where pieces that the vocabulary lacks are cut further, no translation has <unk>:
  // a model can learn to write it only from text for which its vocabulary was not made.
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
