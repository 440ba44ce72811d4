// plainformer curve: log.jsonl as a picture.
#include <iostream>

#include "io/atomic_file.h"
#include "model_folder/model_folder.h"
#include "report/command_line.h"
#include "show/commands.h"
#include "show/curve/training_chart.h"

namespace plainformer {

int curve_command(const Arguments& arguments) {
  std::vector<std::string> models, logs;
  std::string title;
  CommandLine line(
      "plainformer curve --model DIR > curve.svg\n       plainformer curve --log FILE --log FILE > "
      "curves.svg",
      "Draws the curves of one training run, or of several in one picture: loss, BLEU and learning rate "
      "against steps, as an SVG file. Values that are logged at each step are drawn as at most 200 means of "
      "consecutive steps. The training may still be running.");
  line.option("--model", "DIR", &models, "the model folder of a run; may be repeated");
  line.option("--log", "FILE", &logs, "a log.jsonl in any folder; may be repeated");
  line.option("--title", "TEXT", &title, "the title above the picture");
  if (!line.read(arguments)) return finish_output();
  for (const std::string& log : logs) require_option("--log", log);
  const std::size_t count = models.size() + logs.size();
  if (count == 0) throw UsageError("--model or --log is required");
  if (count > kMostCurves)
    throw UsageError("one picture can show at most " + std::to_string(kMostCurves) + " runs");

  std::vector<TrainingHistory> runs;
  for (const std::string& model : models) {
    require_folder(ModelFolder(model));
    runs.push_back(read_training_history(model, ModelFolder(model).log()));
  }
  for (const std::string& log : logs) runs.push_back(read_training_history(log, log));
  LineChart chart = training_chart(runs);
  if (!title.empty()) chart.title = title;
  std::cout << to_svg(chart);
  return finish_output();
}

}  // namespace plainformer
