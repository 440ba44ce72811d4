#include "driver.h"

#include <vector>

#include "ops/attention_mask.h"

namespace plainformer::course {

namespace {

// The visible keys of five queries of each sentence.
void show_counts(const char* name, const AttentionMask& mask) {
  std::vector<double> counts;
  for (Index element = 0; element < mask.batch(); ++element)
    for (Index query = 0; query < 5; ++query)
      counts.push_back(static_cast<double>(mask.visible_keys(element, query)));
  show(name, counts);
}

void show_all() {
  show_counts("padding", {.key_lengths = {5, 3, 0}, .causal = false});
  show_counts("causal", {.key_lengths = {5}, .causal = true});
  show_counts("padding and causal", {.key_lengths = {5, 3, 0}, .causal = true});
}

}  // namespace

std::vector<Stage> stages() {
  return {{"AttentionMask::visible_keys", show_all}};
}

}  // namespace plainformer::course
