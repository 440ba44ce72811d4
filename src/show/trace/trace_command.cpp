// plainformer trace: one sentence through the model, forward and backward, tensor by tensor.
#include <iostream>
#include <optional>

#include "core/input_error.h"
#include "core/strings.h"
#include "io/atomic_file.h"
#include "ops/ways.h"
#include "report/command_line.h"
#include "show/commands.h"
#include "show/steps/steps_page.h"
#include "show/trace/trace_writers.h"
#include "train/settings.h"

namespace plainformer {

namespace {

constexpr Index kDefaultValues = 8;

struct TraceSettings {
  std::string model, json, steps, only;
  std::optional<std::string> source, target;
  Index values = kDefaultValues;
  ComputeSettings compute;
  double label_smoothing = 0;
};

CommandLine bind(TraceSettings& s) {
  CommandLine line(
      "plainformer trace [--model DIR] [--source TEXT] [--target TEXT] [--json FILE]\n"
      "       plainformer trace [--model DIR] [--source TEXT] [--target TEXT] --only NAMES\n"
      "       plainformer trace [--model DIR] [--source TEXT] [--target TEXT] --steps FILE",
      "Sends one sentence through the model and back, and shows every tensor on the way: its name, section, "
      "equation, shape, statistics and values. The forward pass goes from the tokens to the loss; the "
      "backward pass shows each gradient. Writes text to standard output, or the files that you name.");
  line.option("--model", "DIR", &s.model,
              "the model folder; without it, the model of docs/page-model, whose numbers fit on a page");
  line.option("--source", "TEXT", &s.source, "the sentence; without it, the clause of that model");
  line.option("--target", "TEXT", &s.target, "its translation; without it, the model's own greedy one");
  line.option("--json", "FILE", &s.json, "write JSON; '-' is standard output");
  line.option("--steps", "FILE", &s.steps,
              "write one page that goes through all tensors step by step, forward and back, with the "
              "arithmetic of each cell; the plain way computes it");
  line.option("--only", "NAMES", &s.only,
              "show these tensors alone, such as source.input,encoder.0.self_attention: names or their "
              "beginnings up to a dot, with commas between them");
  line.option("--values", "N", &s.values,
              "show the first N indices of each axis, and the first 2 N tokens; 0: all");
  line.option("--label-smoothing", "X", &s.label_smoothing,
              "epsilon_ls of the loss; 0.1 gives the training loss, 0 gives -log P(target | source)");
  add_float_options(line, &s.compute);
  return line;
}

void check(const TraceSettings& s) {
  if (s.target && !s.source) throw UsageError("--target needs --source");
  const bool has_others = !s.json.empty() || !s.only.empty() || s.values != kDefaultValues;
  if (!s.steps.empty() && has_others)
    throw UsageError("--steps goes without --json, --only and --values: it shows every value");
  require_at_least("--values", s.values, 0);
  require_below_one("--label-smoothing", s.label_smoothing);
}

}  // namespace

int trace_command(const Arguments& arguments) {
  TraceSettings settings;
  CommandLine line = bind(settings);
  if (!line.read(arguments)) return finish_output();
  check(settings);
  settings.compute.use();

  for (const std::string& out : {settings.json, settings.steps})
    require_no_input(out, ModelFolder(settings.model).model_files());
  const bool writes_steps = !settings.steps.empty();
  const WaysInScope scope(writes_steps ? plain_ways("all", "--steps") : ways);
  LoadedModel model = settings.model.empty() ? page_model() : load_model(ModelFolder(settings.model));
  TraceRequest request = {.model = settings.model.empty() ? "the page model" : settings.model,
                          .source = settings.source.value_or(kPageClause),
                          .target = settings.target,
                          .label_smoothing = settings.label_smoothing,
                          .values = settings.values};
  if (writes_steps) request.values = 0;
  Trace trace = trace_sentence(model, request, warnings_of("trace"));
  if (writes_steps) {
    write_output(settings.steps, steps_page(trace));
    if (settings.steps != "-")
      std::cerr << settings.steps << ": " << trace.records.size()
                << " steps, forward and back. Open it in a browser; it needs no network.\n";
    return finish_output();
  }
  if (!settings.only.empty()) keep_only(trace, split_at(',', settings.only));
  if (!settings.json.empty())
    write_output(settings.json, to_json(trace));
  else
    std::cout << (settings.only.empty() ? to_text(trace) : records_to_text(trace));
  return finish_output();
}

}  // namespace plainformer
