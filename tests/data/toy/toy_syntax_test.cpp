#include "data/toy/toy_syntax.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

namespace plainformer::toy {
namespace {

template <typename Table>
const auto& entry(const Table& table, std::string_view english) {
  const auto found = std::find_if(std::begin(table), std::end(table),
                                  [&](const auto& word) { return word.english == english; });
  if (found == std::end(table)) throw std::invalid_argument("not in the lexicon: " + std::string(english));
  return *found;
}

NounPhrase one(Determiner determiner, std::string_view adjective, std::string_view noun) {
  return {determiner, adjective.empty() ? nullptr : &entry(kAdjectives, adjective), &entry(kNouns, noun),
          Number::kSingular};
}

NounPhrase many(Determiner determiner, std::string_view adjective, std::string_view noun) {
  NounPhrase phrase = one(determiner, adjective, noun);
  phrase.number = Number::kPlural;
  return phrase;
}

const Subject kShe = pronoun(entry(kPronouns, "she")), kWe = pronoun(entry(kPronouns, "we")),
              kI = pronoun(entry(kPronouns, "I"));

Clause clause(const Subject& subject, std::string_view verb, const std::optional<NounPhrase>& object = {}) {
  Clause result;
  result.subject = subject;
  result.verb = &entry(kVerbs, verb);
  result.object = object;
  return result;
}

Clause negated(Clause positive) {
  positive.negated = true;
  return positive;
}

Clause with_modal(std::string_view modal, Clause plain) {
  plain.modal = &entry(kModals, modal);
  return plain;
}

void expect_phrase(const Phrase& phrase, const std::string& english, const std::string& german) {
  EXPECT_EQ(phrase.english, english);
  EXPECT_EQ(phrase.german, german);
}

TEST(NounPhrase, AgreesInGenderNumberAndCase) {
  const auto the = Determiner::kThe, this_ = Determiner::kThis, a = Determiner::kA, no = Determiner::kNo,
             any = Determiner::kNotAny;
  const struct {
    NounPhrase phrase;
    const char *nominative, *accusative, *dative;
  } rows[] = {
      {one(the, "small", "dog"), "der kleine Hund", "den kleinen Hund", "dem kleinen Hund"},
      {one(the, "small", "cat"), "die kleine Katze", "die kleine Katze", "der kleinen Katze"},
      {one(the, "small", "horse"), "das kleine Pferd", "das kleine Pferd", "dem kleinen Pferd"},
      {many(the, "small", "dog"), "die kleinen Hunde", "die kleinen Hunde", "den kleinen Hunden"},
      {one(this_, "old", "man"), "dieser alte Mann", "diesen alten Mann", "diesem alten Mann"},
      {one(this_, "old", "woman"), "diese alte Frau", "diese alte Frau", "dieser alten Frau"},
      {one(this_, "old", "child"), "dieses alte Kind", "dieses alte Kind", "diesem alten Kind"},
      {many(this_, "old", "child"), "diese alten Kinder", "diese alten Kinder", "diesen alten Kindern"},
      {one(a, "red", "apple"), "ein roter Apfel", "einen roten Apfel", "einem roten Apfel"},
      {one(a, "red", "tomato"), "eine rote Tomate", "eine rote Tomate", "einer roten Tomate"},
      {one(a, "red", "book"), "ein rotes Buch", "ein rotes Buch", "einem roten Buch"},
      {many(a, "beautiful", "house"), "schöne Häuser", "schöne Häuser", "schönen Häusern"},
      {one(no, "young", "king"), "kein junger König", "keinen jungen König", "keinem jungen König"},
      {one(any, "", "queen"), "keine Königin", "keine Königin", "keiner Königin"},
      {one(any, "big", "window"), "kein großes Fenster", "kein großes Fenster", "keinem großen Fenster"},
      {many(no, "young", "king"), "keine jungen Könige", "keine jungen Könige", "keinen jungen Königen"},
  };
  for (const auto& [phrase, nominative, accusative, dative] : rows) {
    EXPECT_EQ(noun_phrase(phrase, Case::kNominative).german, nominative);
    EXPECT_EQ(noun_phrase(phrase, Case::kAccusative).german, accusative);
    EXPECT_EQ(noun_phrase(phrase, Case::kDative).german, dative);
  }
}

TEST(NounPhrase, EnglishArticles) {
  const std::pair<NounPhrase, const char*> rows[] = {
      {one(Determiner::kA, "", "dog"), "a dog"},       {one(Determiner::kA, "old", "dog"), "an old dog"},
      {one(Determiner::kA, "", "apple"), "an apple"},  {one(Determiner::kA, "red", "apple"), "a red apple"},
      {one(Determiner::kThis, "", "man"), "this man"}, {many(Determiner::kThis, "", "man"), "these men"},
      {one(Determiner::kNo, "", "king"), "no king"},   {many(Determiner::kA, "big", "house"), "big houses"}};
  for (const auto& [phrase, english] : rows)
    EXPECT_EQ(noun_phrase(phrase, Case::kNominative).english, english);
}

TEST(PrepositionalPhrase, GovernsTheDative) {
  expect_phrase(prepositional_phrase(kIn, one(Determiner::kThe, "old", "garden")), "in the old garden",
                "im alten Garten");
  expect_phrase(prepositional_phrase(kIn, one(Determiner::kThe, "", "church")), "in the church",
                "in der Kirche");
  expect_phrase(prepositional_phrase(kIn, one(Determiner::kA, "", "house")), "in a house", "in einem Haus");
  expect_phrase(prepositional_phrase(kIn, many(Determiner::kThe, "", "garden")), "in the gardens",
                "in den Gärten");
  expect_phrase(prepositional_phrase(kBehind, one(Determiner::kThe, "big", "window")),
                "behind the big window", "hinter dem großen Fenster");
  expect_phrase(prepositional_phrase(kWith, many(Determiner::kA, "red", "apple")), "with red apples",
                "mit roten Äpfeln");
}

TEST(Statement, VerbAgreesWithItsSubject) {
  const NounPhrase dog = one(Determiner::kThe, "", "dog");
  expect_phrase(statement(clause(kI, "see", dog)), "I see the dog", "ich sehe den Hund");
  expect_phrase(statement(clause(kShe, "see", dog)), "she sees the dog", "sie sieht den Hund");
  expect_phrase(statement(clause(kWe, "see", dog)), "we see the dog", "wir sehen den Hund");
  expect_phrase(statement(clause(noun(many(Determiner::kThe, "", "girl")), "see", dog)),
                "the girls see the dog", "die Mädchen sehen den Hund");
  const Subject both =
      noun_and_noun(one(Determiner::kThe, "", "man"), one(Determiner::kThis, "old", "woman"));
  expect_phrase(statement(clause(both, "get")), "the man and this old woman get up",
                "der Mann und diese alte Frau stehen auf");
  const Subject with = noun_with(one(Determiner::kThe, "", "man"), many(Determiner::kThe, "", "horse"));
  expect_phrase(statement(clause(with, "sleep")), "the man with the horses sleeps",
                "der Mann mit den Pferden schläft");
}

TEST(Statement, SeparableVerbComesApart) {
  const NounPhrase window = one(Determiner::kThe, "", "window");
  expect_phrase(statement(clause(kShe, "open", window)), "she opens the window", "sie macht das Fenster auf");
  expect_phrase(statement(clause(kI, "phone", one(Determiner::kThe, "young", "king"))),
                "I phone the young king", "ich rufe den jungen König an");
}

TEST(Statement, DativeObjects) {
  expect_phrase(statement(clause(kShe, "help", one(Determiner::kThe, "old", "man"))), "she helps the old man",
                "sie hilft dem alten Mann");
  Clause give = clause(kShe, "give", one(Determiner::kA, "red", "apple"));
  give.recipient = many(Determiner::kThe, "", "child");
  expect_phrase(statement(give), "she gives the children a red apple",
                "sie gibt den Kindern einen roten Apfel");
  expect_phrase(statement(negated(give)), "she does not give the children a red apple",
                "sie gibt den Kindern keinen roten Apfel");
}

TEST(Statement, NegationIsNichtOrKein) {
  const Subject child = noun(one(Determiner::kThe, "", "child"));
  expect_phrase(statement(negated(clause(child, "sleep"))), "the child does not sleep",
                "das Kind schläft nicht");
  expect_phrase(statement(negated(clause(child, "see", one(Determiner::kThe, "", "dog")))),
                "the child does not see the dog", "das Kind sieht den Hund nicht");
  expect_phrase(statement(negated(clause(child, "see", one(Determiner::kA, "big", "dog")))),
                "the child does not see a big dog", "das Kind sieht keinen großen Hund");
  expect_phrase(statement(negated(clause(kWe, "help", many(Determiner::kA, "big", "dog")))),
                "we do not help big dogs", "wir helfen keinen großen Hunden");
  expect_phrase(statement(clause(noun(one(Determiner::kNo, "", "child")), "sleep")), "no child sleeps",
                "kein Kind schläft");
}

TEST(Statement, NichtComesBeforeThePlace) {
  Clause sleep = clause(kShe, "sleep");
  sleep.place = prepositional_phrase(kIn, one(Determiner::kThe, "", "garden"));
  expect_phrase(statement(negated(sleep)), "she does not sleep in the garden", "sie schläft nicht im Garten");
}

TEST(Statement, ModalVerbSendsTheInfinitiveToTheEnd) {
  const Clause open = clause(kShe, "open", one(Determiner::kThe, "", "door"));
  expect_phrase(statement(with_modal("can", open)), "she can open the door", "sie kann die Tür aufmachen");
  expect_phrase(statement(with_modal("want to", open)), "she wants to open the door",
                "sie will die Tür aufmachen");
  expect_phrase(statement(negated(with_modal("want to", open))), "she does not want to open the door",
                "sie will die Tür nicht aufmachen");
  expect_phrase(statement(negated(with_modal("can", clause(kWe, "sleep")))), "we cannot sleep",
                "wir können nicht schlafen");
  expect_phrase(statement(with_modal("must", clause(kI, "get"))), "I must get up", "ich muss aufstehen");
  EXPECT_THROW(statement(negated(with_modal("must", open))), std::logic_error);
}

TEST(StatementAfter, VerbStaysSecond) {
  const Subject dog = noun(one(Determiner::kThe, "small", "dog"));
  expect_phrase(statement_after(kAdverbs[0], clause(dog, "see", one(Determiner::kA, "", "cat"))),
                "today the small dog sees a cat", "heute sieht der kleine Hund eine Katze");
  expect_phrase(statement_after(kAdverbs[3], clause(kWe, "shop")), "on Sunday we shop",
                "am Sonntag kaufen wir ein");
}

TEST(MainThenSubordinate, VerbIsFinal) {
  const Subject man = noun(one(Determiner::kThe, "old", "man"));
  const Clause open = clause(man, "open", one(Determiner::kThe, "", "window"));
  expect_phrase(main_then_subordinate(clause(kI, "know"), kThat, open),
                "I know that the old man opens the window",
                "ich weiß , dass der alte Mann das Fenster aufmacht");
  expect_phrase(main_then_subordinate(negated(clause(kShe, "say")), kThat, with_modal("can", open)),
                "she does not say that the old man can open the window",
                "sie sagt nicht , dass der alte Mann das Fenster aufmachen kann");
  expect_phrase(main_then_subordinate(clause(kWe, "dance"), kBecause, negated(open)),
                "we dance because the old man does not open the window",
                "wir tanzen , weil der alte Mann das Fenster nicht aufmacht");
}

TEST(SubordinateThenMain, SubordinateClauseCountsAsTheFirstPlace) {
  const Subject king = noun(one(Determiner::kThe, "", "king"));
  const Clause write =
      clause(noun(many(Determiner::kThe, "", "queen")), "write", one(Determiner::kA, "", "novel"));
  expect_phrase(subordinate_then_main(kWhen, clause(king, "sleep"), write),
                "when the king sleeps , the queens write a novel",
                "wenn der König schläft , schreiben die Königinnen einen Roman");
}

}  // namespace
}  // namespace plainformer::toy
