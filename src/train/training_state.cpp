#include "train/training_state.h"

#include <algorithm>

#include "core/input_error.h"
#include "core/number_text.h"
#include "model_folder/weights.h"

namespace plainformer {

namespace {

const std::string kFirstMoment = "adam.first_moment.";
const std::string kSecondMoment = "adam.second_moment.";
const std::string kBestBleu = "best_bleu";  // only where a run compares by it

template <typename Number>
Number parse(const Metadata& metadata, const std::string& key, const std::string& where) {
  for (const auto& [name, text] : metadata) {
    if (name != key) continue;
    const auto number = parse_number<Number>(text);
    if (number && *number >= 0) return *number;
    throw input_error(where, key + " is \"" + text + "\", not a number of at least 0",
                      "the file was altered; use another checkpoint");
  }
  throw input_error(where, "no \"" + key + "\" in its metadata", "it is not a training checkpoint");
}

}  // namespace

std::vector<NamedTensor> training_state_of(Transformer& model, const Adam& adam) {
  std::vector<NamedTensor> tensors = weights_of(model);
  const std::size_t count = tensors.size();
  for (std::size_t i = 0; i < count; ++i) {
    tensors.push_back({kFirstMoment + tensors[i].name, adam.first_moments()[i]});
  }
  for (std::size_t i = 0; i < count; ++i) {
    tensors.push_back({kSecondMoment + tensors[i].name, adam.second_moments()[i]});
  }
  return tensors;
}

Metadata progress_to_metadata(const Adam& adam, const TrainingProgress& progress) {
  Metadata metadata = {
      {"step", std::to_string(adam.steps())},           {"attempts", std::to_string(progress.attempts)},
      {"epoch", std::to_string(progress.epoch)},        {"batch", std::to_string(progress.batch)},
      {"best_loss", shortest_text(progress.best_loss)}, {"best_step", std::to_string(progress.best_step)}};
  if (progress.best_bleu) metadata.emplace_back(kBestBleu, shortest_text(*progress.best_bleu));
  return metadata;
}

TrainingProgress load_training_state(Transformer& model, Adam& adam, const std::vector<NamedTensor>& tensors,
                                     const Metadata& metadata, const std::string& where) {
  TrainingProgress progress;
  const auto step = parse<Index>(metadata, "step", where);
  progress.attempts = parse<Index>(metadata, "attempts", where);
  progress.epoch = parse<Index>(metadata, "epoch", where);
  progress.batch = parse<Index>(metadata, "batch", where);
  progress.best_loss = parse<double>(metadata, "best_loss", where);
  progress.best_step = parse<Index>(metadata, "best_step", where);
  const bool has_bleu = std::any_of(metadata.begin(), metadata.end(),
                                    [](const auto& entry) { return entry.first == kBestBleu; });
  if (has_bleu) progress.best_bleu = parse<double>(metadata, kBestBleu, where);

  const ParameterList parameters = model.parameters();
  check_count(tensors, 3 * parameters.size(), where);
  std::vector<Tensor> values = tensors_like(parameters, "", tensors, where);
  std::vector<Tensor> first_moments = tensors_like(parameters, kFirstMoment, tensors, where);
  std::vector<Tensor> second_moments = tensors_like(parameters, kSecondMoment, tensors, where);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].parameter->value = std::move(values[i]);
  adam.restore(step, std::move(first_moments), std::move(second_moments));
  return progress;
}

}  // namespace plainformer
