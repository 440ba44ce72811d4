#include "recognition.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace plainformer::course {

namespace {

constexpr long kFewestNumbers = 3;

using Numbers = std::vector<Fingerprint>;
using Stage = KnownNumbers::Stage;

// How many lines of a stage are the mistake's, from the first on, if one of them differs from the reference; else 0.
// Missing lines of a student count as the mistake's.
std::size_t explained_lines(const Numbers& found, const Numbers& mistake, const Numbers& reference,
                            const Stage& stage) {
  bool differs = false;
  std::size_t line = stage.first, end = stage.first;
  for (; line < stage.last; ++line) {
    if (found[line].is_missing()) return differs ? stage.last - stage.first : 0;
    if (!same_fingerprint(found[line], mistake[line])) break;
    differs = differs || !same_fingerprint(found[line], reference[line]);
    end = line + 1;
  }
  return differs ? end - stage.first : 0;
}

// The recognition of one student's numbers.
class Search {
 public:
  Search(Numbers found, const KnownNumbers& known) : found_(std::move(found)), known_(known) {
    for (const Stage& stage : known_.stages()) {
      const bool is_right = std::all_of(found_.begin() + static_cast<std::ptrdiff_t>(stage.first),
                                        found_.begin() + static_cast<std::ptrdiff_t>(stage.last),
                                        [&, line = stage.first](const Fingerprint& numbers) mutable {
                                          return same_fingerprint(numbers, known_.reference()[line++]);
                                        });
      if (is_right)
        result_.right.push_back(stage.name);
      else
        open_.push_back(&stage);
    }
  }

  Recognition run() {
    while (explain_stages()) {
    }
    result_.explains_all = open_.empty();
    for (const Stage* const stage : open_)
      if (!explain_first_lines(*stage)) explain_single_lines(*stage);
    return result_;
  }

 private:
  std::vector<const Stage*> explained_by(const KnownMistake& mistake) const {
    std::vector<const Stage*> stages;
    for (const Stage* const stage : open_)
      if (explained_lines(found_, mistake.numbers, known_.reference(), *stage) == stage->last - stage->first)
        stages.push_back(stage);
    return stages;
  }

  // The stages in which a mistake's numbers are neither the student's nor the reference's.
  std::size_t contradictions(const KnownMistake& mistake) const {
    std::size_t count = 0;
    for (const Stage& stage : known_.stages()) {
      bool changes = false, is_found = true;
      for (std::size_t line = stage.first; line < stage.last; ++line) {
        changes = changes || !same_fingerprint(known_.reference()[line], mistake.numbers[line]);
        is_found =
            is_found && (found_[line].is_missing() || same_fingerprint(found_[line], mistake.numbers[line]));
      }
      if (changes && !is_found) ++count;
    }
    return count;
  }

  // Finds the mistake that explains the most of the open stages. Of equals, a bug of the list comes before a generated
  // mistake, and then one that would not have changed what is right.
  bool explain_stages() {
    std::vector<const Stage*> best;
    std::tuple<std::size_t, bool, std::size_t> most = {};
    Finding finding;
    for (const KnownMistake& mistake : known_.mistakes()) {
      const std::vector<const Stage*> stages = explained_by(mistake);
      if (stages.empty()) continue;
      const bool is_listed = !mistake.name.empty();
      const std::tuple value(stages.size(), is_listed, known_.stages().size() - contradictions(mistake));
      if (value > most) {
        most = value;
        best = stages;
        finding.mistakes = {&mistake};
      } else if (value == most && stages == best && is_listed) {
        finding.mistakes.push_back(&mistake);
      }
    }
    if (best.empty()) return false;
    for (const Stage* const stage : best) {
      finding.stages.push_back(stage->name);
      open_.erase(std::find(open_.begin(), open_.end(), stage));
    }
    result_.findings.push_back(finding);
    return true;
  }

  bool explain_first_lines(const Stage& stage) {
    std::size_t most = 0;
    Finding finding;
    for (const KnownMistake& mistake : known_.mistakes()) {
      const std::size_t lines = explained_lines(found_, mistake.numbers, known_.reference(), stage);
      if (lines <= most) continue;
      most = lines;
      finding = {
          .stages = {stage.name}, .mistakes = {&mistake}, .until = known_.quantity(stage.first + lines - 1)};
    }
    if (most > 0) result_.findings.push_back(finding);
    return most > 0;
  }

  // One gradient of several, say: the mistake that has the most of a stage's wrong lines. A line of one or two numbers
  // may be anybody's.
  void explain_single_lines(const Stage& stage) {
    Finding best;
    for (const KnownMistake& mistake : known_.mistakes()) {
      Finding finding = {.stages = {stage.name}, .mistakes = {&mistake}};
      for (std::size_t line = stage.first; line < stage.last; ++line)
        if (found_[line].count >= kFewestNumbers && same_fingerprint(found_[line], mistake.numbers[line]) &&
            !same_fingerprint(found_[line], known_.reference()[line]))
          finding.alone.push_back(known_.quantity(line));
      if (finding.alone.size() > best.alone.size()) best = finding;
    }
    if (!best.alone.empty()) result_.findings.push_back(best);
  }

  const Numbers found_;
  const KnownNumbers& known_;
  std::vector<const Stage*> open_;
  Recognition result_;
};

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::vector<std::string> in_quotes(std::vector<std::string> names) {
  for (std::string& name : names) name = "\"" + name + "\"";
  return names;
}

}  // namespace

Recognition recognize(const ProbeLines& found, const KnownNumbers& known) {
  return Search(known.aligned(found), known).run();
}

std::string to_text(const Recognition& recognition) {
  const bool one_for_all = recognition.findings.size() == 1 && recognition.explains_all;
  std::string text;
  for (const Finding& finding : recognition.findings) {
    std::string numbers = "Your numbers";
    if (!one_for_all) numbers = "The numbers of " + listed(finding.stages);
    if (!finding.until.empty())
      numbers = "In " + finding.stages[0] + ", your numbers up to \"" + finding.until + "\"";
    if (!finding.alone.empty())
      numbers = "In " + finding.stages[0] + ", your numbers of " + listed(in_quotes(finding.alone));
    std::set<std::string> pages;
    for (const KnownMistake* const mistake : finding.mistakes) {
      const bool is_first = mistake == finding.mistakes.front();
      text += (is_first ? numbers + " are exactly those of: " : "or of: ") + mistake->numbers_of + ".\n";
      if (pages.insert(mistake->read).second) text += "Read " + mistake->read + ".\n";
    }
  }
  if (!text.empty() && !recognition.right.empty())
    text += "Right, whatever the rest does: " + listed(recognition.right) + ".\n";
  return text;
}

}  // namespace plainformer::course
