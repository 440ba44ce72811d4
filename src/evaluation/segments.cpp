#include "evaluation/segments.h"

#include "core/check.h"
#include "core/input_error.h"

namespace plainformer {

void for_each_segment(const std::string& measure, const std::vector<std::string>& hypotheses,
                      const std::vector<std::vector<std::string>>& references,
                      const std::function<void(const std::string& hypothesis,
                                               const std::vector<std::string>& references)>& visit) {
  CHECK(!references.empty(), "no references");
  for (const std::vector<std::string>& text : references) {
    if (text.size() == hypotheses.size()) continue;
    throw input_error(measure,
                      std::to_string(hypotheses.size()) + " lines of hypotheses, but " +
                          std::to_string(text.size()) + " lines of references",
                      "line i of one file belongs to line i of the other");
  }
  if (hypotheses.empty())
    throw input_error(measure, "there are no lines to score", "give at least one segment");

  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    std::vector<std::string> of_line;
    for (const std::vector<std::string>& text : references) of_line.push_back(text[i]);
    visit(hypotheses[i], of_line);
  }
}

}  // namespace plainformer
