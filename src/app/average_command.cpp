// plainformer average: a model from the mean of the last checkpoints (6.1).
#include <cmath>
#include <iostream>

#include "app/commands.h"
#include "core/input_error.h"
#include "io/atomic_file.h"
#include "model_folder/model_folder.h"
#include "model_folder/weights.h"
#include "platform/platform.h"
#include "report/command_line.h"
#include "report/numbers.h"

namespace plainformer {

namespace {

std::vector<std::string> last_checkpoints(const ModelFolder& folder, Index last) {
  require_folder(folder);
  std::vector<std::string> files = step_checkpoints(folder);
  const Index count = std::ssize(files);
  if (count == 0) {
    throw input_error(folder.checkpoints(), "holds no step checkpoint",
                      "train with --checkpoint-every smaller than --steps");
  }
  if (last > count) {
    throw input_error(folder.checkpoints(),
                      "holds " + count_of(count, "step checkpoint") + ", not " + std::to_string(last),
                      "choose a smaller --last, or train with a larger --keep");
  }
  if (last > 0) files.erase(files.begin(), files.end() - last);
  return files;
}

// A double has 15 digits, and weights are small numbers.
constexpr Index kMostDecimals = 9;

void round_to(Index decimals, std::vector<NamedTensor>& weights) {
  const double units = std::pow(10.0, static_cast<double>(decimals));
  for (NamedTensor& weight : weights) {
    Real* values = weight.tensor.mutable_data();
    for (Index i = 0; i < weight.tensor.size(); ++i)
      values[i] = static_cast<Real>(std::round(static_cast<double>(values[i]) * units) / units);
  }
}

// The model as `load_model` returns it, but with averaged weights. The folder's own weights are not read.
// decimals: of each weight; 0: all
LoadedModel average(const ModelFolder& folder, const std::vector<std::string>& files, Index decimals) {
  CheckpointAverage sums;
  const Metadata metadata = add_checkpoints(files, sums);
  TensorFile weights = {.path = files.back(), .tensors = sums.average(), .metadata = metadata};
  if (decimals > 0) round_to(decimals, weights.tensors);
  return assemble_model(weights, folder.text_files());
}

}  // namespace

int average_command(const Arguments& arguments) {
  std::string from, out;
  Index last = 0, decimals = 0;
  CommandLine line(
      "plainformer average --model DIR --out NEW_DIR [--last N] [--decimals N]",
      "Averages the last step checkpoints of a model folder, weight by weight, and makes a model of them. "
      "'plainformer train' does so at its end, and keeps the average if it is the best; this command always "
      "keeps it.");
  line.required("--model", "DIR", &from, "the folder of a training run, with checkpoints/step_*.safetensors");
  line.option("--last", "N", &last, "the number of checkpoints; 0: all in the folder (train's --keep)");
  line.option(
      "--decimals", "N", &decimals,
      "round each weight of the result to N decimals, to check the model by hand; 0: keep all digits");
  line.required("--out", "NEW_DIR", &out, "a new model folder for the result");
  if (!line.read(arguments)) return finish_output();
  require_at_least("--last", last, 0);
  require_between("--decimals", decimals, 0, kMostDecimals);

  const ModelFolder folder(from);
  const std::vector<std::string> files = last_checkpoints(folder, last);
  const LoadedModel model = average(folder, files, decimals);
  save_model(model, ModelFolder(out));
  const auto name = [](const std::string& path) { return to_text(to_path(path).stem()); };
  std::cerr << "average of " << count_of(std::ssize(files), "checkpoint") << ", " << name(files.front())
            << " to " << name(files.back()) << "; the model is in " << out << "\n";
  return finish_output();
}

}  // namespace plainformer
