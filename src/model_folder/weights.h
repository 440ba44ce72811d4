// The contents of model.safetensors: a model's weights as named tensors, and its configuration as metadata.
#pragma once

#include <string>
#include <vector>

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/parameter.h"
#include "transformer/transformer.h"

namespace plainformer {

// The weights under their public names. They share their storage with the model, so nothing is copied.
std::vector<NamedTensor> weights_of(Transformer& model);

// Puts the weights into the model. Throws std::runtime_error, which names `where`, if a tensor is missing,
// has another shape or is not finite, or if there are too many; then the model is unchanged.
void load_weights(Transformer& model, const std::vector<NamedTensor>& tensors, const std::string& where);

// The tensors that are named and shaped like the parameters, in their order: for a prefix "adam.", the tensor
// of "embedding" is "adam.embedding". Errors as in load_weights.
std::vector<Tensor> tensors_like(const ParameterList& parameters, const std::string& prefix,
                                 const std::vector<NamedTensor>& tensors, const std::string& where);

// std::runtime_error unless there are as many tensors as expected.
void check_count(const std::vector<NamedTensor>& tensors, std::size_t expected, const std::string& where);

// ---- the metadata

// The text under a key, or the number of at least 0. std::runtime_error, which names `where`, if it is
// missing, or no such number.
const std::string& text_in(const Metadata& metadata, const std::string& key, const std::string& where);
template <typename Number>
Number number_in(const Metadata& metadata, const std::string& key, const std::string& where) {
  const std::string& text = text_in(metadata, key, where);
  const auto number = parse_number<Number>(text);
  if (number && *number >= 0) return *number;
  throw input_error(where, key + " is \"" + text + "\", not a number of at least 0",
                    "the file was altered; restore it, or use another one");
}

// The configuration: each value as a string under its member's name, in a fixed order.
Metadata metadata_of(const ModelConfig& config);

// "4+4 layers, d_model 128, d_ff 256, 4 heads, vocabulary 8000"
std::string describe_sizes(const ModelConfig& config);

// Undoes metadata_of, and checks the result; other keys are ignored. std::runtime_error, which names `where`.
ModelConfig config_from(const Metadata& metadata, const std::string& where);

// "sinusoidal" or "learned", and back. std::runtime_error, which names `where`, for another name.
std::string name_of(Positions positions);
Positions positions_from(const std::string& name, const std::string& where);

}  // namespace plainformer
