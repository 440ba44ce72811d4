#include "parcel.h"

#include <cstring>

#include "core/input_error.h"

namespace plainformer {

namespace {

constexpr char kWhere[] = "the kept model", kHint[] = "forget it, and train anew";

void append(std::string& bytes, const Tensor& tensor) {
  bytes.append(reinterpret_cast<const char*>(tensor.data()),
               sizeof(Real) * static_cast<std::size_t>(tensor.size()));
}

// Takes the numbers of a tensor from the beginning of the rest.
void take(std::string_view& rest, Tensor& tensor) {
  const std::size_t size = sizeof(Real) * static_cast<std::size_t>(tensor.size());
  if (rest.size() < size) throw input_error(kWhere, "it has too few numbers", kHint);
  std::memcpy(tensor.mutable_data(), rest.data(), size);
  rest.remove_prefix(size);
}

}  // namespace

std::string pack(const JsonObject& about, const ParameterList& parameters, const Adam& adam) {
  std::string bytes = to_json(about) + "\n";
  for (const NamedParameter& each : parameters) append(bytes, each.parameter->value);
  for (const Tensor& moment : adam.first_moments()) append(bytes, moment);
  for (const Tensor& moment : adam.second_moments()) append(bytes, moment);
  return bytes;
}

std::string Parcel::text(const std::string& member) const {
  const JsonValue* value = about.find(member);
  if (!value || !value->string()) throw input_error(kWhere, "it has no " + member, kHint);
  return *value->string();
}

Index Parcel::size(const std::string& member) const {
  const JsonValue* value = about.find(member);
  if (!value || !value->size()) throw input_error(kWhere, "it has no " + member, kHint);
  return *value->size();
}

Parcel open_parcel(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) throw input_error(kWhere, "it has no first line", kHint);
  return {.about = parse_json(bytes.substr(0, end), kWhere), .numbers = bytes.substr(end + 1)};
}

void unpack(const Parcel& parcel, const ParameterList& parameters, Adam& adam, Index steps) {
  std::string_view rest = parcel.numbers;
  std::vector<Tensor> values, first = adam.first_moments(), second = adam.second_moments();
  for (const NamedParameter& each : parameters) values.push_back(each.parameter->value);
  for (std::vector<Tensor>* tensors : {&values, &first, &second})
    for (Tensor& tensor : *tensors) take(rest, tensor);
  if (!rest.empty()) throw input_error(kWhere, "it has too many numbers", kHint);
  for (std::size_t i = 0; i < values.size(); ++i) parameters[i].parameter->value = std::move(values[i]);
  adam.restore(steps, std::move(first), std::move(second));
}

}  // namespace plainformer
