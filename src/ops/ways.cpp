#include "ops/ways.h"

#include <algorithm>
#include <iterator>

#include "core/input_error.h"
#include "core/split.h"

namespace plainformer {

namespace {

struct Operation {
  const char* name;
  Way Ways::*way;
};

constexpr Operation kOperations[] = {{"adam", &Ways::adam},
                                     {"add_rows", &Ways::add_rows},
                                     {"attention", &Ways::attention},
                                     {"cross_entropy", &Ways::cross_entropy},
                                     {"decoding", &Ways::decoding},
                                     {"dropout", &Ways::dropout},
                                     {"elementwise", &Ways::elementwise},
                                     {"embedding_lookup", &Ways::embedding_lookup},
                                     {"layer_norm", &Ways::layer_norm},
                                     {"linear", &Ways::linear},
                                     {"linear_attention", &Ways::linear_attention},
                                     {"log_sum_exp", &Ways::log_sum_exp},
                                     {"neighbor_attention", &Ways::neighbor_attention},
                                     {"r_drop", &Ways::r_drop},
                                     {"relu", &Ways::relu},
                                     {"sum_of_squares", &Ways::sum_of_squares},
                                     {"top_k", &Ways::top_k}};
static_assert(sizeof(Ways) == std::size(kOperations) * sizeof(Way), "every member has its name");

Ways all(Way way) {
  Ways result;
  for (const Operation& operation : kOperations) result.*operation.way = way;
  return result;
}

std::string hint() {
  std::string text = "give all, none, or some of ";
  for (const Operation& operation : kOperations)
    text += (&operation == kOperations ? "" : ",") + std::string(operation.name);
  return text;
}

void make_plain(Ways& ways, const std::string& name, const std::string& where) {
  const auto same_name = [&](const Operation& operation) { return name == operation.name; };
  const auto operation = std::find_if(std::begin(kOperations), std::end(kOperations), same_name);
  if (operation == std::end(kOperations))
    throw input_error(
        where,
        name.empty() ? "the name of an operation is missing" : "there is no operation \"" + name + "\"",
        hint());
  ways.*operation->way = Way::kPlain;
}

}  // namespace

constinit Ways ways;

Ways plain_ways(const std::string& names, const std::string& where) {
  if (names == "all") return all(Way::kPlain);
  Ways chosen = all(Way::kFast);
  if (names == "none") return chosen;
  for (const std::string& name : split_at(',', names)) make_plain(chosen, name, where);
  return chosen;
}

std::string plain_names(const Ways& chosen) {
  if (chosen == all(Way::kPlain)) return "all";
  std::string names;
  for (const Operation& operation : kOperations)
    if (chosen.*operation.way == Way::kPlain)
      names += (names.empty() ? "" : ",") + std::string(operation.name);
  return names.empty() ? "none" : names;
}

}  // namespace plainformer
