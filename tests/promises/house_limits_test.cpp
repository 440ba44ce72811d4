// The limits that keep a function and its comment readable: its length, its parameters, its first words. Each rule
// is a function that lists what breaks it, so that it can be seen to reject.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "promises/function_finder.h"
#include "promises/repository.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

constexpr std::size_t kMostFunctionLines = 50, kMostParameters = 6;

// What breaks a rule today, by name. A name that breaks it no longer must go: the lists only become shorter.
const std::set<std::string> kLongFunctions = {"micro_kernel_of_size"};  // each p is one step of a tile
const std::set<std::string> kFunctionsOfManyParameters = {"attention_forward"};  // with a hook on the weights

std::string room_of(const std::string& path) {
  const std::size_t begin = path.find('/') + 1;
  return path.substr(begin, path.find('/', begin) - begin);
}

// Kernels and the engine pass everything in registers.
bool may_have_more_parameters(const std::string& path) {
  return room_of(path) == "kernels" || path.find("/fast/") != std::string::npos;
}

struct Violation {
  std::string what;  // the function's name, or the comment's room
  std::string message;
};
using Violations = std::vector<Violation>;

// --- the rules

Violations long_functions(const std::string& path, const Lines& lines) {
  Violations violations;
  for (const Function& function : FunctionFinder::in(lines)) {
    if (!function.is_definition || function.lines() <= kMostFunctionLines) continue;
    violations.push_back({function.name, path + ":" + std::to_string(function.first_line) + ": " +
                                             function.name + " has " + std::to_string(function.lines()) +
                                             " lines"});
  }
  return violations;
}

Violations functions_with_many_parameters(const std::string& path, const Lines& lines) {
  Violations violations;
  if (may_have_more_parameters(path)) return violations;
  for (const Function& function : FunctionFinder::in(lines)) {
    if (function.parameters <= kMostParameters) continue;
    violations.push_back({function.name, path + ":" + std::to_string(function.first_line) + ": " +
                                             function.name + " has " + std::to_string(function.parameters) +
                                             " parameters"});
  }
  return violations;
}

// A comment's first sentence names its subject. In a debugger the neighbor that "the same" points to is not there.
Violations relative_comments(const std::string& path, const Lines& lines) {
  static const Pattern relative("^ *// ?(Of|Those of|Likewise|The same|And|As above)\\b");
  Violations violations;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t first = lines[i].find_first_not_of(' ');
    const bool begins_here = first != std::string::npos && lines[i].compare(first, 2, "//") == 0 &&
                             (i == 0 || lines[i - 1].find_first_not_of(' ') == std::string::npos ||
                              lines[i - 1].compare(lines[i - 1].find_first_not_of(' '), 2, "//") != 0);
    if (begins_here && relative.is_in(lines[i]))
      violations.push_back({room_of(path), path + ":" + std::to_string(i + 1) + ": " + lines[i]});
  }
  return violations;
}

// --- what the rules are applied to

using Rule = Violations (*)(const std::string& path, const Lines& lines);

// Only those that are listed break the rule, and each of them does.
void expect_kept(Rule rule, const std::set<std::string>& listed) {
  std::set<std::string> seen;
  const Lines files = files_under("src", ".*\\.(h|cpp)");
  ASSERT_GT(files.size(), 200u);
  for (const std::string& path : files) {
    for (const Violation& violation : rule(path, lines_of(kRoot / path))) {
      seen.insert(violation.what);
      EXPECT_TRUE(listed.count(violation.what)) << violation.message;
    }
  }
  for (const std::string& name : listed)
    EXPECT_TRUE(seen.count(name)) << name << " keeps the rule: take it off the list of exceptions";
}

TEST(HouseLimits, AFunctionHasAtMost50Lines) {
  expect_kept(long_functions, kLongFunctions);
}

TEST(HouseLimits, AFunctionHasAtMost6ParametersAboveKernelsAndTheEngine) {
  expect_kept(functions_with_many_parameters, kFunctionsOfManyParameters);
}

TEST(HouseLimits, ACommentNamesItsSubject) {
  expect_kept(relative_comments, {});
}

// --- the rules reject

Lines function_of(std::size_t lines, const std::string& first_line = "void f() {") {
  Lines text(lines, "  work();");
  text.front() = first_line;
  text.back() = "}";
  return text;
}

