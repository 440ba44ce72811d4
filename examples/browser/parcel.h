// A model in training as bytes: to take it apart in another engine, and to keep it between two visits.
//
//   a line of JSON: what the sender says about it
//   numbers of 4 bytes: the parameters in their order, then Adam's first moments, then its second
#pragma once

#include <string>
#include <string_view>

#include "io/json.h"
#include "ops/adam.h"
#include "transformer/transformer.h"

namespace plainformer {

std::string pack(const JsonObject& about, const ParameterList& parameters, const Adam& adam);

struct Parcel {
  JsonValue about;
  std::string_view numbers;  // of the bytes that were opened

  std::string text(const std::string& member) const;
  Index size(const std::string& member) const;
};

// input_error if the bytes are no parcel.
Parcel open_parcel(std::string_view bytes);

// Sets the parameters and Adam's state. input_error unless it has exactly their numbers.    steps: Adam's
void unpack(const Parcel& parcel, const ParameterList& parameters, Adam& adam, Index steps);

}  // namespace plainformer
