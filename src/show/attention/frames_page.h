// The page that plays what `train --frames N` has kept: where the decoder looks, what the model writes, and its loss.
#pragma once

#include <string>

#include "show/attention/recorded_frames.h"

namespace plainformer {

// The page has less than 1 MB: of too many frames it takes every second, fourth ... one, and the last one. One
// self-contained file; its text cannot become code. input_error if a single frame is too large.
std::string frames_page(const RecordedFrames& recorded);

}  // namespace plainformer
