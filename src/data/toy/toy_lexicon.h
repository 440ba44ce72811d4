// The words of the toy language pair. Each English word has exactly one German word, so that each English
// sentence of toy_grammar.h has exactly one translation. (So "call", which is "anrufen" or "rufen", is not
// among them, and neither are the English "you" and "it".)
#pragma once

#include <string_view>

namespace plainformer::toy {

// --- Grammatical categories

enum class Gender { kMasculine, kFeminine, kNeuter };
enum class Number { kSingular, kPlural };
enum class Case { kNominative, kAccusative, kDative };

// The subject's person and number, as far as verbs distinguish them: I / he, she, the dog / we, they, the
// dogs.
enum class Agreement { kFirstSingular, kThirdSingular, kPlural };

// The kinds of nouns. A verb's subjects and objects and an adjective's nouns are sums of these.
enum Kind : unsigned {
  kPerson = 1,
  kAnimal = 2,
  kOpening = 4,
  kReading = 8,
  kFood = 16,
  kPlace = 32,
  kLiving = kPerson | kAnimal,
  kThing = kOpening | kReading | kFood | kPlace,
  kAnything = kLiving | kThing,
};

// --- Nouns

struct Noun {
  std::string_view english, english_plural;
  std::string_view german, german_plural, german_dative_plural;
  Gender gender;
  Kind kind;
};

inline constexpr Noun kNouns[] = {
    {"man", "men", "Mann", "Männer", "Männern", Gender::kMasculine, kPerson},
    {"king", "kings", "König", "Könige", "Königen", Gender::kMasculine, kPerson},
    {"woman", "women", "Frau", "Frauen", "Frauen", Gender::kFeminine, kPerson},
    {"queen", "queens", "Königin", "Königinnen", "Königinnen", Gender::kFeminine, kPerson},
    {"child", "children", "Kind", "Kinder", "Kindern", Gender::kNeuter, kPerson},
    {"girl", "girls", "Mädchen", "Mädchen", "Mädchen", Gender::kNeuter, kPerson},

    {"dog", "dogs", "Hund", "Hunde", "Hunden", Gender::kMasculine, kAnimal},
    {"cat", "cats", "Katze", "Katzen", "Katzen", Gender::kFeminine, kAnimal},
    {"horse", "horses", "Pferd", "Pferde", "Pferden", Gender::kNeuter, kAnimal},

    {"door", "doors", "Tür", "Türen", "Türen", Gender::kFeminine, kOpening},
    {"window", "windows", "Fenster", "Fenster", "Fenstern", Gender::kNeuter, kOpening},

    {"novel", "novels", "Roman", "Romane", "Romanen", Gender::kMasculine, kReading},
    {"book", "books", "Buch", "Bücher", "Büchern", Gender::kNeuter, kReading},

    {"apple", "apples", "Apfel", "Äpfel", "Äpfeln", Gender::kMasculine, kFood},
    {"tomato", "tomatoes", "Tomate", "Tomaten", "Tomaten", Gender::kFeminine, kFood},

    {"garden", "gardens", "Garten", "Gärten", "Gärten", Gender::kMasculine, kPlace},
    {"church", "churches", "Kirche", "Kirchen", "Kirchen", Gender::kFeminine, kPlace},
    {"house", "houses", "Haus", "Häuser", "Häusern", Gender::kNeuter, kPlace},
};

// --- Articles and adjectives

enum class Determiner {
  kThe,     // the dog   der Hund
  kThis,    // this dog  dieser Hund, these dogs  diese Hunde
  kA,       // a dog     ein Hund,    dogs        Hunde (no article)
  kNo,      // no dog    kein Hund
  kNotAny,  // the object of a negated verb: does not see a dog   sieht keinen Hund
};

// The columns of a German table of declension: the genders differ in the singular only.
inline constexpr int kColumns = 4;  // masculine, feminine, neuter, plural
inline constexpr int kCases = 3;    // nominative, accusative, dative

using Declension = std::string_view[kCases][kColumns];

inline constexpr Declension kDefiniteArticle = {
    {"der", "die", "das", "die"},
    {"den", "die", "das", "die"},
    {"dem", "der", "dem", "den"},
};
// The endings of dies- ("diesen"), and of an adjective without an article ("rote Tomaten"), which are strong
// because nothing else shows the case.
inline constexpr Declension kStrongEnding = {
    {"er", "e", "es", "e"},
    {"en", "e", "es", "e"},
    {"em", "er", "em", "en"},
};
// The endings of ein and kein. There is no plural of ein.
inline constexpr Declension kEndingOfEin = {
    {"", "e", "", "e"},
    {"en", "e", "", "e"},
    {"em", "er", "em", "en"},
};
// The endings of an adjective after der and dies-: weak.
inline constexpr Declension kWeakEnding = {
    {"e", "e", "e", "en"},
    {"en", "e", "e", "en"},
    {"en", "en", "en", "en"},
};
// The endings of an adjective after ein and kein: mixed.
inline constexpr Declension kMixedEnding = {
    {"er", "e", "es", "en"},
    {"en", "e", "es", "en"},
    {"en", "en", "en", "en"},
};

struct Adjective {
  std::string_view english;
  std::string_view german;  // without an ending
  unsigned nouns;           // the kinds that it describes
};

inline constexpr Adjective kAdjectives[] = {
    {"old", "alt", kAnything},
    {"small", "klein", kAnything},
    {"big", "groß", kAnything},
    {"beautiful", "schön", kAnything},
    {"young", "jung", kLiving},
    {"red", "rot", kThing},
    {"new", "neu", kOpening | kReading | kPlace},
};

// --- Pronouns

struct Pronoun {
  std::string_view english, german;
  Agreement agreement;
};

inline constexpr Pronoun kPronouns[] = {
    {"I", "ich", Agreement::kFirstSingular},   {"we", "wir", Agreement::kPlural},
    {"they", "sie", Agreement::kPlural},       {"he", "er", Agreement::kThirdSingular},
    {"she", "sie", Agreement::kThirdSingular},
};

// --- Verbs

enum class Frame {  // the verb's complements
  kIntransitive,    // sleep
  kAccusative,      // see the dog           den Hund sehen
  kDative,          // help the dog          dem Hund helfen
  kDitransitive,    // give the dog the apple  dem Hund den Apfel geben
  kThatClause,      // know that ...         wissen , dass ...
};

struct Verb {
  std::string_view english, english_third, particle;  // look, looks, for
  std::string_view german_first, german_third,
      german_plural;        // mache, macht, machen (the infinitive as well)
  std::string_view prefix;  // auf: macht ... auf, but aufmachen
  Frame frame;
  unsigned subjects, objects;  // kinds of nouns
};

inline constexpr Verb kVerbs[] = {
    {"sleep", "sleeps", "", "schlafe", "schläft", "schlafen", "", Frame::kIntransitive, kLiving, 0},
    {"dance", "dances", "", "tanze", "tanzt", "tanzen", "", Frame::kIntransitive, kLiving, 0},
    {"shop", "shops", "", "kaufe", "kauft", "kaufen", "ein", Frame::kIntransitive, kPerson, 0},
    {"get", "gets", "up", "stehe", "steht", "stehen", "auf", Frame::kIntransitive, kLiving, 0},

    {"see", "sees", "", "sehe", "sieht", "sehen", "", Frame::kAccusative, kLiving, kAnything},
    {"look", "looks", "for", "suche", "sucht", "suchen", "", Frame::kAccusative, kLiving, kAnything},
    {"buy", "buys", "", "kaufe", "kauft", "kaufen", "", Frame::kAccusative, kPerson, kAnimal | kThing},
    {"write", "writes", "", "schreibe", "schreibt", "schreiben", "", Frame::kAccusative, kPerson, kReading},
    {"eat", "eats", "", "esse", "isst", "essen", "", Frame::kAccusative, kPerson, kFood},
    {"open", "opens", "", "mache", "macht", "machen", "auf", Frame::kAccusative, kPerson, kOpening},
    {"close", "closes", "", "mache", "macht", "machen", "zu", Frame::kAccusative, kPerson, kOpening},
    {"phone", "phones", "", "rufe", "ruft", "rufen", "an", Frame::kAccusative, kPerson, kPerson},

    {"help", "helps", "", "helfe", "hilft", "helfen", "", Frame::kDative, kPerson, kLiving},
    {"give", "gives", "", "gebe", "gibt", "geben", "", Frame::kDitransitive, kPerson,
     kAnimal | kReading | kFood},

    {"know", "knows", "", "weiß", "weiß", "wissen", "", Frame::kThatClause, kPerson, 0},
    {"say", "says", "", "sage", "sagt", "sagen", "", Frame::kThatClause, kPerson, 0},
};

struct Modal {
  std::string_view english, english_third, negated, negated_third;
  std::string_view german_singular, german_plural;  // ich kann, er kann, wir können
};

inline constexpr Modal kModals[] = {
    {"can", "can", "cannot", "cannot", "kann", "können"},
    {"want to", "wants to", "do not want to", "does not want to", "will", "wollen"},
    {"must", "must", "", "", "muss", "müssen"},  // never negated: "must not" is another verb, "nicht dürfen"
};

// --- Small words

// Prepositions of place. All of them govern the dative here.
struct Preposition {
  std::string_view english, german;
  std::string_view with_dem;  // in + dem is im
  unsigned nouns;
};

inline constexpr Preposition kIn{"in", "in", "im", kPlace};
inline constexpr Preposition kBehind{"behind", "hinter", "hinter dem", kPlace | kOpening};
inline constexpr Preposition kWith{"with", "mit", "mit dem", kAnimal | kReading | kFood};

// An adverb or a conjunction.
struct SmallWord {
  std::string_view english, german;
};

inline constexpr SmallWord kAdverbs[] = {
    {"today", "heute"}, {"now", "jetzt"}, {"sometimes", "manchmal"}, {"on Sunday", "am Sonntag"}};

inline constexpr SmallWord kThat{"that", "dass"};
inline constexpr SmallWord kBecause{"because", "weil"};
inline constexpr SmallWord kWhen{"when", "wenn"};

}  // namespace plainformer::toy
