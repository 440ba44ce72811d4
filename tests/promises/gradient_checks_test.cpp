// A new operation or layer comes with a gradient check, and with a test beside those of its room. Each rule is a
// function that lists what breaks it, so that it can be seen to reject.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "promises/repository.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

// What needs no check of its own: a part of neighbor_attention, and passes that give the bits of the model's own.
const std::set<std::string> kCheckedElsewhere = {"global_positions", "RecomputingPasses"};

// The operations and the layers of a header that have a backward: "softmax", "FeedForward".
Lines differentiable_in(const Lines& header) {
  static const Pattern operation("^[A-Za-z].*\\b([a-z]\\w*?)(_forward)?_backward\\(");
  static const Pattern type("^(?:class|struct) (\\w+) .*\\{$"), method("^  [A-Za-z].* backward\\(");
  Lines names;
  std::string layer;
  for (const std::string& line : header) {
    if (const auto match = operation.first_in(line)) names.push_back(match->groups[1]);
    if (const auto match = type.first_in(line)) layer = match->groups[1];
    if (method.is_in(line)) names.push_back(layer);
  }
  return names;
}

// The text of a file's gradient checks, and of the functions that they may call: all but its other tests.
std::string gradient_checks_in(const Lines& test_file) {
  static const Pattern check("^GRADIENT_TEST(_F)?\\("), other("^TEST(_[FP])?\\(");
  std::string text;
  bool has_check = false, inside_other = false;
  for (const std::string& line : test_file) {
    has_check = has_check || check.is_in(line);
    inside_other = inside_other || other.is_in(line);
    if (!inside_other) text += line + '\n';
    if (line == "}") inside_other = false;
  }
  return has_check ? text : "";
}

// A check that names the operation or the layer.
Pattern check_of(const std::string& name) {
  const bool is_layer = std::isupper(static_cast<unsigned char>(name.front()));
  return Pattern(is_layer ? "\\b" + name + "\\b" : "\\b" + name + "(_forward)?_backward\\(");
}

// --- the rules

Lines without_gradient_check(const Lines& names, const Lines& checks_of_files) {
  Lines problems;
  for (const std::string& name : names) {
    if (kCheckedElsewhere.count(name)) continue;
    const auto names_it = [check = check_of(name)](const std::string& checks) { return check.is_in(checks); };
    if (!std::any_of(checks_of_files.begin(), checks_of_files.end(), names_it))
      problems.push_back(name + " has a backward, and no GRADIENT_TEST names it");
  }
  return problems;
}

// tests/ops/softmax_test.cpp for src/ops/softmax.h.
std::string test_of(const std::string& header) {
  static const Pattern source("^src/(.*)\\.h$");
  return source.replaced_in(header, "tests/$1_test.cpp");
}

Lines without_test_at_mirrored_path(const Lines& headers, const Lines& tests) {
  Lines problems;
  for (const std::string& header : headers)
    if (!contains(tests, test_of(header))) problems.push_back(header + " has no " + test_of(header));
  return problems;
}

// --- what the rules are applied to

// The gradient checks of the test that mirrors a header; of all tests of its room, where none mirrors it.
Lines checks_for(const std::string& header, const std::map<std::string, std::string>& checks_by_test) {
  const auto mirrored = checks_by_test.find(test_of(header));
  if (mirrored != checks_by_test.end()) return {mirrored->second};
  const std::string test = test_of(header), room = test.substr(0, test.rfind('/') + 1);
  Lines checks;
  for (const auto& [path, text] : checks_by_test)
    if (path.rfind(room, 0) == 0) checks.push_back(text);
  return checks;
}

TEST(GradientChecks, ThereIsOneForEachOperationAndLayerWithABackward) {
  std::map<std::string, std::string> checks_by_test;
  for (const std::string& path : files_under("tests", ".*_test\\.cpp"))
    checks_by_test[path] = gradient_checks_in(lines_of(kRoot / path));
  Lines seen;
  for (const char* room : {"src/ops", "src/transformer", "src/training"}) {
    for (const std::string& header : files_under(room, "(?!.*/(fast|plain)/).*\\.h")) {
      const Lines names = differentiable_in(lines_of(kRoot / header));
      seen.insert(seen.end(), names.begin(), names.end());
      expect_none(without_gradient_check(names, checks_for(header, checks_by_test)));
    }
  }
  ASSERT_GT(seen.size(), 30u);
  for (const char* name : {"softmax", "attention", "FeedForward", "Transformer"})
    EXPECT_TRUE(contains(seen, name)) << name;
}

TEST(GradientChecks, EachOperationHasATestAtTheMirroredPath) {
  Lines operations;
  for (const std::string& path : files_under("src", "src/ops/[^/]*\\.h")) {
    const Lines names = differentiable_in(lines_of(kRoot / path));
    if (!names.empty() && !kCheckedElsewhere.count(names.front())) operations.push_back(path);
  }
  ASSERT_GT(operations.size(), 10u);
  expect_none(without_test_at_mirrored_path(operations, files_under("tests", ".*_test\\.cpp")));
}

// --- the rules reject

TEST(GradientCheckRules, FindWhatHasABackward) {
  EXPECT_EQ(differentiable_in({"// relu_backward(x)", "Tensor relu_forward(Tensor x);",
                               "Tensor relu_backward(Tensor grad_y, const Tensor& y);",
                               "CrossEntropy loss_forward_backward(Real grad_loss);", "class FeedForward {",
                               "  Tensor forward(const Tensor& x) const;",
                               "  Tensor backward(const Tensor& grad_output);", "};"}),
            (Lines{"relu", "loss", "FeedForward"}));
}

TEST(GradientCheckRules, AnOperationThatNoGradientCheckNames) {
  const Lines checked = {"void check(Layer layer) {",
                         "  layer.backward(x);",
                         "}",
                         "GRADIENT_TEST(A, Gradient) {",
                         "  relu_backward(x);",
                         "  loss_forward_backward(x);",
                         "}",
                         "TEST(A, Other) {",
                         "  tanh_backward(x);",
                         "}"};
  const Lines checks = {gradient_checks_in(checked)};
  EXPECT_EQ(without_gradient_check({"relu", "loss", "Layer"}, checks), Lines());
  EXPECT_EQ(without_gradient_check({"tanh"}, checks).size(), 1u) << "only another test calls it";
  EXPECT_EQ(without_gradient_check({"elu", "Lay"}, checks).size(), 2u) << "a part of a name";
  EXPECT_EQ(
      gradient_checks_in({"TEST(A, B) {", "  relu_backward(x);", "}", "void f() { relu_backward(x); }"}), "");
}

TEST(GradientCheckRules, AnOperationWithoutATestOfItsName) {
  EXPECT_EQ(without_test_at_mirrored_path({"src/ops/a.h"}, {"tests/ops/a_test.cpp"}), Lines());
  EXPECT_EQ(without_test_at_mirrored_path({"src/ops/a.h"}, {"tests/training/a_test.cpp"}).size(), 1u);
}

}  // namespace
}  // namespace plainformer
