#include "results.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "core/number_text.h"
#include "core/strings.h"

namespace plainformer::course {

namespace {

std::optional<Result> result_of(const std::string& line) {
  const Texts fields = split_at('\t', line);
  if (fields.size() != 4) return std::nullopt;
  Result result = {.stage = fields[0], .name = fields[1]};
  if (fields[2] == "text") {
    result.is_text = true;
    result.text = fields[3];
    return result;
  }
  std::istringstream extents(fields[2]);
  for (Index extent = 0; extents >> extent;) result.shape.push_back(extent);
  const char* at = fields[3].c_str();
  for (char* end = nullptr;; at = end) {
    const double number = std::strtod(at, &end);
    if (end == at) break;
    result.numbers.push_back(number);
  }
  return result;
}

// How far a number may be from the right one.
double allowance_of(const std::vector<double>& right, double tolerance) {
  double largest = 1e-3;
  for (const double number : right)
    if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
  return tolerance * largest;
}

bool is_near(double number, double other, double allowance) {
  if (std::isnan(number) || std::isnan(other)) return std::isnan(number) && std::isnan(other);
  if (std::isinf(number) || std::isinf(other)) return number == other;
  return std::abs(number - other) <= allowance;
}

bool are_near(const std::vector<double>& numbers, const std::vector<double>& others, double allowance) {
  return std::equal(numbers.begin(), numbers.end(), others.begin(), others.end(),
                    [&](double number, double other) { return is_near(number, other, allowance); });
}

std::string text_of_number(double number) {
  return general_text(number, 6);
}

std::string text_of_shape(const std::vector<Index>& extents) {
  Texts texts;
  for (const Index extent : extents) texts.push_back(std::to_string(extent));
  return "[" + join(", ", texts) + "]";
}

// The index of each axis of an element, which is given by its place in memory.
std::vector<Index> indices_of(std::size_t element, const std::vector<Index>& shape) {
  std::vector<Index> indices(shape.size());
  auto rest = static_cast<Index>(element);
  for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis]) indices[axis] = rest % shape[axis];
  return indices;
}

std::size_t element_at(const std::vector<Index>& indices, const std::vector<Index>& shape) {
  Index element = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) element = element * shape[axis] + indices[axis];
  return static_cast<std::size_t>(element);
}

// Looks for the kind of difference between two tensors of one shape.
class Comparison {
 public:
  Comparison(const Result& found, const Result& right, double tolerance)
      : found_(found.numbers),
        right_(right.numbers),
        shape_(right.shape),
        tolerance_(tolerance),
        allowance_(allowance_of(right.numbers, tolerance)) {
    for (std::size_t i = 0; i < right_.size(); ++i)
      if (!is_near(found_[i], right_[i], allowance_)) wrong_.push_back(i);
  }

  // The first one that holds.
  std::string kind() const {
    for (const std::string& kind : {not_numbers(), zeros(), factor(), offset(), exchanged_axes(), shifted(),
                                    one_place_of_an_axis(), masked()})
      if (!kind.empty()) return kind;
    return how_many() + " are wrong";
  }

  std::string first_wrong() const {
    const std::size_t i = wrong_.front();
    return (shape_.empty() ? "it" : text_of_shape(indices_of(i, shape_))) + " is " +
           text_of_number(found_[i]) + ", and should be " + text_of_number(right_[i]);
  }

 private:
  std::string how_many() const {
    if (wrong_.size() == right_.size()) return right_.size() == 1 ? "The number" : "All numbers";
    return std::to_string(wrong_.size()) + " of " + std::to_string(right_.size()) + " numbers";
  }

  std::string not_numbers() const {
    for (const std::size_t i : wrong_)
      if (std::isnan(found_[i]))
        return how_many() + " are wrong, and some are nan (so is an element that was never written)";
    return "";
  }

  std::string zeros() const {
    const bool all_zero = std::all_of(found_.begin(), found_.end(), [](double x) { return x == 0; });
    return all_zero ? "All numbers are 0" : "";
  }

  // "1/sqrt(6)" for 0.408248
  std::string name_of_factor(double factor) const {
    constexpr double kMostWhole = 1000;
    for (const bool is_inverse : {false, true}) {
      const double large = is_inverse ? 1 / std::abs(factor) : std::abs(factor), square = large * large;
      const std::string before = std::string(factor < 0 ? "-" : "") + (is_inverse ? "1/" : "");
      if (large > kMostWhole || large < 1) continue;
      if (is_near(large, std::round(large), tolerance_ * large))
        return before + text_of_number(std::round(large));
      if (is_near(square, std::round(square), tolerance_ * square))
        return before + "sqrt(" + text_of_number(std::round(square)) + ")";
    }
    return text_of_number(factor);
  }

