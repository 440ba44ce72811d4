#include "core/check.h"

namespace plainformer {

namespace {

unsigned char byte_at(const std::string& text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

}  // namespace

std::runtime_error input_error(const std::string& where, const std::string& problem,
                               const std::string& hint) {
  const std::string line = where + ": " + problem + " (hint: " + hint + ")";
  std::string shown;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool is_c1_control =
        line[i] == '\xC2' && i + 1 < line.size() && (byte_at(line, i + 1) & 0xE0) == 0x80;
    if (is_c1_control) ++i;
    shown += is_c1_control || byte_at(line, i) < 0x20 || line[i] == 0x7F ? '?' : line[i];
  }
  return std::runtime_error(shown);
}

void require_between(const std::string& name, Index value, Index least, Index most) {
  if (value >= least && value <= most) return;
  throw input_error(name, std::to_string(value) + " is out of range",
                    "choose " + std::to_string(least) + " to " + std::to_string(most));
}

void require_at_least(const std::string& name, Index value, Index least) {
  if (value >= least) return;
  throw input_error(name, std::to_string(value) + " is out of range",
                    "choose at least " + std::to_string(least));
}

namespace detail {

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

}  // namespace detail
}  // namespace plainformer
