// plainformer curve: log.jsonl as a picture.
#include <iostream>

#include "io/atomic_file.h"
#include "model_folder/model_folder.h"
#include "report/command_line.h"
#include "show/commands.h"
#include "show/curve/training_chart.h"

namespace plainformer {

int curve_command(const Arguments& arguments) {
  std::vector<std::string> models;
  CommandLine line(
      "plainformer curve --model DIR [--model DIR ...] > curve.svg",
      "Draws the curves of one training run, or of several in one picture: loss, BLEU and learning rate "
      "against steps, as an SVG file. Values that are logged at each step are drawn as at most 200 means of "
      "consecutive steps. The training may still be running.");
  line.required("--model", "DIR", &models, "the model folder of a run; may be repeated");
  if (!line.read(arguments)) return finish_output();
  if (models.size() > kMostCurves)
    throw UsageError("one picture can show at most " + std::to_string(kMostCurves) + " runs");

  std::vector<TrainingHistory> runs;
  for (const std::string& model : models) {
    require_folder(ModelFolder(model));
    runs.push_back(read_training_history(model, ModelFolder(model).log()));
  }
  std::cout << to_svg(training_chart(runs));
  return finish_output();
}

}  // namespace plainformer
