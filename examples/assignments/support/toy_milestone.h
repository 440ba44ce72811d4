// The toy of milestone 3, as `course milestone 3` and its test train it.
#pragma once

namespace plainformer::course {

inline constexpr int kToyWidth = 64;  // d_model
inline constexpr int kToyBatchTokens = 512, kToySteps = 1500;
inline constexpr double kAskedToyPercent = 95;  // of the held-out sentences, translated word for word

}  // namespace plainformer::course
