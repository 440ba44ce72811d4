#include "data/toy/toy_grammar.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <unordered_set>
#include <utility>

#include "core/check.h"
#include "core/random.h"
#include "data/toy/toy_syntax.h"

namespace plainformer {
namespace {

using namespace toy;

constexpr Index kMinWords = 3;
constexpr Index kMaxWords = 14;

// Each draw is a statement of its own, because compilers evaluate function arguments in different orders.

// An entry that fits, by drawing until one does.
template <typename Table, typename Fits>
const auto& any_of(Random& random, const Table& table, Fits fits) {
  while (true) {
    const auto& entry = random.any_of(table);
    if (fits(entry)) return entry;
  }
}

NounPhrase random_noun_phrase(Random& random, unsigned kinds, std::span<const Determiner> determiners) {
  NounPhrase phrase;
  phrase.determiner = random.any_of(determiners);
  phrase.noun = &any_of(random, kNouns, [&](const Noun& noun) { return (noun.kind & kinds) != 0; });
  const auto describes = [&](const Adjective& adjective) {
    return (adjective.nouns & phrase.noun->kind) != 0;
  };
  phrase.adjective = random.happens(45) ? &any_of(random, kAdjectives, describes) : nullptr;
  phrase.number = random.happens(35) ? Number::kPlural : Number::kSingular;
  return phrase;
}

constexpr Determiner kDefinite[] = {Determiner::kThe, Determiner::kThe, Determiner::kThis};
constexpr Determiner kPositive[] = {Determiner::kThe, Determiner::kThis, Determiner::kA};
constexpr Determiner kAnyDeterminer[] = {Determiner::kThe, Determiner::kThe, Determiner::kThis,
                                         Determiner::kA, Determiner::kNo};

// The pronouns to choose from. In a sentence of two clauses, "he" or "she" could mean a noun of the other
// clause, whose gender may differ in German: das Mädchen ... es.
enum class Pronouns { kAll, kWithoutHeAndShe };

Subject random_subject(Random& random, unsigned kinds, Pronouns pronouns) {
  const Index form = random.below(100);
  if (form < 30) {
    return pronoun(any_of(random, kPronouns, [&](const Pronoun& pronoun) {
      const bool is_he_or_she = pronoun.agreement == Agreement::kThirdSingular;
      return pronouns == Pronouns::kAll || !is_he_or_she;
    }));
  }
  if (form < 40) {
    NounPhrase first = random_noun_phrase(random, kinds, kDefinite);
    NounPhrase second = random_noun_phrase(random, kinds, kDefinite);
    while (second.noun == first.noun) second = random_noun_phrase(random, kinds, kDefinite);
    return noun_and_noun(first, second);
  }
  if (form < 52) {
    const NounPhrase person = random_noun_phrase(random, kPerson, kDefinite);
    const NounPhrase companion = random_noun_phrase(random, kWith.nouns, kPositive);
    return noun_with(person, companion);
  }
  return noun(random_noun_phrase(random, kinds, kAnyDeterminer));
}

// A place is definite in a negated clause: "not in a house" could be "nicht in einem Haus" or "in keinem
// Haus".
Phrase random_place(Random& random, bool negated) {
  const Preposition& preposition = random.happens(60) ? kIn : kBehind;
  const std::span determiners = negated ? std::span<const Determiner>(kDefinite) : kPositive;
  return prepositional_phrase(preposition, random_noun_phrase(random, preposition.nouns, determiners));
}

// Sometimes negates the clause or adds a modal verb, if the sentence keeps a single translation: "a dog does
// not sleep" could be "kein Hund schläft", and "no dog must sleep" could be "darf".
void choose_polarity_and_modal(Random& random, Clause& clause) {
  const Determiner subject = clause.subject.determiner;
  const bool may_negate = subject != Determiner::kA && subject != Determiner::kNo;
  clause.negated = random.happens(35) && may_negate;
  if (clause.verb->frame == Frame::kThatClause || !random.happens(30)) return;
  const Modal& modal = random.any_of(kModals);
  const bool is_negative = clause.negated || subject == Determiner::kNo;
  if (!is_negative || !modal.negated.empty()) clause.modal = &modal;
}

Clause random_clause(Random& random, Pronouns pronouns, bool takes_that_clause = false) {
  const Verb& verb = any_of(random, kVerbs, [&](const Verb& each) {
    return (each.frame == Frame::kThatClause) == takes_that_clause;
  });
  Clause clause;
  clause.verb = &verb;
  clause.subject = random_subject(random, verb.subjects, pronouns);
  choose_polarity_and_modal(random, clause);
  if (verb.frame == Frame::kDitransitive) clause.recipient = random_noun_phrase(random, kPerson, kDefinite);
  if (verb.objects != 0) clause.object = random_noun_phrase(random, verb.objects, kPositive);
  if (verb.frame == Frame::kIntransitive && random.happens(50))
    clause.place = random_place(random, clause.negated);
  return clause;
}

// A sentence of one of ten forms, 0 to 9: three are statements, two begin with an adverb, five have a
// subordinate clause.
Phrase random_sentence(Random& random, Index form) {
  if (form < 3) return statement(random_clause(random, Pronouns::kAll));
  if (form < 5) {
    const SmallWord& adverb = random.any_of(kAdverbs);
    return statement_after(adverb, random_clause(random, Pronouns::kAll));
  }
  if (form < 7) {
    const Clause main = random_clause(random, Pronouns::kAll, /*takes_that_clause=*/true);
    return main_then_subordinate(main, kThat, random_clause(random, Pronouns::kWithoutHeAndShe));
  }
  const Clause first = random_clause(random, Pronouns::kWithoutHeAndShe);
  const Clause second = random_clause(random, Pronouns::kWithoutHeAndShe);
  if (form == 9) return subordinate_then_main(kWhen, first, second);
  return main_then_subordinate(first, form == 7 ? kBecause : kWhen, second);
}

bool has_right_length(const std::string& sentence) {
  const Index words = 1 + std::count(sentence.begin(), sentence.end(), ' ');
  return kMinWords <= words && words <= kMaxWords;
}

}  // namespace

ToyPair random_toy_pair(Random& random) {
  const Index form = random.below(10);
  while (true) {
    Phrase phrase = random_sentence(random, form);
    if (has_right_length(phrase.english) && has_right_length(phrase.german)) {
      return {std::move(phrase.english), std::move(phrase.german)};
    }
  }
}

ToyCorpus generate_toy_corpus(std::uint64_t seed, Index train_pairs, Index valid_pairs, Index test_pairs) {
  for (const Index pairs : {train_pairs, valid_pairs, test_pairs}) {
    CHECK(0 <= pairs && pairs <= kMaxToyPairs, pairs, " pairs of the toy grammar");
  }
  const Index total = train_pairs + valid_pairs + test_pairs;
  CHECK(total <= kMaxToyPairs, total, " pairs of the toy grammar, at most ", kMaxToyPairs);

  // Step 1. Draw distinct sentences.
  Random random(random_stream(seed, 0, random_site::kGrammar));
  std::unordered_set<std::string> seen;
  std::vector<ToyPair> pairs;
  while (std::ssize(pairs) < total) {
    ToyPair pair = random_toy_pair(random);
    if (seen.insert(pair.source).second) pairs.push_back(std::move(pair));
  }

  // Step 2. Split them after a shuffle: short sentences soon repeat, so the later draws are longer.
  shuffle(pairs, random);
  const auto valid = pairs.begin() + train_pairs;
  const auto test = valid + valid_pairs;
  return {{pairs.begin(), valid}, {valid, test}, {test, pairs.end()}};
}

}  // namespace plainformer
