// A sentence pair and a model, ready to be traced.
#pragma once

#include <optional>
#include <string>

#include "model_folder/model_folder.h"
#include "model_folder/notes.h"
#include "show/trace/trace.h"

namespace plainformer {

struct TraceRequest {
  std::string model;                       // its name, for the reader
  std::string source;                      // a line of text
  std::optional<std::string> target = {};  // without it, the model translates greedily
  double label_smoothing = 0;
  Index values = 8;  // as in TraceRecorder
  TraceLimit limit = {};
};

// The model of docs/page-model, so small that every number of it can be checked by hand, and the clause that
// the chapters follow through it. The program holds them in itself.
inline constexpr const char* kPageClause = "that the queen buys a book";
LoadedModel page_model();

// Traces the sentence; its text is read by read_sentence.
Trace trace_sentence(LoadedModel& model, const TraceRequest& request, const Warn& warn);

}  // namespace plainformer
