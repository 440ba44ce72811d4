// Paper: 1 Introduction, measured: training runs of the three translators, and how many sentences each gets right.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "lab/experiments/experiments.h"
#include "lab/experiments/translator_training.h"

namespace plainformer {

inline constexpr std::array kTranslatorKinds = {TranslatorKind::kTransformer, TranslatorKind::kRecurrent,
                                                TranslatorKind::kChain};

// The sentences that are translated, for one seed.
struct TestSentences {
  std::vector<Index> words;   // of the English sentence
  std::vector<Index> places;  // that a verb moves (verb_distance)
};

struct TranslatorRuns {
  std::vector<Index> over;               // the steps after which the models were tested, ascending
  std::vector<TestSentences> sentences;  // [seed]
  std::array<std::vector<std::vector<TranslatorResult>>, 3> results;  // [kind][place in over][seed]
  std::array<Index, 3> weights = {};                                  // [kind]
};

// Trains all models with each seed. Shows the progress on stderr.
TranslatorRuns translator_runs(const ExperimentOptions& options);

// Words, or places, from the first to the last, both included.
struct NumberRange {
  Index first, last;

  bool has(Index number) const { return number >= first && number <= last; }
  std::string name() const;  // "5", or "6 to 8"
};

inline constexpr std::array<NumberRange, 4> kWordRanges = {{{3, 5}, {6, 8}, {9, 11}, {12, 14}}};
inline constexpr std::array<NumberRange, 6> kPlaceRanges = {
    {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 14}}};

// The sentences of all seeds that have so many words and whose verbs move so many places, and how many of them each
// model gets right at the end of its training.
struct RightSentences {
  Index sentences = 0;
  std::array<Index, 3> right = {};  // [kind]
};
RightSentences right_sentences(const TranslatorRuns& runs, NumberRange words, NumberRange places);

}  // namespace plainformer
