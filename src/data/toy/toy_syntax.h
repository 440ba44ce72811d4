// Phrases, clauses and sentences from the words of toy_lexicon.h, in both languages at once.
//
// A German clause is arranged around two brackets. The subject stands before the left one, or after it if
// something else comes first:
//
//   before           left bracket   middle field             right bracket
//   der alte Mann    macht          die Tür nicht            auf              verb second
//   heute            macht          der alte Mann die Tür    auf              verb second, subject after
//   der alte Mann    will           die Tür nicht            aufmachen        modal verb
//   ... , dass       -              der alte Mann die Tür    aufmachen will   verb final
#pragma once

#include <optional>
#include <string>

#include "data/toy/toy_lexicon.h"

namespace plainformer::toy {

struct Phrase {
  std::string english, german;
};

// a small dog, these dogs, red apples
struct NounPhrase {
  Determiner determiner = Determiner::kThe;
  const Adjective* adjective = nullptr;  // may be absent
  const Noun* noun = nullptr;
  Number number = Number::kSingular;
};

Phrase noun_phrase(const NounPhrase& phrase, Case grammatical_case);

// in the garden / im Garten
Phrase prepositional_phrase(const Preposition& preposition, const NounPhrase& phrase);

// The subject of a clause, and the verb forms that agree with it.
struct Subject {
  Phrase phrase;
  Agreement agreement = Agreement::kThirdSingular;
  Determiner determiner = Determiner::kThe;  // of a noun alone
};

Subject pronoun(const Pronoun& pronoun);                                   // she
Subject noun(const NounPhrase& phrase);                                    // the girl
Subject noun_with(const NounPhrase& phrase, const NounPhrase& companion);  // the girl with the red book
Subject noun_and_noun(const NounPhrase& first, const NounPhrase& second);  // the girl and the dog

// The meaning of a clause, independent of a language.
struct Clause {
  Subject subject;
  const Verb* verb = nullptr;
  const Modal* modal = nullptr;  // may be absent
  bool negated = false;
  std::optional<NounPhrase> recipient;  // a ditransitive verb has one
  std::optional<NounPhrase> object;
  std::optional<Phrase> place;  // an intransitive verb may have one
};

// The king sleeps.  /  Der König schläft.
Phrase statement(const Clause& clause);

// Today the king sleeps.  /  Heute schläft der König.
Phrase statement_after(const SmallWord& adverb, const Clause& clause);

// I know that the king sleeps.  /  Ich weiß, dass der König schläft.
Phrase main_then_subordinate(const Clause& main, const SmallWord& conjunction, const Clause& subordinate);

// When the king sleeps, we dance.  /  Wenn der König schläft, tanzen wir.
Phrase subordinate_then_main(const SmallWord& conjunction, const Clause& subordinate, const Clause& main);

}  // namespace plainformer::toy