  std::string factor() const {
    const auto largest = std::max_element(right_.begin(), right_.end(),
                                          [](double x, double y) { return std::abs(x) < std::abs(y); });
    if (right_.size() < 2 || !(std::abs(*largest) > 0)) return "";
    const double factor = found_[static_cast<std::size_t>(largest - right_.begin())] / *largest;
    std::vector<double> scaled = right_;
    for (double& number : scaled) number *= factor;
    if (!are_near(found_, scaled, allowance_of(scaled, tolerance_))) return "";
    if (is_near(factor, -1, tolerance_)) return "Each number has the wrong sign";
    return "Each number is " + name_of_factor(factor) + " times the right one";
  }

  std::string offset() const {
    std::vector<double> moved = right_;
    for (double& number : moved) number += found_[0] - right_[0];
    if (right_.size() < 2 || !are_near(found_, moved, allowance_of(moved, tolerance_))) return "";
    return "Each number is the right one plus " + text_of_number(found_[0] - right_[0]);
  }

  // Does each right number stand at another place? place(indices) says at which, if at any.
  template <typename Place>
  bool are_moved(const Place& place) const {
    for (std::size_t i = 0; i < right_.size(); ++i) {
      const std::optional<std::size_t> at = place(indices_of(i, shape_));
      if (at && !is_near(found_[*at], right_[i], allowance_)) return false;
    }
    return true;
  }

  std::string exchanged_axes() const {
    for (std::size_t first = 0; first < shape_.size(); ++first)
      for (std::size_t second = first + 1; second < shape_.size(); ++second) {
        std::vector<Index> exchanged = shape_;
        std::swap(exchanged[first], exchanged[second]);
        if (are_moved([&](std::vector<Index> indices) -> std::optional<std::size_t> {
              std::swap(indices[first], indices[second]);
              return element_at(indices, exchanged);
            }))
          return "Axes " + std::to_string(first) + " and " + std::to_string(second) + " are exchanged";
      }
    return "";
  }

  std::string shifted() const {
    for (std::size_t axis = 0; axis < shape_.size(); ++axis)
      for (const Index by : {-1, 1})
        if (shape_[axis] > 2 && are_moved([&](std::vector<Index> indices) -> std::optional<std::size_t> {
              indices[axis] += by;
              if (indices[axis] < 0 || indices[axis] >= shape_[axis]) return std::nullopt;
              return element_at(indices, shape_);
            }))
          return "The numbers are one position off along axis " + std::to_string(axis);
    return "";
  }

  std::string one_place_of_an_axis() const {
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
      const Index place = indices_of(wrong_.front(), shape_)[axis];
      if (shape_[axis] < 2 || std::any_of(wrong_.begin(), wrong_.end(), [&](std::size_t i) {
            return indices_of(i, shape_)[axis] != place;
          }))
        continue;
      const std::string which = place == 0                  ? "the first"
                                : place == shape_[axis] - 1 ? "the last"
                                                            : "number " + std::to_string(place);
      return how_many() + " are wrong, only in " + which + " place of axis " + std::to_string(axis);
    }
    return "";
  }

  std::string masked() const {
    for (const std::size_t i : wrong_)
      if (right_[i] != 0) return "";
    return how_many() + " are wrong, only where the right one is 0 (what a mask hides, for example)";
  }

  const std::vector<double>&found_, &right_;
  const std::vector<Index>& shape_;
  const double tolerance_, allowance_;
  std::vector<std::size_t> wrong_;
};

}  // namespace

Results results_of(const std::string& report) {
  Results results;
  std::map<std::string, int> counts;
  Texts lines = split_at('\n', report);
  lines.pop_back();  // it is empty, or a line that was not written to its end
  for (const std::string& line : lines) {
    std::optional<Result> result = result_of(line);
    if (!result) continue;
    const int count = ++counts[result->label()];
    if (count > 1) result->name += " (" + std::to_string(count) + ")";
    results.push_back(std::move(*result));
  }
  return results;
}

Texts stages_of(const Results& results) {
  Texts stages;
  for (const Result& result : results)
    if (stages.empty() || stages.back() != result.stage) stages.push_back(result.stage);
  return stages;
}

const Result* find_result(const Results& results, const Result& like) {
  const auto found = std::find_if(results.begin(), results.end(), [&](const Result& result) {
    return result.stage == like.stage && result.name == like.name;
  });
  return found == results.end() ? nullptr : &*found;
}

bool is_same(const Result& found, const Result& right, double tolerance) {
  if (found.is_text || right.is_text) return found.is_text == right.is_text && found.text == right.text;
  return found.shape == right.shape &&
         are_near(found.numbers, right.numbers, allowance_of(right.numbers, tolerance));
}

