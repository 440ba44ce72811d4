// Words of a text, and the text of words. A model reads words with blanks between them; people write "schläft.".
// Where text is cut into words and marks, a token says which blanks were not there, so the cut can be undone:
//
//   Ein Mann (links) schläft.  <->  Ein Mann (￭ links ￭) schläft ￭.
#pragma once

#include <string>
#include <string_view>

#include "core/named_tensor.h"

namespace plainformer {

// How the text of a model becomes words, and its rare words pieces. By default, blanks alone end a word, and the text must
// be tokenized.
struct WordRule {
  bool marks = false;  // each mark of punctuation, and each character of Han, Thai, ..., is a word of its own
  bool case_marks = false;    // besides, a capital becomes a mark and a small letter; needs `marks`
  bool cuts_unknown = false;  // pieces that the vocabulary lacks are cut further (data/unknown_pieces.h)

  // The words of a line, with a blank between them; without marks, the line itself. Any bytes are allowed.
  std::string cut(std::string_view line) const;

  // Undoes cut: for every line of UTF-8, join(cut(line)) is the line, up to blanks. ASCII white space is a
  // blank; at the line's ends there are none, and between two words there is one. Takes any words.
  std::string join(std::string_view words) const;

  friend bool operator==(const WordRule&, const WordRule&) = default;
};

// The names of a rule's choices: "spaces" or "marks"; "as-is" or "marks"; "unk" or "cut". input_error, which names
// `where`, for other names, and for marks of case without marks of words.
WordRule word_rule_of(const std::string& words, const std::string& letter_case,
                      const std::string& unknown_pieces, const std::string& where);
std::string words_name(const WordRule& rule);
std::string case_name(const WordRule& rule);
std::string unknown_pieces_name(const WordRule& rule);

// The rule as metadata of a model. Models without such metadata are cut at blanks, and the default has none.
Metadata metadata_of(const WordRule& rule);
WordRule word_rule_from(const Metadata& metadata, const std::string& where);

}  // namespace plainformer
