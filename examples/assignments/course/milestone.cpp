#include "milestone.h"

#include <algorithm>
#include <cmath>

#include "core/input_error.h"
#include "core/number_text.h"
#include "json_reader.h"
#include "report/terminal.h"
#include "text.h"

namespace plainformer::course {

namespace {

// The elements of nested arrays. A null is not finite.
void append_elements(const JsonValue& value, std::vector<double>& elements) {
  if (const JsonArray* const array = value.array())
    for (const JsonValue& each : *array) append_elements(each, elements);
  else
    elements.push_back(value.number().value_or(std::nan("")));
}

struct TracedTensor {
  std::string name, equation;
  std::vector<double> elements;
};

// The records of the forward pass.
std::vector<TracedTensor> forward_tensors(const std::string& text) {
  const JsonValue json = parse_json(text, "the trace");
  const JsonValue* const records = json.find("records");
  if (!records || !records->array())
    throw input_error("the trace", "it has no records", "run `course check`, then this again");
  std::vector<TracedTensor> tensors;
  for (const JsonValue& record : *records->array()) {
    const JsonValue* const path = record.find("path");
    const JsonValue* const values = record.find("values");
    if (!path || !path->array() || path->array()->empty() || !values) continue;
    if (text_of(path->array()->front(), "path") != "Forward") continue;
    TracedTensor tensor = {.name = text_of(*record.find("name"), "name"),
                           .equation = text_of(*record.find("equation"), "equation"),
                           .elements = {}};
    append_elements(*values, tensor.elements);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

double largest_of(const std::vector<double>& elements) {
  double largest = 0;
  for (const double element : elements) largest = std::max(largest, std::abs(element));
  return largest;
}

bool same_element(double mine, double theirs) {
  return mine == theirs || (std::isnan(mine) && std::isnan(theirs));
}

void compare(const TracedTensor& mine, const TracedTensor& theirs, TraceComparison& comparison) {
  const double scale = std::max(largest_of(theirs.elements), 1e-30);
  for (std::size_t i = 0; i < theirs.elements.size(); ++i) {
    const double a = mine.elements[i], b = theirs.elements[i];
    if (same_element(a, b)) continue;
    const auto here = [&]() -> TensorDifference {
      return {theirs.name, theirs.equation, mine.elements, theirs.elements, i};
    };
    if (!comparison.first) comparison.first = here();
    const double difference = std::abs(a - b) / scale;
    const bool is_wrong = !(difference <= kRounding);
    if (is_wrong && !comparison.first_wrong) comparison.first_wrong = here();
    comparison.largest = is_wrong && std::isnan(difference) ? 1 : std::max(comparison.largest, difference);
  }
}

}  // namespace

std::vector<const Exercise*> exercises_of(const Milestone& milestone,
                                          const std::vector<Exercise>& exercises) {
  std::vector<const Exercise*> needed;
  for (const Exercise* const exercise : in_order_of_work(exercises)) {
    if (!exercise->elective && exercise->kind == Kind::kFunctions) needed.push_back(exercise);
    if (exercise->number == milestone.last) break;
  }
  return needed;
}

TraceComparison compare_traces(const std::string& mine, const std::string& theirs) {
  const std::vector<TracedTensor> my_tensors = forward_tensors(mine), their_tensors = forward_tensors(theirs);
  if (my_tensors.size() != their_tensors.size())
    throw input_error("the trace",
                      "it has " + std::to_string(my_tensors.size()) + " tensors, and the reference's " +
                          std::to_string(their_tensors.size()),
                      "is your program older than the sources? Run this again");
  TraceComparison comparison;
  for (std::size_t i = 0; i < their_tensors.size(); ++i) {
    if (my_tensors[i].name != their_tensors[i].name ||
        my_tensors[i].elements.size() != their_tensors[i].elements.size())
      throw input_error("the trace", my_tensors[i].name + " has another shape than " + their_tensors[i].name,
                        "run `course check` first");
    compare(my_tensors[i], their_tensors[i], comparison);
    ++comparison.tensors;
  }
  return comparison;
}

std::string side_by_side(const std::string& left_title, const std::string& left,
                         const std::string& right_title, const std::string& right) {
  std::vector<std::string> left_lines = lines_of(left), right_lines = lines_of(right);
  left_lines.insert(left_lines.begin(), left_title);
  right_lines.insert(right_lines.begin(), right_title);
  int width = 0;
  for (const std::string& line : left_lines) width = std::max(width, display_width(line));
  std::string text;
  for (std::size_t i = 0; i < std::max(left_lines.size(), right_lines.size()); ++i) {
    const std::string mine = i < left_lines.size() ? left_lines[i] : "";
    const std::string theirs = i < right_lines.size() ? right_lines[i] : "";
    text += (theirs.empty() ? mine : pad_right(mine, width + 4) + theirs) + '\n';
  }
  return text;
}

std::optional<double> exact_match_of(const std::string& output) {
  const std::string before = "Held-out exact match: ";
  const std::size_t at = output.rfind(before);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = at + before.size();
  return parse_number<double>(output.substr(begin, output.find(' ', begin) - begin));
}

}  // namespace plainformer::course
