// frames.jsonl: where the decoder looks while a model is trained, for one sentence (`train --frames N`).
//
// The first line is the sentence:
//   {"source_text", "target_text", "source", "target", "layer", "heads"}
//     source and target are its tokens, each with </s> at the end; layer is the decoder's last, from 0
// Each other line is a frame, of step 0 and then of every N-th step:
//   {"step", "loss", "sentence_loss", "translation", "attention"}
//     loss          of the step's batch, as in log.jsonl; null at step 0
//     sentence_loss of the reference target, in nats per target token, without label smoothing and dropout
//     translation   the model's own greedy one
//     attention     [head][target token][source token], the encoder-decoder attention in thousandths while
//                   the model reads the reference: the row of a target token is the one that writes it
#pragma once

#include <optional>
#include <string>

#include "io/json.h"
#include "train/corpora.h"
#include "transformer/transformer.h"

namespace plainformer {

// A longer sentence is cut, on each side, so that its picture stays readable.
inline constexpr Index kMostFrameTokens = 40;

// The pair of the built-in grammar to look at: of those that fit the screen, the longest with a clause that
// begins with "dass". In such a sentence the verb moves farthest. The first pair if none has one.
const ToyPair& pair_to_draw(const std::vector<ToyPair>& pairs);

// The sentence of a run's frames: --frame-source and --frame-target; else the held-out pair of the built-in
// grammar to look at; else the first pair of the validation text, or of the training text where there is no
// other.
ToyPair sentence_of_frames(const Settings& settings, const Corpora& text);

class AttentionFrames {
 public:
  // Begins the file, or removes one that an earlier run has left if settings.frames is 0. A resumed run,
  // which has made `steps`, keeps the frames up to there, unless it has another sentence. Keeps references to
  // the settings and to the corpora.
  AttentionFrames(const Settings& settings, const std::string& path, const Corpora& text,
                  const EncodedCorpora& corpora, Index steps);

  // Appends the frame of this step if the settings ask for it. A model that overflows has none. Changes no
  // bit of the training. std::runtime_error if the file cannot be written.
  void keep(const Transformer& model, Index step, std::optional<double> loss) const;

 private:
  JsonObject frame_of(const Transformer& model, Index step, std::optional<double> loss) const;

  const Settings& settings_;
  const TextEncoding& encoding_;
  std::string path_;
  SentencePair pair_;     // without </s>
  TranslationTask task_;  // the source alone
};

}  // namespace plainformer
