#include "ops/ways.h"

#include <algorithm>
#include <iterator>

#include "core/input_error.h"
#include "core/strings.h"

namespace plainformer {

namespace {

struct Group {
  const char* name;
  Way Ways::*way;
};

constexpr Group kGroups[] = {{"adam", &Ways::adam},
                             {"attention", &Ways::attention},
                             {"byte_pairs", &Ways::byte_pairs},
                             {"cross_entropy", &Ways::cross_entropy},
                             {"decoding", &Ways::decoding},
                             {"elementwise", &Ways::elementwise},
                             {"layer_norm", &Ways::layer_norm},
                             {"linear", &Ways::linear}};
static_assert(sizeof(Ways) == std::size(kGroups) * sizeof(Way), "every member has its name");

Ways all(Way way) {
  Ways result;
  for (const Group& group : kGroups) result.*group.way = way;
  return result;
}

std::string hint() {
  std::string text = "give all, none, or some of ";
  for (const Group& group : kGroups) text += (&group == kGroups ? "" : ",") + std::string(group.name);
  return text;
}

void make_plain(Ways& ways, const std::string& name, const std::string& where) {
  const auto same_name = [&](const Group& group) { return name == group.name; };
  const auto group = std::find_if(std::begin(kGroups), std::end(kGroups), same_name);
  if (group == std::end(kGroups))
    throw input_error(where,
                      name.empty() ? "the name of a group of operations is missing"
                                   : "there is no group of operations \"" + name + "\"",
                      hint());
  ways.*group->way = Way::kPlain;
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
  for (const Group& group : kGroups)
    if (chosen.*group.way == Way::kPlain) names += (names.empty() ? "" : ",") + std::string(group.name);
  return names.empty() ? "none" : names;
}

Ways with_plain_attention() {
  Ways chosen = ways;
  chosen.attention = Way::kPlain;
  return chosen;
}

constinit Precision product_precision = Precision::kFloat;

std::string precision_name(Precision precision) {
  return precision == Precision::kBf16 ? "bf16" : "float";
}

}  // namespace plainformer
