// Splits a segment into the tokens whose n-grams BLEU counts. Two BLEU scores can be compared only if both
// texts were split in the same way.
//
// The first three ways are sacreBLEU's (2.6.0). Malformed UTF-8, which sacreBLEU refuses, passes byte by
// byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plainformer {

enum class BleuTokenization {
  // The rules of NIST's mteval-v13a as sacreBLEU applies them: entities undone; ASCII punctuation split off,
  // but full stop and comma not between digits, the hyphen only after a digit, the apostrophe never; white
  // space as Unicode defines it.
  k13a,
  // Splits at the white space of Unicode.
  kNone,
  // Each character (code point) but white space is a token.
  kChar,
  // Text that is tokenized already: splits at ASCII white space, as Moses' multi-bleu.perl does.
  kAtSpaces,
  // Text that is tokenized already, and words cut at their hyphens: "rich-text" becomes rich ##AT##-##AT##
  // text. This is the count behind the paper's scores (get_ende_bleu.sh of tensor2tensor: s/(\S)-(\S)/$1
  // ##AT##-##AT## $2/g, before multi-bleu.perl). Matches do not overlap: in "a-b-c" only the first hyphen is
  // split.
  kCompounds
};

std::vector<std::string> tokenize(BleuTokenization tokenization, std::string_view segment);

// Its name in a signature: "13a", "none", "char", "spaces" or "spaces+compounds".
std::string name_of(BleuTokenization tokenization);

}  // namespace plainformer
