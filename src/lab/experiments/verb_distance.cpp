#include "lab/experiments/verb_distance.h"

#include <algorithm>
#include <cstdlib>

#include "core/check.h"
#include "data/text.h"
#include "data/toy/toy_lexicon.h"

namespace plainformer {

namespace {

const toy::Verb* verb_of(std::string_view english) {
  for (const toy::Verb& verb : toy::kVerbs)
    if (english == verb.english || english == verb.english_third) return &verb;
  return nullptr;
}

// kaufe, kauft or kaufen; for a verb with a prefix also aufmache, aufmacht, aufmachen.
bool is_german_form(std::string_view german, const toy::Verb& verb) {
  if (german.starts_with(verb.prefix)) german.remove_prefix(verb.prefix.size());
  return german == verb.german_first || german == verb.german_third || german == verb.german_plural;
}

}  // namespace

Index verb_distance(const ToyPair& pair) {
  const auto english = split_words(pair.source), german = split_words(pair.target);
  Index largest = 0, after = 0;  // the clauses have the same order in both languages
  for (Index i = 0; i < std::ssize(english); ++i) {
    const toy::Verb* verb = verb_of(english[i]);
    if (verb == nullptr) continue;
    Index j = after;
    while (j < std::ssize(german) && !is_german_form(german[j], *verb)) ++j;
    CHECK(j < std::ssize(german), "no German form of \"", english[i], "\" in \"", pair.target, "\"");
    largest = std::max(largest, std::abs(j - i));
    after = j + 1;
  }
  return largest;
}

}  // namespace plainformer
