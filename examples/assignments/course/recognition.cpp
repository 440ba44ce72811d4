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

// Is this a stage of the function? "train, with dropout" is one of train, "Epochs::next" of next, and "PositionalEncoding"
// of its constructor.
bool is_stage_of(const std::string& stage, const std::string& function) {
  return stage == function || stage.starts_with(function + " ") || stage.starts_with(function + ",") ||
         stage.ends_with("::" + function) || function.starts_with(stage + "::");
}

// The stages of a submission whose numbers are the reference's, and the others.
class StagesOfFunctions {
 public:
  explicit StagesOfFunctions(const std::vector<std::string>& functions) : functions_(functions) {}

  std::vector<const Stage*> right = {}, open = {};

  // The right stages of which a failed test says that they do not show all. A failed test is explained by an open stage of
  // a function that it tries.
  std::set<const Stage*> doubted(const std::vector<std::set<std::string>>& failed) const {
    std::set<const Stage*> result;
    for (const std::set<std::string>& tried : failed)
      if (!any_of(open, tried))
        for (const Stage* const stage : right)
          if (concerns(tried, *stage)) result.insert(stage);
    return result;
  }

  // Is another stage of its function open?
  bool is_of_a_wrong_function(const Stage& stage) const {
    return std::any_of(functions_.begin(), functions_.end(), [&](const std::string& function) {
      return is_stage_of(stage.name, function) &&
             std::any_of(open.begin(), open.end(),
                         [&](const Stage* wrong) { return is_stage_of(wrong->name, function); });
    });
  }

 private:
  bool any_of(const std::vector<const Stage*>& stages, const std::set<std::string>& tried) const {
    return std::any_of(stages.begin(), stages.end(),
                       [&](const Stage* stage) { return concerns(tried, *stage); });
  }

  // A stage that is no function's may be one of each function that has no stage.
  bool concerns(const std::set<std::string>& tried, const Stage& stage) const {
    const auto has_this = [&](const std::string& function) { return is_stage_of(stage.name, function); };
    if (tried.empty() || std::any_of(tried.begin(), tried.end(), has_this)) return true;
    return std::none_of(functions_.begin(), functions_.end(), has_this) &&
           std::any_of(tried.begin(), tried.end(),
                       [&](const std::string& function) { return !has_stage(function); });
  }

  bool has_stage(const std::string& function) const {
    const auto is_its = [&](const Stage* stage) { return is_stage_of(stage->name, function); };
    return std::any_of(right.begin(), right.end(), is_its) || std::any_of(open.begin(), open.end(), is_its);
  }

  const std::vector<std::string>& functions_;
};

// The recognition of one student's numbers.
class Search {
 public:
  Search(Numbers found, const KnownNumbers& known, const Suspicion& suspicion)
      : found_(std::move(found)), known_(known) {
    StagesOfFunctions stages(suspicion.functions);
    for (const Stage& stage : known_.stages()) {
      if (differs(stage, found_))
        open_.push_back(&stage);
      else
        stages.right.push_back(&stage);
    }
    stages.open = open_;
    doubted_ = stages.doubted(suspicion.failed);
    for (const Stage* const stage : stages.right)
      if (!doubted_.contains(stage) && !stages.is_of_a_wrong_function(*stage)) right_.push_back(stage);
  }

  Recognition run() {
    while (explain_stages()) {
    }
    result_.explains_all = open_.empty() && doubted_.empty();
    for (const Stage* const stage : open_)
      if (!explain_first_lines(*stage)) explain_single_lines(*stage);
    for (const Stage* const stage : right_)
      if (!is_in_question(*stage)) result_.right.push_back(stage->name);
    return result_;
  }

 private:
  // Are these numbers of the stage others than the reference's?
  bool differs(const Stage& stage, const Numbers& numbers) const {
    for (std::size_t line = stage.first; line < stage.last; ++line)
      if (!same_fingerprint(numbers[line], known_.reference()[line])) return true;
    return false;
  }

  // Would it have changed a right stage of each function that it changes? Then the student has not made it.
  bool is_ruled_out(const KnownMistake& mistake) const {
    const auto would_show = [&](const std::string& function) {
      return std::any_of(right_.begin(), right_.end(), [&](const Stage* stage) {
        return is_stage_of(stage->name, function) && differs(*stage, mistake.numbers);
      });
    };
    return !mistake.functions.empty() &&
           std::all_of(mistake.functions.begin(), mistake.functions.end(), would_show);
  }

  // Has a mistake been found that changes this stage's function, where the stage's numbers cannot show it?
  bool is_in_question(const Stage& stage) const {
    for (const Finding& finding : result_.findings)
      for (const KnownMistake* const mistake : finding.mistakes)
        for (const std::string& function : mistake->functions)
          if (is_stage_of(stage.name, function) && !differs(stage, mistake->numbers)) return true;
    return false;
  }

  std::vector<const Stage*> explained_by(const KnownMistake& mistake) const {
    std::vector<const Stage*> stages;
    if (is_ruled_out(mistake)) return stages;
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
      if (changes && !is_found && !doubted_.contains(&stage)) ++count;
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
      if (lines <= most || is_ruled_out(mistake)) continue;
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
      if (finding.alone.size() > best.alone.size() && !is_ruled_out(mistake)) best = finding;
    }
    if (!best.alone.empty()) result_.findings.push_back(best);
  }

  const Numbers found_;
  const KnownNumbers& known_;
  std::vector<const Stage*> open_, right_;
  std::set<const Stage*> doubted_;  // with the reference's numbers, and not right
  Recognition result_;
};

// The names may hold commas: "train, with dropout".
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "; ") + name;
  return text;
}

std::vector<std::string> in_quotes(std::vector<std::string> names) {
  for (std::string& name : names) name = "\"" + name + "\"";
  return names;
}

}  // namespace

Recognition recognize(const ProbeLines& found, const KnownNumbers& known, const Suspicion& suspicion) {
  return Search(known.aligned(found), known, suspicion).run();
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
  return text;
}

std::string right_text(const Recognition& recognition) {
  if (recognition.right.empty()) return "";
  return "Right, whatever the rest does: " + listed(recognition.right) + ".\n";
}

}  // namespace plainformer::course
