// The time of a training step on this machine, before there is any text in ids.
#pragma once

#include "data/parallel_corpus.h"
#include "runs/train_settings.h"

namespace plainformer {

// Makes a few steps of such a run with a model of its own and sentences of random pieces, as long as those of the text
// are on average, and returns the seconds of one, as a small batch tells them. Takes a few seconds at most. input_error
// if the model needs more memory than there is.
double seconds_of_a_step(const TrainSettings& settings, const ParallelCorpus& text);

}  // namespace plainformer
