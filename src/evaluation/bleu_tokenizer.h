// Splits a segment into the tokens whose n-grams BLEU counts. Two BLEU scores can be compared only if both
// texts were split in the same way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plainformer {

// "13a", the rules of NIST's mteval-v13a as sacreBLEU applies them: entities undone; ASCII punctuation split
// off, but full stop and comma not between digits, the hyphen only after a digit, the apostrophe never; white
// space as Unicode defines it. The tokens are those of sacrebleu 2.6.0; malformed UTF-8, which sacrebleu
// refuses, passes byte by byte.
std::vector<std::string> tokenize_13a(std::string_view segment);

// Text that is tokenized already: split at ASCII white space, as Moses' multi-bleu.perl does.
std::vector<std::string> tokenize_at_spaces(std::string_view segment);

// Text that is tokenized already, and words cut at their hyphens: "rich-text" becomes rich ##AT##-##AT##
// text. This is the count behind the paper's scores (get_ende_bleu.sh of tensor2tensor: s/(\S)-(\S)/$1
// ##AT##-##AT## $2/g, before multi-bleu.perl). Matches do not overlap: in "a-b-c" only the first hyphen is
// split.
std::vector<std::string> tokenize_compounds(std::string_view segment);

}  // namespace plainformer
