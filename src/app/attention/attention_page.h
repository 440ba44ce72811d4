// The attention of a sentence pair as one self-contained HTML page (report/html_page.h): lines between the
// words and heat maps of any kind, layer and heads, and the numbers as tables.
#pragma once

#include <string>
#include <vector>

#include "app/attention/attended_pair.h"

namespace plainformer {

struct AttentionPageText {
  std::string source, target;
  bool is_own_translation = false;  // of the model
};

std::string attention_page(const std::vector<AttentionOfKind>& kinds, const AttentionPageText& text);

}  // namespace plainformer
