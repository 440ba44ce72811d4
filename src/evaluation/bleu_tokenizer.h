// Splits a segment into the tokens whose n-grams BLEU counts. Two BLEU scores can be compared only if both
// texts were split in the same way.
//
// The tokens are those of sacrebleu 2.6.0, where it has the tokenizer. Malformed UTF-8, which sacrebleu refuses,
// passes byte by byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plainformer {

// The first three are sacreBLEU's.
enum class BleuTokenization { k13a, kNone, kChar, kAtSpaces, kCompounds };

// The tokens of a segment, by the function below that belongs to `tokenization`.
std::vector<std::string> tokenize(BleuTokenization tokenization, std::string_view segment);

// Its name in a signature: "13a", "none", "char", "spaces" or "spaces+compounds".
std::string name_of(BleuTokenization tokenization);

// "13a", the rules of NIST's mteval-v13a as sacreBLEU applies them: entities undone; ASCII punctuation split
// off, but full stop and comma not between digits, the hyphen only after a digit, the apostrophe never; white
// space as Unicode defines it.
std::vector<std::string> tokenize_13a(std::string_view segment);

// "none": split at the white space of Unicode.
std::vector<std::string> tokenize_none(std::string_view segment);

// "char": each character (code point) but white space is a token.
std::vector<std::string> tokenize_char(std::string_view segment);

// Text that is tokenized already: split at ASCII white space, as Moses' multi-bleu.perl does.
std::vector<std::string> tokenize_at_spaces(std::string_view segment);

// Text that is tokenized already, and words cut at their hyphens: "rich-text" becomes rich ##AT##-##AT##
// text. This is the count behind the paper's scores (get_ende_bleu.sh of tensor2tensor: s/(\S)-(\S)/$1
// ##AT##-##AT## $2/g, before multi-bleu.perl). Matches do not overlap: in "a-b-c" only the first hyphen is
// split.
std::vector<std::string> tokenize_compounds(std::string_view segment);

}  // namespace plainformer
