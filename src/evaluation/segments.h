// The lines of translations and references, side by side.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace plainformer {

// Calls visit(hypothesis, references) for each line, where line i of `hypotheses` has line i of each text of
// `references` as a reference. input_error, which begins with the measure's name, if there are no lines or the texts
// have different numbers of them.    references: one or several texts
void for_each_segment(const std::string& measure, const std::vector<std::string>& hypotheses,
                      const std::vector<std::vector<std::string>>& references,
                      const std::function<void(const std::string& hypothesis,
                                               const std::vector<std::string>& references)>& visit);

}  // namespace plainformer