std::string difference(const Result& found, const Result& right, double tolerance) {
  if (is_same(found, right, tolerance)) return "";
  if (right.is_text) return "It is \"" + found.text + "\", and should be \"" + right.text + "\"";
  if (found.shape != right.shape || found.numbers.size() != right.numbers.size())
    return "Its shape is " + text_of_shape(found.shape) + ", and should be " + text_of_shape(right.shape);
  const Comparison comparison(found, right, tolerance);
  return comparison.kind() + ": " + comparison.first_wrong();
}

bool has_same(const Results& results, const Result& like, double tolerance) {
  const Result* const found = find_result(results, like);
  return found && is_same(*found, like, tolerance);
}

std::string what_is_right(const Results& found, const Results& right, double tolerance) {
  Texts parts;
  bool is_all = true;
  for (const std::string& stage : stages_of(right)) {
    Texts names;
    bool is_whole = true;
    for (const Result& result : right)
      if (result.stage == stage && has_same(found, result, tolerance))
        names.push_back(result.name);
      else if (result.stage == stage)
        is_whole = is_all = false;
    if (is_whole)
      parts.push_back(stage);
    else if (!names.empty())
      parts.push_back("of " + stage + ": " + join(", ", names));
  }
  return is_all || parts.empty() ? "" : "Right: " + join("; ", parts) + ".\n";
}

// --- known mistakes ---

namespace {

constexpr std::size_t kFewestNumbers = 3;

using Labels = std::set<std::string>;  // of results

// The open results that are the mistake's. One of one or two numbers may be anybody's, unless all of its
// stage are.
Labels explained_by(const KnownMistake& mistake, const Results& found, const Labels& open) {
  Labels explained, open_stages;
  bool is_told = false;
  for (const Result& result : found) {
    if (!open.contains(result.label())) continue;
    const bool is_its = has_same(mistake.results, result);
    is_told = is_told || (is_its && (result.is_text || result.numbers.size() >= kFewestNumbers));
    if (is_its)
      explained.insert(result.label());
    else
      open_stages.insert(result.stage);
  }
  const bool is_anybodys = std::any_of(explained.begin(), explained.end(), [&](const std::string& label) {
    return open_stages.contains(label.substr(0, label.find(": ")));
  });
  return is_told || !is_anybodys ? explained : Labels();
}

// How many results would be others if this were the student's mistake.
int contradictions(const KnownMistake& mistake, const Results& found, const Results& right) {
  return static_cast<int>(std::count_if(found.begin(), found.end(), [&](const Result& result) {
    const Result* const its = find_result(mistake.results, result);
    return its && !is_same(*its, result) && !has_same(right, *its);
  }));
}

// Many mistakes end in nan: by itself that names none of them.
bool say_something(const Labels& labels, const Results& found) {
  return std::any_of(found.begin(), found.end(), [&](const Result& result) {
    return labels.contains(result.label()) &&
           (result.is_text || std::any_of(result.numbers.begin(), result.numbers.end(),
                                          [](double number) { return !std::isnan(number); }));
  });
}

std::string sentences(const std::vector<const KnownMistake*>& mistakes, const std::string& numbers) {
  std::string text, before = numbers + " are exactly those of: ";
  std::set<std::string> pages;
  for (const KnownMistake* const mistake : mistakes) {
    text += before + mistake->numbers_of + ".\n";
    if (pages.insert(mistake->read).second) text += "Read " + mistake->read + ".\n";
    before = "or of: ";
  }
  return text;
}

}  // namespace

std::string name_mistakes(const Results& found, const Results& right,
                          const std::vector<KnownMistake>& known) {
  Labels open;
  for (const Result& result : right)
    if (!has_same(found, result)) open.insert(result.label());
  const std::size_t all = open.size();
  for (std::string text;;) {
    std::vector<const KnownMistake*> best;
    Labels explained;
    int fewest = 0;
    for (const KnownMistake& mistake : known) {
      const Labels its = explained_by(mistake, found, open);
      const int against = contradictions(mistake, found, right);
      if (its.empty() || (against > 0 && !say_something(its, found))) continue;
      const bool is_equal = its == explained && against == fewest;
      const bool is_better =
          its.size() > explained.size() || (its.size() == explained.size() && against < fewest);
      if (is_better) best.clear();
      if (!is_better && !is_equal) continue;
      best.push_back(&mistake);
      explained = its;
      fewest = against;
    }
    if (best.empty()) return text;
    const Texts labels(explained.begin(), explained.end());
    text += sentences(best, labels.size() == all ? "Your numbers" : "The numbers of " + join("; ", labels));
    for (const std::string& label : labels) open.erase(label);
  }
}

}  // namespace plainformer::course
