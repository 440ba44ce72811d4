// Text to the tokens that a model reads, and tokens to their translations.
#pragma once

#include <string>
#include <vector>

#include "decoding/decode_all.h"
#include "model_folder/model_folder.h"
#include "report/terminal.h"

namespace plainformer {

// A line of more bytes is cut before a model reads it. No model reads that much.
inline constexpr std::size_t kMostSentenceBytes = 1 << 20;

// A word that SourceReader reads in the case that the model knows: "THE" as "the".
struct WordInAnotherCase {
  std::string written, read;
};

// The tokens of a sentence, without special symbols. A piece that the vocabulary lacks keeps its spelling;
// its id is that of <unk>.
struct Sentence {
  std::vector<int> ids;
  std::vector<std::string> pieces;
  WordRule words = {};        // the model's rule, which joins them
  Index cut_from = 0;         // its tokens before SourceReader cut it; 0 if it did not
  bool line_was_cut = false;  // its line had more than kMostSentenceBytes
  // The words of the text that end in "@@", where blanks alone end a word.
  std::vector<std::string> like_pieces = {};
  std::vector<WordInAnotherCase> in_another_case = {};

  std::string text() const { return words.join(BytePairEncoding::join(pieces)); }
};

// The pieces of a sentence, and </s>.
std::vector<std::string> with_end(std::vector<std::string> pieces);

// The words that pieces spell: "low@@ est" is one word of two pieces.
struct PiecedWord {
  std::string text;
  Index first = 0, pieces = 0;  // its first piece, and how many it has
};

std::vector<PiecedWord> words_of_pieces(const std::vector<std::string>& pieces);

// Text from a command line as one line of UTF-8: bytes that are not UTF-8 are replaced, ends of lines are
// spaces.
std::string one_line(std::string text);

// Translates a text with the best translation of each line, as `plainformer translate` does: a line is a
// sentence, an empty line stays empty, and a line that is too long for the model is cut. Every call prepares
// the weights again, so give it many lines at once, or keep a Translator.
//   text   UTF-8; bytes that are not are replaced
std::string translate(LoadedModel& model, const std::string& text, const SearchOptions& options = {});

enum class Side { kSource, kTarget };

// Reads text for a model. Keeps references.
//
// A capital says little about "Dogs" at the beginning of a line, or in a line where all words have one: "THE
// DOG". There a word is read in small letters, or as "Dog", if that takes fewer pieces, all of them in the
// vocabulary. Words with digits and addresses stay as they are, and so does "DPIM" among small letters if the
// model has its pieces.
class SourceReader {
 public:
  // longest: the most tokens of a source that the model reads (longest_source)
  SourceReader(TextEncoding& text, Index longest) : text_(text), longest_(longest) {}
  explicit SourceReader(LoadedModel& model);

  // Cuts a text that is too long for the model. A target is read as it is written.
  Sentence read(const std::string& text, Side side = Side::kSource);

 private:
  // The line's words, each in the case that the model knows.
  std::string in_known_case(const std::string& words, std::vector<WordInAnotherCase>& changed);
  std::string word_in_known_case(const std::string& word, bool begins_line);
  std::vector<std::string> pieces_of(const std::string& words);
  Index pieces_needed(const std::string& word);

  TextEncoding& text_;
  Index longest_;
};

// Translates with a model that does not change meanwhile. Keeps references.
class Translator {
 public:
  Translator(const Transformer& model, const TextEncoding& text) : model_(model), text_(text) {}
  explicit Translator(const LoadedModel& model) : Translator(*model.transformer, model) {}

  // The n_best translations of each source, in the order of the sources. A source without tokens has one
  // translation, which is empty; the model is not asked. Where pieces that the vocabulary lacks are cut
  // further, no translation has <unk>: a model can learn to write it only from text for which its vocabulary
  // was not made.
  //   sources   token ids without </s>, at most longest_source of them
  std::vector<Hypotheses> translate(const std::vector<std::vector<int>>& sources,
                                    const SearchOptions& options, const DecodingProgress& progress = {});

  // The text of each source's best translation.
  std::vector<std::string> best_texts(const std::vector<std::vector<int>>& sources,
                                      const SearchOptions& options);

 private:
  PreparedModel model_;
  const TextEncoding& text_;
};

// The best translation of each sentence. An empty sentence has an empty one, as in `plainformer translate`.
std::vector<Sentence> translations_of(const LoadedModel& model, const std::vector<Sentence>& sources,
                                      const SearchOptions& options = kGreedy);

// Draws where the pieces of a translation looked: the encoder-decoder attention of the last layer, mean of
// the heads.
std::string draw_attention(const LoadedModel& model, const Sentence& source,
                           const std::vector<int>& translation, const AttentionMapStyle& style);

}  // namespace plainformer
