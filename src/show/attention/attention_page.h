// The attention of a sentence pair as one self-contained HTML page (lab/pictures/html_page.h). It shows any kind,
// layer and heads as lines between the words, as heat maps, and as tables of numbers.
#pragma once

#include <string>
#include <vector>

#include "show/attention/attended_pair.h"

namespace plainformer {

struct AttentionPageText {
  std::string source, target;
  bool is_own_translation = false;  // of the model
};

std::string attention_page(const std::vector<AttentionOfKind>& kinds, const AttentionPageText& text);

}  // namespace plainformer
