// Self-contained HTML pages: the attention of a sentence pair, and the film of a training run.
#pragma once

#include <string>
#include <vector>

#include "show/attention/attended_pair.h"

namespace plainformer {

struct AttentionPageText {
  std::string source, target;
  bool is_own_translation = false;  // by the model
};

// Shows any kind, layer and heads as lines between the words, as heat maps, and as tables of numbers.
std::string attention_page(const std::vector<AttentionOfKind>& kinds, const AttentionPageText& text);

// The frames that `train --frames N` has kept: where the decoder looks, what the model writes, and its loss.
// train/attention_frames.h writes the file and lists its fields.
struct RecordedFrames {
  struct Frame {
    Index step;
    double loss;           // NaN at step 0
    double sentence_loss;  // per target token
    std::string translation;
    std::vector<int> attention;  // thousandths, [heads, target_len, source_len]
  };
  std::string source_text, target_text;
  std::vector<std::string> source, target;  // tokens, </s> included
  Index layer = 0, heads = 0;
  std::vector<Frame> frames;  // at least one, steps ascending
};

// Reads an untrusted file: input_error with file and line. A last line without an end is ignored, because a
// run may still be writing it.
RecordedFrames read_frames(const std::string& path);

// The page that plays the frames. It has less than 1 MB: if there are too many frames, it takes every second,
// fourth, ... and always the last. input_error if a single frame is too large.
std::string film_page(const RecordedFrames& recorded);

}  // namespace plainformer
