// The frames that `train --frames N` has kept. train/attention_frames.h writes the file and lists its fields.
#pragma once

#include <string>
#include <vector>

#include "core/real.h"

namespace plainformer {

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

// Reads an untrusted file: input_error with file and line. A last line without an end is ignored, because a run may still
// be writing it.
RecordedFrames read_frames(const std::string& path);

}  // namespace plainformer
