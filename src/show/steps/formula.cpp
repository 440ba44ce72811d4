#include "show/steps/formula.h"

#include "core/number_text.h"

namespace plainformer {

Formula Formula::sum(const std::string& index, Index count, Formula summand) {
  return {"sum", index, {static_cast<double>(count), std::move(summand)}};
}

Formula Formula::sum_where(const std::string& index, Index count, Formula summand, Formula condition) {
  return {"sum", index, {static_cast<double>(count), std::move(summand), std::move(condition)}};
}

Formula Formula::pick(const std::string& name, Formula index, std::span<const int> numbers) {
  std::vector<Formula> all = {std::move(index)};
  for (const int number : numbers) all.emplace_back(static_cast<double>(number));
  return {"pick", name, std::move(all)};
}

std::string to_json(const Formula& formula, const std::function<Index(const std::string&)>& number_of) {
  const auto& [kind, name, value, parts] = formula;
  if (kind == "number") return shortest_text(value);
  if (kind == "index") return "\"" + name + "\"";
  std::string json = kind == "cell" ? "[" + std::to_string(number_of(name)) : "[\"" + kind + "\"";
  if (!name.empty() && kind != "cell") json += ",\"" + name + "\"";
  for (const Formula& part : parts) json += "," + to_json(part, number_of);
  return json + "]";
}

}  // namespace plainformer
