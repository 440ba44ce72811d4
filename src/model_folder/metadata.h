// The configuration of a model as the metadata of its model.safetensors.
#pragma once

#include <string>

#include "core/named_tensor.h"
#include "transformer/config.h"

namespace plainformer {

// Each value as a string under its member's name, in a fixed order.
Metadata metadata_of(const ModelConfig& config);

// Undoes metadata_of, and checks the result; other keys are ignored. std::runtime_error, which names `where`.
ModelConfig config_from(const Metadata& metadata, const std::string& where);

// "sinusoidal" or "learned", and back. std::runtime_error, which names `where`, for another name.
std::string name_of(Positions positions);
Positions positions_from(const std::string& name, const std::string& where);

}  // namespace plainformer
