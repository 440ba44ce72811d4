#include "core/check.h"

namespace plainformer::detail {

namespace {

std::string location(const char* file, int line) {
  return std::string(file) + ":" + std::to_string(line) + ": ";
}

// Splits "batch, heads, d_model / heads" at its top-level commas.
std::vector<std::string> split_arguments(const std::string& text) {
  std::vector<std::string> names(1);
  int depth = 0;
  for (char c : text) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) {
      names.emplace_back();
    } else if (c != ' ' || !names.back().empty()) {
      names.back() += c;
    }
  }
  return names;
}

bool is_number(const std::string& text) {
  return text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

void check_failed(const char* file, int line, const char* condition, const std::string& message) {
  throw std::logic_error(location(file, line) + "check failed: " + condition +
                         (message.empty() ? "" : ": " + message));
}

void check_shape(const char* file, int line, const char* tensor_name, const Shape& actual, const char* names,
                 std::initializer_list<Index> expected) {
  if (actual == Shape(expected)) return;
  const std::vector<std::string> name = split_arguments(names);
  std::string text = location(file, line) + tensor_name + ": expected [";
  std::size_t axis = 0;
  for (Index extent : expected) {
    if (axis > 0) text += ", ";
    if (!is_number(name[axis])) text += name[axis] + "=";
    text += std::to_string(extent);
    ++axis;
  }
  throw std::logic_error(text + "], got " + actual.to_string());
}

}  // namespace plainformer::detail
