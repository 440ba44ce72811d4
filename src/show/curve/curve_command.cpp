// plainformer curve: log.jsonl as a picture.
#include <filesystem>
#include <iostream>
#include <set>

#include "io/output.h"
#include "model_folder/model_folder.h"
#include "platform/platform.h"
#include "report/command_line.h"
#include "show/commands.h"
#include "show/curve/training_chart.h"

namespace plainformer {

namespace {

struct CurveSettings {
  std::vector<std::string> models, logs;
  std::string title;
};

CommandLine bind(CurveSettings& s) {
  CommandLine line(
      "plainformer curve --model DIR > curve.svg\n       plainformer curve --log FILE --log FILE > "
      "curves.svg",
      "Draws the curves of one training run, or of several in one picture: loss, BLEU and learning rate "
      "against steps, as an SVG file. Values that are logged at each step are drawn as at most 200 means of "
      "consecutive steps. The training may still be running.");
  line.option("--model", "DIR", &s.models, "the model folder of a run; may be repeated");
  line.option("--log", "FILE", &s.logs, "a log.jsonl in any folder; may be repeated");
  line.option("--title", "TEXT", &s.title, "the title above the picture");
  return line;
}

// The last parts of the path of the folder if the file is a log.jsonl, else of the path of the file.
std::string end_of_path(const std::string& log, int parts) {
  std::filesystem::path path = std::filesystem::absolute(to_path(log)).lexically_normal();
  if (path.filename() == "log.jsonl") path = path.parent_path();
  std::string name = to_text(path.filename());
  while (--parts > 0 && path.parent_path().has_filename()) {
    path = path.parent_path();
    name = to_text(path.filename()) + "/" + name;
  }
  return name;
}

// The shortest ends of the paths that differ from each other. Those of one file never do.
std::vector<std::string> names_of(const std::vector<std::string>& logs) {
  std::vector<std::string> names, shorter;
  for (int parts = 1; parts == 1 || names != shorter; ++parts) {
    shorter = std::move(names);
    names.clear();
    for (const std::string& log : logs) names.push_back(end_of_path(log, parts));
    if (std::set(names.begin(), names.end()).size() == names.size()) break;
  }
  return names;
}

}  // namespace

int curve_command(const Arguments& arguments) {
  CurveSettings settings;
  CommandLine line = bind(settings);
  if (!line.read(arguments)) return finish_output();
  std::vector<std::string> logs;
  for (const std::string& model : settings.models) {
    require_folder(ModelFolder(model));
    logs.push_back(ModelFolder(model).log());
  }
  for (const std::string& log : settings.logs) require_option("--log", log);
  logs.insert(logs.end(), settings.logs.begin(), settings.logs.end());
  if (logs.empty()) throw UsageError("--model or --log is required");
  if (std::ssize(logs) > kMostCurves)
    throw UsageError("one picture can show at most " + std::to_string(kMostCurves) + " runs");

  const std::vector<std::string> names = names_of(logs);
  std::vector<NamedHistory> runs;
  for (std::size_t i = 0; i < logs.size(); ++i) runs.push_back({names[i], read_training_history(logs[i])});
  LineChart chart = training_chart(runs);
  if (!settings.title.empty()) chart.title = settings.title;
  std::cout << to_svg(chart);
  return finish_output();
}

}  // namespace plainformer