TEST(HouseLimitRules, AFunctionOf51Lines) {
  EXPECT_EQ(long_functions("src/ops/a.cpp", function_of(50)).size(), 0u);
  ASSERT_EQ(long_functions("src/ops/a.cpp", function_of(51)).size(), 1u);
  EXPECT_EQ(long_functions("src/ops/a.cpp", function_of(51)).front().what, "f");
  EXPECT_EQ(long_functions("src/ops/a.cpp", function_of(51, "const std::vector<int> f = {")).size(), 0u);
}

TEST(HouseLimitRules, AFunctionOf7Parameters) {
  const Lines six = {
      "void f(int a, std::pair<int, int> b, const X& c = {1, 2}, int d = g(1, 2), int e, int f);"};
  const Lines seven = {"void f(int a, int b, int c,", "       int d, int e, int f, int g);"};
  EXPECT_EQ(functions_with_many_parameters("src/ops/a.h", six).size(), 0u);
  EXPECT_EQ(functions_with_many_parameters("src/ops/a.h", seven).size(), 1u);
  EXPECT_EQ(functions_with_many_parameters("src/ops/fast/a.h", seven).size(), 0u);
  EXPECT_EQ(functions_with_many_parameters("src/kernels/a.h", seven).size(), 0u);
}

TEST(HouseLimitRules, ACommentThatPointsToItsNeighbor) {
  for (const char* comment : {"// Of a batch.", "  // Those of the others.", "// Likewise in double.",
                              "// The same without a bound.", "//And back.", "// As above."})
    EXPECT_EQ(relative_comments("src/ops/a.h", {"int a;", comment}).size(), 1u) << comment;
  for (const char* comment : {"// Often.", "// The sum of a row.", "// Andes", "int b;  // Of a batch."})
    EXPECT_EQ(relative_comments("src/ops/a.h", {"int a;", comment}).size(), 0u) << comment;
  EXPECT_EQ(relative_comments("src/ops/a.h", {"// The sums", "// Of a row."}).size(), 0u) << "one sentence";
}

// "f:3-5(2)!" is a definition of f in the lines 3 to 5 with two parameters.
std::vector<std::string> found_in(const Lines& lines) {
  std::vector<std::string> texts;
  for (const Function& f : FunctionFinder::in(lines))
    texts.push_back(f.name + ":" + std::to_string(f.first_line) + "-" + std::to_string(f.last_line) + "(" +
                    std::to_string(f.parameters) + ")" + (f.is_definition ? "!" : ""));
  return texts;
}

TEST(FunctionFinder, FindsDeclarationsAndDefinitions) {
  EXPECT_EQ(found_in({"namespace a {", "// f(int x) {", "int f(int x,", "      int y);", "}", "int g() {",
                      "  if (h(1)) {", "  }", "}"}),
            (Lines{"f:3-4(2)", "g:6-9(0)!"}));
  EXPECT_EQ(found_in({"class A : public B {", " public:", "  A(int x) : x_{x}, y_({1, 2}) {", "    f();",
                      "  }", "  int size() const { return 1; }",
                      " private:", "  std::function<bool(int)> ask_;", "  int x_ = f(1);", "};"}),
            (Lines{"A:3-5(1)!", "size:6-6(0)!"}));
  EXPECT_EQ(found_in({"template <typename T>", "T operator+(const T& x, const T& y) {", "  return x;", "}"}),
            (Lines{"operator+:1-4(2)!"}));
  EXPECT_EQ(found_in({"#define F(x) \\", "  void f() {", "using X = int(int);", "static_assert(f(1));",
                      "enum class E { kA };", "const int a[] = {f(1), 2};", "struct S {", "  int x;", "};"}),
            Lines());
}

TEST(FunctionFinder, ReadsNoTextAsCode) {
  EXPECT_EQ(found_in({"const char* a = R\"(", "int f() {", ")\";", "int g();"}), Lines{"g:4-4(0)"});
  EXPECT_EQ(found_in({"int f() {", "  return '{' + \"}{\\\"\"[0];  // {", "}", "int g();"}),
            (Lines{"f:1-3(0)!", "g:4-4(0)"}));
}

}  // namespace
}  // namespace plainformer
