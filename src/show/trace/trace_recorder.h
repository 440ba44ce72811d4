// Turns tensors into records, in the order in which they are computed.
#pragma once

#include "show/trace/trace.h"

namespace plainformer {

// How many values all records may show together, the option that is to blame for more, and what helps.
struct TraceLimit {
  // A page takes some 20 bytes for each value (16.5 MB for all 820,582 of a short sentence of the toy).
  Index values = 8'000'000;
  const char* option = "--values";
  const char* hint = "choose fewer: 8 is the default";
};

class TraceRecorder {
 public:
  // values: at most so many indices of an axis are shown, and twice as many tokens of a sentence; 0: all
  explicit TraceRecorder(Index values, const TraceLimit& limit = {}) : values_(values), limit_(limit) {}

  // The place of the records that follow: "Forward", "Encoder layer 0", "Self-attention".
  void enter(std::vector<std::string> path) { path_ = std::move(path); }

  // The text of a record.
  struct Text {
    std::string name, section, equation;
  };
  // `axes` are the last axes of the tensor, and their extents are set here. Axes before them have extent 1.
  // std::runtime_error, which names the limit's option, if all records together would show too many values.
  TraceRecord& add(const Text& text, const Tensor& tensor, std::vector<TraceAxis> axes);

  std::vector<TraceRecord> take() { return std::move(records_); }

 private:
  Index values_;
  TraceLimit limit_;
  Index shown_values_ = 0;  // of all records
  std::vector<std::string> path_;
  std::vector<TraceRecord> records_;
};

TensorStatistics statistics_of(const Tensor& tensor);

}  // namespace plainformer
