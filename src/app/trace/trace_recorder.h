// Turns tensors into records, in the order in which they are computed.
#pragma once

#include "app/trace/trace.h"

namespace plainformer {

class TraceRecorder {
 public:
  // values: at most this many indices of an axis are shown, and twice as many of a sentence; 0 shows all
  explicit TraceRecorder(Index values) : values_(values) {}

  // The place of the records that follow: "Forward", "Encoder layer 0", "Self-attention".
  void enter(std::vector<std::string> path) { path_ = std::move(path); }

  // What a record says beside its values.
  struct Text {
    std::string name, section, equation;
  };
  // The axes are the last ones of the tensor; the extent of those before them is 1, and their own is set here.
  TraceRecord& add(const Text& text, const Tensor& tensor, std::vector<TraceAxis> axes);

  std::vector<TraceRecord> take() { return std::move(records_); }

 private:
  Index values_;
  std::vector<std::string> path_;
  std::vector<TraceRecord> records_;
};

TensorStatistics statistics_of(const Tensor& tensor);

}  // namespace plainformer
