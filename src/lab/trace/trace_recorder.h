// Turns tensors into records, in the order in which they are computed.
#pragma once

#include "lab/trace/trace.h"

namespace plainformer {

class TraceRecorder {
 public:
  // values: at most so many indices of an axis are shown, and twice as many tokens of a sentence; 0: all
  explicit TraceRecorder(Index values) : values_(values) {}

  // The place of the records that follow: "Forward", "Encoder layer 0", "Self-attention".
  void enter(std::vector<std::string> path) { path_ = std::move(path); }

  // The text of a record.
  struct Text {
    std::string name, section, equation;
  };
  // `axes` are the last axes of the tensor, and their extents are set here. Axes before them have extent 1.
  // std::runtime_error, which names --values, if all records together would show too many values.
  TraceRecord& add(const Text& text, const Tensor& tensor, std::vector<TraceAxis> axes);

  std::vector<TraceRecord> take() { return std::move(records_); }

 private:
  Index values_;
  Index shown_values_ = 0;  // of all records
  std::vector<std::string> path_;
  std::vector<TraceRecord> records_;
};

TensorStatistics statistics_of(const Tensor& tensor);

}  // namespace plainformer
