#include "recognition.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace plainformer::course {

namespace {

constexpr std::size_t kFewestNumbers = 3;

// Results with these labels, those of the reference.
using Labels = std::set<std::string>;

bool is_same_as_of(const Results& results, const Result& found) {
  const Result* const other = find_result(results, found);
  return other && is_same(*other, found);
}

// Many mistakes end in nan: by itself that names none of them.
bool says_something(const Result& result) {
  return result.is_text || std::any_of(result.numbers.begin(), result.numbers.end(),
                                       [](double number) { return !std::isnan(number); });
}

class Search {
 public:
  Search(const Results& found, const Results& right) : found_(found), right_(right) {
    for (const Result& result : right)
      if (!is_same_as_of(found, result)) open_.insert(result.label());
  }

  std::string run(const std::vector<KnownMistake>& known) {
    const std::size_t all = open_.size();
    std::string text;
    for (;;) {
      const std::vector<const KnownMistake*> best = best_of(known);
      if (best.empty()) return text;
      const Labels explained = explained_by(*best.front());
      std::set<std::string> pages;
      for (const KnownMistake* const mistake : best) {
        const std::string numbers =
            explained.size() == all ? "Your numbers" : "The numbers of " + listed(explained);
        text += (mistake == best.front() ? numbers + " are exactly those of: " : "or of: ") +
                mistake->numbers_of + ".\n";
        if (pages.insert(mistake->read).second) text += "Read " + mistake->read + ".\n";
      }
      for (const std::string& label : explained) open_.erase(label);
    }
  }

 private:
  // The open results that are the mistake's. One of one or two numbers may be anybody's, unless all of its
  // stage are.
  Labels explained_by(const KnownMistake& mistake) const {
    Labels labels;
    bool is_told = false;
    std::set<std::string> open_stages;
    for (const Result& right : right_) {
      if (!open_.contains(right.label())) continue;
      const Result* const found = find_result(found_, right);
      if (found && is_same_as_of(mistake.results, *found)) {
        labels.insert(right.label());
        is_told = is_told || found->is_text || found->numbers.size() >= kFewestNumbers;
      } else if (found) {
        open_stages.insert(right.stage);
      }
    }
    const auto is_of_open_stage = [&](const std::string& label) {
      return open_stages.contains(label.substr(0, label.find(": ")));
    };
    if (!is_told && std::any_of(labels.begin(), labels.end(), is_of_open_stage)) return {};
    return labels;
  }

  // How many results would be others if this were the student's mistake.
  std::size_t contradictions(const KnownMistake& mistake) const {
    return static_cast<std::size_t>(std::count_if(found_.begin(), found_.end(), [&](const Result& found) {
      const Result* const its = find_result(mistake.results, found);
      return its && !is_same(*its, found) && !is_same_as_of(right_, *its);
    }));
  }

  std::vector<const KnownMistake*> best_of(const std::vector<KnownMistake>& known) const {
    std::vector<const KnownMistake*> best;
    std::tuple<std::size_t, std::size_t> most = {};
    for (const KnownMistake& mistake : known) {
      const Labels explained = explained_by(mistake);
      const std::size_t contradicted = contradictions(mistake);
      if (explained.empty() || (contradicted > 0 && !says_something(explained))) continue;
      const std::tuple value(explained.size(), right_.size() - std::min(right_.size(), contradicted));
      if (value > most) best.clear();
      if (value > most || (value == most && explained == explained_by(*best.front())))
        best.push_back(&mistake);
      most = std::max(most, value);
    }
    return best;
  }

  bool says_something(const Labels& labels) const {
    return std::any_of(found_.begin(), found_.end(), [&](const Result& found) {
      return labels.contains(found.label()) && course::says_something(found);
    });
  }

  static std::string listed(const Labels& labels) {
    std::string text;
    for (const std::string& label : labels) text += (text.empty() ? "" : "; ") + label;
    return text;
  }

  const Results &found_, &right_;
  Labels open_;
};

}  // namespace

std::string name_mistakes(const Results& found, const Results& right,
                          const std::vector<KnownMistake>& known) {
  return Search(found, right).run(known);
}

}  // namespace plainformer::course
