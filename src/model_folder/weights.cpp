#include "model_folder/weights.h"

#include "core/input_error.h"
#include "training/first_not_finite.h"

namespace plainformer {

namespace {

const char* const kHint = "its configuration and its weights do not belong together";

const Tensor& find(const TensorsByName& tensors, const std::string& name, const Shape& shape,
                   const std::string& where) {
  const auto entry = tensors.find(name);
  if (entry == tensors.end()) throw input_error(where, "no tensor \"" + name + "\"", kHint);
  const Tensor& tensor = *entry->second;
  if (tensor.shape() != shape)
    throw input_error(where, name + " is " + tensor.shape().to_string() + ", not " + shape.to_string(),
                      kHint);
  if (!first_not_finite({{name, tensor}}).empty()) {
    throw input_error(where, name + " holds NaN or infinite values",
                      "the training diverged; use an earlier checkpoint");
  }
  return tensor;
}

}  // namespace

std::vector<NamedTensor> weights_of(Transformer& model) {
  std::vector<NamedTensor> tensors;
  for (const NamedParameter& p : model.parameters()) tensors.push_back({p.name, p.parameter->value});
  return tensors;
}

void load_weights(Transformer& model, const std::vector<NamedTensor>& tensors, const std::string& where) {
  const ParameterList parameters = model.parameters();
  check_count(tensors, parameters.size(), where);
  std::vector<Tensor> values = tensors_like(parameters, "", tensors, where);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].parameter->value = std::move(values[i]);
}

std::vector<Tensor> tensors_like(const ParameterList& parameters, const std::string& prefix,
                                 const std::vector<NamedTensor>& tensors, const std::string& where) {
  const TensorsByName index = by_name(tensors);
  std::vector<Tensor> found;
  for (const NamedParameter& p : parameters)
    found.push_back(find(index, prefix + p.name, p.parameter->value.shape(), where));
  return found;
}

void check_count(const std::vector<NamedTensor>& tensors, std::size_t expected, const std::string& where) {
  if (tensors.size() == expected) return;
  throw input_error(
      where, std::to_string(tensors.size()) + " tensors, but this model has " + std::to_string(expected),
      kHint);
}

}  // namespace plainformer
