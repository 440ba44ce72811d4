#include "results.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>

namespace plainformer::course {

namespace {

std::optional<Result> result_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream input(line);
  for (std::string field; std::getline(input, field, '\t');) fields.push_back(field);
  if (fields.size() == 3) fields.emplace_back();  // an empty tensor, or an empty text
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

double largest_of(const std::vector<double>& numbers) {
  double largest = 0;
  for (const double number : numbers)
    if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
  return largest;
}

// How far a number may be from the right one.
double allowance_of(const std::vector<double>& right, double tolerance) {
  return tolerance * std::max(largest_of(right), 1e-3);
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
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", number);
  return std::isnan(number) ? "nan" : text;
}

std::string text_of_shape(const std::vector<Index>& extents) {
  std::string text;
  for (const Index extent : extents) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
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
                                    other_order(), one_place_of_an_axis(), masked()})
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
    const bool is_nan =
        std::any_of(wrong_.begin(), wrong_.end(), [&](std::size_t i) { return std::isnan(found_[i]); });
    return is_nan ? how_many() + " are wrong, and some are nan (so is an element that was never written)"
                  : "";
  }

  std::string zeros() const {
    const bool all_zero = std::all_of(found_.begin(), found_.end(), [](double x) { return x == 0; });
    return all_zero ? "All numbers are 0" : "";
  }

  // "1/sqrt(6)" for 0.408248
  std::string name_of_factor(double factor) const {
    const double size = std::abs(factor);
    const std::string sign = factor < 0 ? "-" : "";
    constexpr double kMostWhole = 1000;
    for (const bool is_inverse : {false, true}) {
      const double large = is_inverse ? 1 / size : size;
      const std::string before = sign + (is_inverse ? "1/" : "");
      if (large > kMostWhole || large < 1) continue;
      if (is_near(large, std::round(large), tolerance_ * large))
        return before + text_of_number(std::round(large));
      if (is_near(large * large, std::round(large * large), tolerance_ * large * large))
        return before + "sqrt(" + text_of_number(std::round(large * large)) + ")";
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
    if (right_.size() < 2) return "";
    std::vector<double> moved = right_;
    for (double& number : moved) number += found_[0] - right_[0];
    return are_near(found_, moved, allowance_of(moved, tolerance_))
               ? "Each number is the right one plus " + text_of_number(found_[0] - right_[0])
               : "";
  }

  std::string exchanged_axes() const {
    for (std::size_t first = 0; first < shape_.size(); ++first)
      for (std::size_t second = first + 1; second < shape_.size(); ++second) {
        std::vector<Index> exchanged = shape_;
        std::swap(exchanged[first], exchanged[second]);
        std::vector<double> numbers(right_.size());
        for (std::size_t i = 0; i < right_.size(); ++i) {
          std::vector<Index> indices = indices_of(i, shape_);
          std::swap(indices[first], indices[second]);
          numbers[element_at(indices, exchanged)] = right_[i];
        }
        if (are_near(found_, numbers, allowance_))
          return "Axes " + std::to_string(first) + " and " + std::to_string(second) + " are exchanged";
      }
    return "";
  }

  // What stands at each place of an axis belongs one place further, or before.
  std::string shifted() const {
    for (std::size_t axis = 0; axis < shape_.size(); ++axis)
      for (const Index by : {-1, 1}) {
        bool all = shape_[axis] > 2;
        for (std::size_t i = 0; all && i < right_.size(); ++i) {
          std::vector<Index> indices = indices_of(i, shape_);
          indices[axis] += by;
          if (indices[axis] < 0 || indices[axis] >= shape_[axis]) continue;
          all = is_near(found_[i], right_[element_at(indices, shape_)], allowance_);
        }
        if (all) return "The numbers are one position off along axis " + std::to_string(axis);
      }
    return "";
  }

  std::string other_order() const {
    std::vector<double> found = found_, right = right_;
    std::sort(found.begin(), found.end());
    std::sort(right.begin(), right.end());
    return right_.size() > 2 && are_near(found, right, allowance_)
               ? "The numbers are right, but in another order"
               : "";
  }

  std::string one_place_of_an_axis() const {
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
      if (shape_[axis] < 2) continue;
      const Index place = indices_of(wrong_.front(), shape_)[axis];
      const bool is_alone = std::all_of(wrong_.begin(), wrong_.end(),
                                        [&](std::size_t i) { return indices_of(i, shape_)[axis] == place; });
      if (!is_alone) continue;
      const std::string which = place == 0                  ? "the first"
                                : place == shape_[axis] - 1 ? "the last"
                                                            : "number " + std::to_string(place);
      return how_many() + " are wrong, only in " + which + " place of axis " + std::to_string(axis);
    }
    return "";
  }

  std::string masked() const {
    const auto is_zero = [&](std::size_t i) { return right_[i] == 0; };
    if (std::all_of(wrong_.begin(), wrong_.end(), is_zero))
      return how_many() + " are wrong, only where the right one is 0 (what a mask hides, for example)";
    return "";
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
  std::size_t begin = 0;
  for (std::size_t end = report.find('\n'); end != std::string::npos; end = report.find('\n', begin)) {
    std::optional<Result> result = result_of(report.substr(begin, end - begin));
    begin = end + 1;
    if (!result) continue;
    const int count = ++counts[result->label()];
    if (count > 1) result->name += " (" + std::to_string(count) + ")";
    results.push_back(std::move(*result));
  }
  return results;
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

std::string what_is_right(const Results& found, const Results& right, double tolerance) {
  struct Stage {
    std::string name, right_results;
    bool is_right = true;
  };
  std::vector<Stage> stages;
  for (const Result& result : right) {
    if (stages.empty() || stages.back().name != result.stage) stages.push_back({result.stage, "", true});
    const Result* const mine = find_result(found, result);
    if (mine && is_same(*mine, result, tolerance))
      stages.back().right_results += (stages.back().right_results.empty() ? "" : ", ") + result.name;
    else
      stages.back().is_right = false;
  }
  if (std::all_of(stages.begin(), stages.end(), [](const Stage& stage) { return stage.is_right; })) return "";
  std::string text;
  for (const Stage& stage : stages) {
    if (stage.right_results.empty()) continue;
    text += (text.empty() ? "Right: " : "; ") +
            (stage.is_right ? stage.name : "of " + stage.name + ": " + stage.right_results);
  }
  return text.empty() ? "" : text + ".\n";
}

}  // namespace plainformer::course
