// A sentence pair and a model, ready to be traced.
#pragma once

#include <string>

#include "model_folder/model_folder.h"
#include "model_folder/notes.h"
#include "show/trace/trace.h"

namespace plainformer {

// The pair that is traced when none is given.
inline constexpr const char* kDefaultSource = "the small cat sees a dog";
inline constexpr const char* kDefaultTarget = "die kleine Katze sieht einen Hund";

struct TraceRequest {
  std::string model;             // its name, for the reader
  std::string source, target;    // lines of text
  bool target_is_given = false;  // else the model translates greedily
  Index extra_length = 50;       // a translation is at most this many tokens longer than its source
  double label_smoothing = 0;
  Index values = 8;  // as in TraceRecorder
  TraceLimit limit = {};
};

// A model of the preset nano's size with its initial weights, which knows the words of both lines and of the
// default pair.
LoadedModel untrained_model(const std::string& source, const std::string& target);

// The model of docs/page-model, so small that every number of it can be checked by hand, and the clause that
// the chapters follow through it. The program holds them in itself.
inline constexpr const char* kPageClause = "that the queen buys a book";
LoadedModel page_model();

// Traces the sentence; its text is read by read_sentence.
Trace trace_sentence(LoadedModel& model, const TraceRequest& request, const Warn& warn);

}  // namespace plainformer
