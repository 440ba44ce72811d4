// The trace of the page model's clause, with all values, in the plain way: what the step page shows.
#pragma once

#include <gtest/gtest.h>

#include "ops/ways.h"
#include "show/trace/trace.h"

namespace plainformer {

inline Trace trace_of(LoadedModel& model, const TraceRequest& request) {
  const WaysInScope plain(plain_ways("all", "test"));
  return trace_sentence(model, request, [](const std::string& warning) { ADD_FAILURE() << warning; });
}

inline Trace traced_page_model(double smoothing = 0) {
  LoadedModel model = page_model();
  return trace_of(
      model, {.model = "the page model", .source = kPageClause, .label_smoothing = smoothing, .values = 0});
}

}  // namespace plainformer
