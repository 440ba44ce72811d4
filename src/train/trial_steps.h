// The time of a training step on this machine, before there is any text in ids.
#pragma once

#include "data/parallel_corpus.h"
#include "train/train_settings.h"

namespace plainformer {

struct TrialTimes {
  double a_step = 0, a_validation = 0;  // seconds; that of a validation is a guess from the one of a step
};

// A trial begins no step after so many seconds: a sixtieth of --minutes, but at most 5.
double most_trial_seconds(double minutes);

// Makes a few steps of such a run with a model of its own and sentences of random pieces, as long as those of the text
// are on average, in a small batch. input_error if the model needs more memory than there is.
TrialTimes try_steps(const TrainSettings& settings, const ParallelCorpus& text);

}  // namespace plainformer
