// A trace shows one sentence on its way through the model. It is a list of records, one for each tensor of
// the forward and the backward pass. A record has the statistics of the whole tensor, but only a bounded part
// of its values, so a trace stays small even for a large model. Text, JSON and the step page are written from
// it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "model_folder/notes.h"

namespace plainformer {

using Words = std::vector<std::string>;

// An axis of a tensor, named as in the code: "source_len". Where its indices are tokens, they have names.
struct TraceAxis {
  std::string name;
  Index extent = 0;
  std::shared_ptr<const Words> words = nullptr;
  bool of_sentence = false;  // its indices are the positions of a sentence: more of them are shown

  // The name of an index: its token, or its number.
  std::string label(Index index) const;
};

// An axis of which the recorder finds the extent.
inline TraceAxis axis(const char* name) {
  return {.name = name};
}

// Statistics over all elements, of which there is at least one, also over those that are not shown.
struct TensorStatistics {
  double min = 0, mean = 0, max = 0;
  double deviation = 0;  // sqrt(mean of (x - mean)^2)
  double norm = 0;       // sqrt(sum of x^2)
};

struct TraceRecord {
  std::vector<std::string> path;  // its place: "Forward", "Encoder layer 0", "Self-attention"
  std::string name;               // "encoder.0.self_attention.scores"; no two records share one
  std::string section;            // the section of the paper: "3.2.1 (1)"
  std::string equation;           // in plain text: "scores = Q K^T / sqrt(d_k)"
  std::vector<TraceAxis> axes;    // one to three; the batch, which is one sentence, is left out
  TensorStatistics statistics;
  Tensor shown;           // the values at the first indices of each axis; the rank is the tensor's
  Words cell_words = {};  // the token of each shown value; mostly empty

  // The shown values as matrices: one, or one for each index of the first of three axes.
  Index matrices() const { return axes.size() == 3 ? shown.dim(0) : 1; }
  Index rows() const { return axes.size() == 1 ? 1 : shown.dim(-2); }
  Index columns() const { return shown.dim(-1); }
  double value(Index matrix, Index row, Index column) const {
    return static_cast<double>(shown.data()[(matrix * rows() + row) * columns() + column]);
  }
  // The axes of rows and columns. A vector is one row without a name.
  const TraceAxis* row_axis() const { return axes.size() == 1 ? nullptr : &axes[axes.size() - 2]; }
  const TraceAxis& column_axis() const { return axes.back(); }

  std::string shape() const;  // "[heads=4, query_len=11, key_len=11]"
  // Which part is shown: "the first 12 of 128 d_model"; "" if all is.
  std::string left_out() const;
};

struct Trace {
  std::string model;  // its folder, or "the page model"
  ModelConfig config;
  Words source, target;  // the pieces, with </s>
  std::string source_text, target_text;
  bool target_is_given = false;  // else it is the model's greedy translation
  double loss = 0;               // summed over the target's tokens, in nats
  double label_smoothing = 0;
  std::vector<TraceRecord> records;
};

// Keeps the records with these names, or whose names begin with one of them and a dot: "encoder.0" has all of
// the layer. input_error, which names --only, for a name that no record has.
void keep_only(Trace& trace, const std::vector<std::string>& names);

// The record of that name. std::logic_error if there is none.
const TraceRecord& find_record(const Trace& trace, const std::string& name);

// The most values that all records may show together. The step page takes some 6 bytes for each: 9 MB for a
// sentence of ten words in the toy.
inline constexpr Index kMostTraceValues = 3'000'000;

// Turns tensors into records, in the order in which they are computed.
class TraceRecorder {
 public:
  // values: the most indices of an axis to show; of the tokens of a sentence, twice as many; 0: all
  explicit TraceRecorder(Index values) : values_(values) {}

  // The place of the records that follow: "Forward", "Encoder layer 0", "Self-attention".
  void enter(std::vector<std::string> path) { path_ = std::move(path); }

  // The text of a record.
  struct Text {
    std::string name, section, equation;
  };
  // `axes` are the last axes of the tensor, and their extents are set here. Axes before them have extent 1.
  // std::runtime_error if all records together would show more than kMostTraceValues.
  TraceRecord& add(const Text& text, const Tensor& tensor, std::vector<TraceAxis> axes);

  std::vector<TraceRecord> take() { return std::move(records_); }

 private:
  Index values_;
  Index shown_values_ = 0;  // the shown values of all records
  std::vector<std::string> path_;
  std::vector<TraceRecord> records_;
};

TensorStatistics statistics_of(const Tensor& tensor);

// ---- a sentence pair and a model, ready to be traced

struct TraceRequest {
  std::string model;                       // its name, for the reader
  std::string source;                      // a line of text
  std::optional<std::string> target = {};  // without it, the model translates greedily
  double label_smoothing = 0;
  Index values = 8;  // as in TraceRecorder
};

// The model of docs/page-model, so small that every number of it can be checked by hand, and the clause that
// the chapters follow through it. The program holds them in itself.
inline constexpr const char* kPageClause = "that the queen buys a book";
LoadedModel page_model();

// Traces the sentence; its text is read by read_sentence.
Trace trace_sentence(LoadedModel& model, const TraceRequest& request, const Warn& warn);

}  // namespace plainformer
