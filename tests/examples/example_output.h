// Runs an example and compares its output with tests/examples/expected/NAME.txt.
//
// Text must be equal. A number with a decimal point may differ by one unit in its last digit, because another
// compiler or instruction set may round it the other way. Integers are counts and must be equal.
//
// To write an expected file: build/test/examples/NAME > tests/examples/expected/NAME.txt, and read it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "support/pattern.h"
#include "support/program.h"

namespace plainformer {

// On Windows, the examples end a line as that system does. plainformer itself writes LF everywhere.
inline std::string with_lf(const std::string& text) {
  return Pattern("\r\n").replaced_in(text, "\n");
}

inline ProgramResult run_example(const std::string& name, const std::vector<std::string>& arguments = {},
                                 ProgramSetup setup = {}) {
  setup.program = std::string(PLAINFORMER_EXAMPLES_DIR) + "/" + name;
  ProgramResult result = run_program(arguments, setup);
  for (std::string* text : {&result.out, &result.err}) *text = with_lf(*text);
  return result;
}

// "0.25", "-3.1", "9.805e-36". Not "3.2.1", which numbers a section.
inline bool is_decimal(const std::string& token) {
  static const Pattern decimal("\\s*[-+]?[0-9]+\\.[0-9]+(e[-+]?[0-9]+)?");
  return decimal.matches(token);
}

// One unit in the last digit: 0.01 for "0.25", 1e-39 for "9.805e-36".
inline double last_digit(std::string number) {
  const std::size_t end = std::min(number.find('e'), number.size());
  for (char& c : number) c = std::isdigit(static_cast<unsigned char>(c)) && &c < &number[0] + end ? '0' : c;
  number[end - 1] = '1';
  return std::abs(std::stod(number));
}

inline bool same_number(const std::string& actual, const std::string& expected) {
  if (actual.size() != expected.size() || actual.find('.') != expected.find('.')) return false;
  const double unit = std::max(last_digit(actual), last_digit(expected));
  return std::abs(std::stod(actual) - std::stod(expected)) <= 1.01 * unit;
}

// A line as numbers, each with the spaces before it, and the text between them.
inline std::vector<std::string> tokens_of(const std::string& line) {
  static const Pattern number("\\s*[-+]?[0-9]+(\\.[0-9]+)*(e[-+]?[0-9]+)?");
  std::vector<std::string> tokens;
  std::size_t from = 0;
  for (const Match& match : number.all_in(line)) {
    tokens.push_back(line.substr(from, match.begin - from));
    tokens.push_back(match.groups[0]);
    from = match.end;
  }
  tokens.push_back(line.substr(from));
  return tokens;
}

// The numbers must also end in the same column, so that tables stay aligned.
inline bool same_line(const std::string& actual, const std::string& expected) {
  if (actual == expected) return true;
  const auto mine = tokens_of(actual), theirs = tokens_of(expected);
  if (mine.size() != theirs.size() || actual.size() != expected.size()) return false;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (mine[i] == theirs[i]) continue;
    if (!is_decimal(mine[i]) || !is_decimal(theirs[i]) || !same_number(mine[i], theirs[i])) return false;
  }
  return true;
}

inline testing::AssertionResult same_output(const std::string& actual, const std::string& expected) {
  std::istringstream mine(actual), theirs(expected);
  std::string my_line, their_line;
  for (int number = 1;; ++number) {
    const bool more = !!std::getline(mine, my_line), more_expected = !!std::getline(theirs, their_line);
    if (!more && !more_expected) return testing::AssertionSuccess();
    if (more && more_expected && same_line(my_line, their_line)) continue;
    return testing::AssertionFailure()
           << "line " << number << "\n  printed:  " << (more ? my_line : "(the end)")
           << "\n  expected: " << (more_expected ? their_line : "(the end)") << "\nThe whole output:\n"
           << actual;
  }
}

// Runs an example without arguments: it must succeed, print the expected file, and be silent on stderr.
inline testing::AssertionResult prints_the_expected_file(const std::string& name, ProgramSetup setup = {}) {
  std::ifstream file(PLAINFORMER_SOURCE_DIR "/tests/examples/expected/" + name + ".txt");
  if (!file) return testing::AssertionFailure() << name << " has no expected file";
  const ProgramResult result = run_example(name, {}, std::move(setup));
  if (result.exit_code != 0 || !result.err.empty())
    return testing::AssertionFailure() << "exit code " << result.exit_code << ", stderr:\n" << result.err;
  return same_output(result.out, std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace plainformer
