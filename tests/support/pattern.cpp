#include "support/pattern.h"

#include <iterator>
#include <regex>

namespace plainformer {
namespace {

using View = std::string_view;
using Results = std::match_results<View::const_iterator>;

Match match_of(const Results& results, View text) {
  Match match;
  for (const auto& group : results) match.groups.push_back(group.str());
  match.begin = static_cast<std::size_t>(results[0].first - text.begin());
  match.end = static_cast<std::size_t>(results[0].second - text.begin());
  return match;
}

}  // namespace

struct Pattern::Regex {
  std::regex value;
};

Pattern::Pattern(const std::string& expression, Case letters)
    : regex_(std::make_shared<Regex>(
          Regex{std::regex(expression, letters == Case::kIgnored ? std::regex::ECMAScript | std::regex::icase
                                                                 : std::regex::ECMAScript)})) {}

bool Pattern::matches(View text) const {
  return std::regex_match(text.begin(), text.end(), regex_->value);
}

std::optional<Match> Pattern::match(View text) const {
  Results results;
  if (!std::regex_match(text.begin(), text.end(), results, regex_->value)) return std::nullopt;
  return match_of(results, text);
}

std::optional<Match> Pattern::first_in(View text) const {
  Results results;
  if (!std::regex_search(text.begin(), text.end(), results, regex_->value)) return std::nullopt;
  return match_of(results, text);
}

std::vector<Match> Pattern::all_in(View text) const {
  std::vector<Match> matches;
  using Each = std::regex_iterator<View::const_iterator>;
  for (Each each(text.begin(), text.end(), regex_->value), end; each != end; ++each)
    matches.push_back(match_of(*each, text));
  return matches;
}

std::string Pattern::replaced_in(View text, const std::string& by) const {
  std::string replaced;
  std::regex_replace(std::back_inserter(replaced), text.begin(), text.end(), regex_->value, by);
  return replaced;
}

std::size_t Pattern::groups() const {
  return regex_->value.mark_count();
}

}  // namespace plainformer
