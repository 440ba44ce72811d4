// Paper: 6.1 Machine Translation (Table 2, the training cost)
//
// "We estimate the number of floating point operations used to train a model by multiplying the training
// time, the number of GPUs used, and an estimate of the sustained single-precision floating-point capacity of
// each GPU" (footnote 5: 9.5 TFLOPS for a P100). So the paper's figure is the work that the GPUs could have
// done in that time. It does not count the work that the model needs.
#pragma once

namespace plainformer {

struct PaperTraining {
  double seconds, gpus, operations_a_second;

  double operations() const { return seconds * gpus * operations_a_second; }
};

inline constexpr PaperTraining kPaperBase = {12 * 3600.0, 8, 9.5e12};       // 12 hours
inline constexpr PaperTraining kPaperBig = {3.5 * 24 * 3600.0, 8, 9.5e12};  // 3.5 days

}  // namespace plainformer
