#include "training/checkpoint.h"

#include <cmath>

#include "core/input_error.h"
#include "core/number_text.h"
#include "ops/sum_of_squares.h"

namespace plainformer {

namespace {

const std::string kFirstMoment = "adam.first_moment.";
const std::string kSecondMoment = "adam.second_moment.";

const Tensor& find(const TensorsByName& tensors, const std::string& name, const Shape& shape,
                   const std::string& where) {
  const auto entry = tensors.find(name);
  if (entry == tensors.end()) {
    throw input_error(where, "no tensor \"" + name + "\"",
                      "its configuration and its weights do not belong together");
  }
  const Tensor& tensor = *entry->second;
  if (tensor.shape() != shape) {
    throw input_error(where, name + " is " + tensor.shape().to_string() + ", not " + shape.to_string(),
                      "its configuration and its weights do not belong together");
  }
  if (!std::isfinite(sum_of_squares(tensor))) {
    throw input_error(where, name + " holds NaN or infinite values",
                      "the training diverged; use an earlier checkpoint");
  }
  return tensor;
}

void check_count(const std::vector<NamedTensor>& tensors, std::size_t expected, const std::string& where) {
  if (tensors.size() == expected) return;
  throw input_error(
      where, std::to_string(tensors.size()) + " tensors, but this model has " + std::to_string(expected),
      "its configuration and its weights do not belong together");
}

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

std::vector<NamedTensor> weights_of(Transformer& model) {
  std::vector<NamedTensor> tensors;
  for (const NamedParameter& p : model.parameters()) tensors.push_back({p.name, p.parameter->value});
  return tensors;
}

void load_weights(Transformer& model, const std::vector<NamedTensor>& tensors, const std::string& where) {
  const TensorsByName index = by_name(tensors);
  const ParameterList parameters = model.parameters();
  check_count(tensors, parameters.size(), where);
  std::vector<Tensor> values;  // find all before changing the first
  for (const NamedParameter& p : parameters) {
    values.push_back(find(index, p.name, p.parameter->value.shape(), where));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].parameter->value = std::move(values[i]);
}

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
  return {
      {"step", std::to_string(adam.steps())},           {"attempts", std::to_string(progress.attempts)},
      {"epoch", std::to_string(progress.epoch)},        {"batch", std::to_string(progress.batch)},
      {"best_loss", shortest_text(progress.best_loss)}, {"best_step", std::to_string(progress.best_step)}};
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

  const TensorsByName index = by_name(tensors);
  const ParameterList parameters = model.parameters();
  check_count(tensors, 3 * parameters.size(), where);
  std::vector<NamedTensor> weights;
  std::vector<Tensor> first_moments, second_moments;
  for (const NamedParameter& p : parameters) {
    const Shape& shape = p.parameter->value.shape();
    weights.push_back({p.name, find(index, p.name, shape, where)});
    first_moments.push_back(find(index, kFirstMoment + p.name, shape, where));
    second_moments.push_back(find(index, kSecondMoment + p.name, shape, where));
  }
  load_weights(model, weights, where);
  adam.restore(step, std::move(first_moments), std::move(second_moments));
  return progress;
}

}  // namespace plainformer
