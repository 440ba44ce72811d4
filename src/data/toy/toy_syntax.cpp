#include "data/toy/toy_syntax.h"

#include <initializer_list>
#include <string_view>

#include "core/check.h"

namespace plainformer::toy {
namespace {

// The words with single spaces between them; an absent word is empty.
std::string join(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (word.empty()) continue;
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

// The phrases in this order, in both languages.
Phrase join(std::initializer_list<Phrase> phrases) {
  Phrase all;
  for (const auto& [english, german] : phrases)
    all = {join({all.english, english}), join({all.german, german})};
  return all;
}

template <typename Word>
Phrase phrase_of(const Word& word) {
  return {std::string(word.english), std::string(word.german)};
}

std::string concatenate(std::string_view first, std::string_view second) {
  return std::string(first).append(second);
}

bool starts_with_vowel(std::string_view word) {
  return std::string_view("aeiou").find(word.front()) != std::string_view::npos;
}

std::string_view english_determiner(Determiner determiner, Number number, std::string_view next_word) {
  const bool plural = number == Number::kPlural;
  if (determiner == Determiner::kThe) return "the";
  if (determiner == Determiner::kThis) return plural ? "these" : "this";
  if (determiner == Determiner::kNo) return "no";
  if (plural) return "";
  return starts_with_vowel(next_word) ? "an" : "a";
}

// Empty where there is no article.
std::string german_determiner(Determiner determiner, int row, int column) {
  const bool plural = column == kColumns - 1;
  if (determiner == Determiner::kThe) return std::string(kDefiniteArticle[row][column]);
  if (determiner == Determiner::kThis) return concatenate("dies", kStrongEnding[row][column]);
  if (determiner == Determiner::kA && plural) return "";
  return concatenate(determiner == Determiner::kA ? "ein" : "kein", kEndingOfEin[row][column]);
}

// The ending of an adjective depends on how much the article already shows.
std::string_view adjective_ending(Determiner determiner, int row, int column) {
  if (determiner == Determiner::kThe || determiner == Determiner::kThis) return kWeakEnding[row][column];
  const bool has_article = !german_determiner(determiner, row, column).empty();
  return has_article ? kMixedEnding[row][column] : kStrongEnding[row][column];
}

Agreement agreement_with(Number number) {
  return number == Number::kPlural ? Agreement::kPlural : Agreement::kThirdSingular;
}

// "does not want to look for"
std::string english_verb(const Clause& clause) {
  const Verb& verb = *clause.verb;
  const bool third = clause.subject.agreement == Agreement::kThirdSingular;
  if (clause.modal) {
    const Modal& modal = *clause.modal;
    const std::string_view affirmative = third ? modal.english_third : modal.english;
    const std::string_view negative = third ? modal.negated_third : modal.negated;
    CHECK(!clause.negated || !negative.empty(), modal.english, " has no negation");
    return join({clause.negated ? negative : affirmative, verb.english, verb.particle});
  }
  if (clause.negated) return join({third ? "does not" : "do not", verb.english, verb.particle});
  return join({third ? verb.english_third : verb.english, verb.particle});
}

struct ClauseWords {
  std::string english;
  std::string subject, left_bracket, middle_field, right_bracket;  // German, verb second
  std::string final_verbs;                                         // German, verb final: both brackets in one
};

void place_german_verbs(const Clause& clause, ClauseWords& words) {
  const Verb& verb = *clause.verb;
  const Agreement agreement = clause.subject.agreement;
  if (clause.modal) {  // er will die Tür aufmachen; dass er die Tür aufmachen will
    words.left_bracket =
        agreement == Agreement::kPlural ? clause.modal->german_plural : clause.modal->german_singular;
    words.right_bracket = concatenate(verb.prefix, verb.german_plural);
    words.final_verbs = join({words.right_bracket, words.left_bracket});
  } else {  // er macht die Tür auf; dass er die Tür aufmacht
    const bool is_plural = agreement == Agreement::kPlural, is_first = agreement == Agreement::kFirstSingular;
    words.left_bracket = is_plural ? verb.german_plural : is_first ? verb.german_first : verb.german_third;
    words.right_bracket = verb.prefix;
    words.final_verbs = concatenate(words.right_bracket, words.left_bracket);
  }
}

ClauseWords clause_words(const Clause& clause) {
  // Step 1. Objects. An indefinite object is negated by "kein"; otherwise "nicht" follows the objects.
  Phrase recipient, object;
  std::string_view negation = clause.negated ? "nicht" : "";
  if (clause.recipient) recipient = noun_phrase(*clause.recipient, Case::kDative);
  if (clause.object) {
    NounPhrase phrase = *clause.object;
    if (clause.negated && phrase.determiner == Determiner::kA) {
      phrase.determiner = Determiner::kNotAny;
      negation = "";
    }
    object = noun_phrase(phrase, clause.verb->frame == Frame::kDative ? Case::kDative : Case::kAccusative);
  }
  const Phrase place = clause.place.value_or(Phrase{});

  // Step 2. English: all parts in this order.
  ClauseWords words;
  words.english = join({clause.subject.phrase.english, english_verb(clause), recipient.english,
                        object.english, place.english});

  // Step 3. German: the middle field and the brackets around it.
  words.subject = clause.subject.phrase.german;
  words.middle_field = join({recipient.german, object.german, negation, place.german});
  place_german_verbs(clause, words);
  return words;
}

// The clause after something else. The verb stays second, and the subject follows it.
Phrase verb_before_subject(const Clause& clause) {
  const ClauseWords words = clause_words(clause);
  return {words.english, join({words.left_bracket, words.subject, words.middle_field, words.right_bracket})};
}

Phrase verb_final(const Clause& clause) {
  const ClauseWords words = clause_words(clause);
  return {words.english, join({words.subject, words.middle_field, words.final_verbs})};
}

}  // namespace

Phrase noun_phrase(const NounPhrase& phrase, Case grammatical_case) {
  const Noun& noun = *phrase.noun;
  const Adjective* adjective = phrase.adjective;
  const bool plural = phrase.number == Number::kPlural, is_dative = grammatical_case == Case::kDative;

  const std::string_view english_noun = plural ? noun.english_plural : noun.english;
  const std::string_view english_adjective = adjective ? adjective->english : "";
  const std::string_view after_article = adjective ? english_adjective : english_noun;
  const std::string_view article = english_determiner(phrase.determiner, phrase.number, after_article);

  const int row = static_cast<int>(grammatical_case);
  const int column = plural ? kColumns - 1 : static_cast<int>(noun.gender);
  const std::string german_adjective =
      adjective ? concatenate(adjective->german, adjective_ending(phrase.determiner, row, column)) : "";
  return {join({article, english_adjective, english_noun}),
          join({german_determiner(phrase.determiner, row, column), german_adjective,
                !plural     ? noun.german
                : is_dative ? noun.german_dative_plural
                            : noun.german_plural})};
}

Phrase prepositional_phrase(const Preposition& preposition, const NounPhrase& phrase) {
  const Phrase inner = noun_phrase(phrase, Case::kDative);
  const std::string_view german = inner.german;
  const bool has_dem = german.starts_with("dem ");
  return {join({preposition.english, inner.english}),
          has_dem ? join({preposition.with_dem, german.substr(4)}) : join({preposition.german, german})};
}

Subject pronoun(const Pronoun& pronoun) {
  return {phrase_of(pronoun), pronoun.agreement};
}

Subject noun(const NounPhrase& phrase) {
  return {noun_phrase(phrase, Case::kNominative), agreement_with(phrase.number), phrase.determiner};
}

Subject noun_with(const NounPhrase& phrase, const NounPhrase& companion) {
  return {join({noun_phrase(phrase, Case::kNominative), prepositional_phrase(kWith, companion)}),
          agreement_with(phrase.number)};
}

Subject noun_and_noun(const NounPhrase& first, const NounPhrase& second) {
  const Phrase one = noun_phrase(first, Case::kNominative), other = noun_phrase(second, Case::kNominative);
  return {join({one, {"and", "und"}, other}), Agreement::kPlural};
}

Phrase statement(const Clause& clause) {
  const ClauseWords words = clause_words(clause);
  return {words.english, join({words.subject, words.left_bracket, words.middle_field, words.right_bracket})};
}

Phrase statement_after(const SmallWord& adverb, const Clause& clause) {
  return join({phrase_of(adverb), verb_before_subject(clause)});
}

Phrase main_then_subordinate(const Clause& main, const SmallWord& conjunction, const Clause& subordinate) {
  return join({statement(main), {"", ","}, phrase_of(conjunction), verb_final(subordinate)});
}

Phrase subordinate_then_main(const SmallWord& conjunction, const Clause& subordinate, const Clause& main) {
  return join({phrase_of(conjunction), verb_final(subordinate), {",", ","}, verb_before_subject(main)});
}

}  // namespace plainformer::toy
