#include "evaluation/segments.h"

#include <algorithm>
#include <iterator>

#include "core/check.h"
#include "core/input_error.h"

namespace plainformer {

namespace {

bool precedes(Ngram a, Ngram b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

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

Symbols WordNumbers::of(const std::vector<std::string>& words) {
  Symbols symbols;
  for (const std::string& word : words) {
    const auto next = static_cast<std::uint32_t>(numbers_.size());
    symbols.push_back(numbers_.try_emplace(word, next).first->second);
  }
  return symbols;
}

std::vector<Ngram> sorted_ngrams(const Symbols& sequence, std::size_t n) {
  std::vector<Ngram> ngrams;
  for (std::size_t begin = 0; begin + n <= sequence.size(); ++begin)
    ngrams.push_back(Ngram(sequence).subspan(begin, n));
  std::sort(ngrams.begin(), ngrams.end(), precedes);
  return ngrams;
}

std::vector<Ngram> united(const std::vector<Ngram>& a, const std::vector<Ngram>& b) {
  std::vector<Ngram> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all), precedes);
  return all;
}

Index clipped_matches(const std::vector<Ngram>& a, const std::vector<Ngram>& b) {
  std::vector<Ngram> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common), precedes);
  return std::ssize(common);
}

}  // namespace plainformer
