#include "mutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "code_tokens.h"
#include "mutant_source.h"
#include "text.h"

namespace plainformer::course {
namespace {

const std::string kFunctions = R"(#include <cmath>

namespace plainformer {

Tensor norm_forward(const Tensor& x, const Tensor& grad, Index rows) {
  const Index d = x.dim(-1);
  for (Index row = 0; row < rows; ++row) {
    // Step 1. Sum.
    Real sum = 0;
    for (Index j = 0; j < d; ++j) sum += x(row, j) * grad(row, j);
    if (sum > 0) continue;
    const Real rest = 3;
    const Real share = sum / rest;
    y(row) = (share - 2) / std::sqrt(static_cast<Real>(d));
  }
  return scaled(y, 6);
}

}  // namespace plainformer
)";
const Source kCuts = {.file = "norm.cpp", .cut = {{"norm_forward", ""}}};

bool makes(const std::string& line, const std::string& what) {
  for (const Mutation& mutation : mutations_of(kFunctions, kCuts))
    if (mutation.body.find(line) != std::string::npos && mutation.what.find(what) != std::string::npos)
      return true;
  return false;
}

TEST(Mutation, LosesTermsAndFactors) {
  EXPECT_TRUE(makes("sum += x(row, j);",
                    "norm_forward with `sum += x(row, j)` in step 1, where a factor is missing"));
  EXPECT_TRUE(makes("sum += grad(row, j);", "a factor is missing"));
  EXPECT_TRUE(makes("y(row) = (share) /", "a term is missing"));
  EXPECT_TRUE(makes("y(row) = (share - 2);", "a division is missing"));
}

TEST(Mutation, QuotesOfALongLineThePartThatIsChanged) {
  std::string text = kFunctions;
  const std::string line = "y(row) = (share - 2) /";
  text.replace(text.find(line), line.size(),
               "y(row) = first_value_with_a_long_name(row) + second_value_with_a_long_name(row) + "
               "third_value_with_a_long_name(row) + x(row, row) /");
  bool is_shown = false;
  for (const Mutation& mutation : mutations_of(text, kCuts)) {
    EXPECT_LT(mutation.what.size(), 400u);
    is_shown = is_shown || (mutation.what.find("`...") != std::string::npos &&
                            mutation.what.find("long_name(row) - x(row, row)") != std::string::npos);
  }
  EXPECT_TRUE(is_shown);
}

TEST(Mutation, BeginsWithWhatComputesNothing) {
  const Source cuts = {.file = "norm.cpp", .cut = {{"norm_forward", "return zeros();"}}};
  const Mutation first = mutations_of(kFunctions, cuts).front();
  EXPECT_EQ(first.body, "  return zeros();\n");
  EXPECT_NE(first.what.find("norm_forward that computes nothing"), std::string::npos);
}

TEST(Mutation, ChangesSignsAndOperators) {
  EXPECT_TRUE(makes("(share + 2)", "the sign of a term is wrong"));
  EXPECT_TRUE(makes("(2 - share)", "turned around"));
  EXPECT_TRUE(makes("sum = x(row, j) * grad(row, j);", "`=` stands for `+=`"));
  EXPECT_TRUE(makes("/ (static_cast<Real>(d))", "`sqrt` is missing"));
}

TEST(Mutation, ExchangesIndicesAxesAndTensors) {
  EXPECT_TRUE(makes("x(j, row) * grad(row, j)", "`row` and `j` are exchanged"));
  EXPECT_TRUE(makes("x(row, row) * grad(row, j)", "`row` stands for `j`"));
  EXPECT_TRUE(makes("grad(row, j) * grad(row, j)", "`grad` stands for `x`"));
  EXPECT_TRUE(makes("const Real share = sum / sum;", "`sum` stands for `rest`"));
  EXPECT_FALSE(makes("const Real share = sum / share;", ""));  // it has no value yet
}

TEST(Mutation, ShortensLoopsAndForgetsToResetSums) {
  EXPECT_TRUE(makes("j < d - 1; ++j)", "leaves out the last one"));
  EXPECT_TRUE(makes("Index j = 1;", "`1` stands for `0`"));
  EXPECT_TRUE(makes("Real sum = 0;\nfor (Index row", "not set back"));
  EXPECT_TRUE(makes("sum += (x(row, j) * grad(row, j)) / static_cast<Real>(d)", "divided by `d`"));
}

TEST(Mutation, LosesStatementsAndConditions) {
  EXPECT_TRUE(makes("for (Index j = 0; j < d; ++j) ;", "which is missing"));
  EXPECT_TRUE(makes("if (false) continue;", "never true"));
}

TEST(Mutation, MovesBrackets) {
  EXPECT_TRUE(makes("share = sum / rest", ""));
  EXPECT_TRUE(makes("y(row) = share - 2 / std::sqrt", "the brackets are missing"));
}

TEST(Mutation, ForgetsACallOrAnArgument) {
  EXPECT_TRUE(makes("return scaled(y);", "`6` is missing"));
  EXPECT_TRUE(makes("return y;", "`scaled` is missing"));
}

TEST(Mutation, DoesSomethingOnlyWhereTwoIndicesAgree) {
  EXPECT_TRUE(makes("if (j == row) sum += x(row, j)", "which happens only where `j == row`"));
  EXPECT_TRUE(makes("if (j != row) sum += x(row, j)", "which happens only where `j != row`"));
}

TEST(Mutation, ForgetsInOneUseWhatAVariableStandsFor) {
  EXPECT_TRUE(makes("y(row) = ((sum) - 2)", "`sum` stands for `share`"));
  EXPECT_TRUE(makes("y(row) = ((rest) - 2)", "`rest` stands for `share`"));
}

TEST(Mutation, ShiftsAnIndexWithinItsRange) {
  EXPECT_TRUE(makes("j < d - 1; ++j) sum += x(row, j + 1)", "the index is shifted by one"));
  EXPECT_TRUE(makes("Index j = 1; j < d; ++j) sum += x(row, j - 1)", "the index is shifted by one"));
}

TEST(Mutation, PutsAStatementBeforeTheConditionAboveIt) {
  EXPECT_TRUE(makes("for (Index row = 0; row < rows; ++row) {\ny(row) = ", "before the condition above it"));
}

const std::string kSearch = R"(#include <algorithm>

std::vector<Item> best_of(std::vector<Item> items, Result& result) {
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return std::tuple(-a.score, a.next.token) < std::tuple(-b.score, b.next.token);
  });
  result.loss = items.front().score;
  result.rows = items.size();
  Item child = {items.back().score, 3};
  items.pop_back();
  return items;
}
)";

TEST(Mutation, KnowsListsAndOrders) {
  std::vector<std::string> bodies;
  for (const Mutation& mutation : mutations_of(kSearch, {.file = "search.cpp", .cut = {{"best_of", ""}}}))
    bodies.push_back(mutation.body);
  for (const std::string line : {"std::tuple(-b.score, a.next.token) < std::tuple(-a.score, b.next.token)",
                                 "std::tuple(-a.score, b.next.token) < std::tuple(-b.score, a.next.token)",
                                 "items.back().score;\n  result.rows", "items.erase(items.begin());",
                                 "{items.back().score};", "result.loss /= result.rows;\nreturn"})
    EXPECT_TRUE(std::any_of(bodies.begin(), bodies.end(), [&](const std::string& body) {
      return body.find(line) != std::string::npos;
    })) << line;
}

const std::string kProducts =
    R"(Tensor product_backward(const Tensor& q, const Tensor& k, const Tensor& grad) {
  const Index queries = q.dim(0), keys = k.dim(0), width = q.dim(1);
  WritableTensor grad_q = Tensor::zeros(q.shape()), grad_k = Tensor::zeros(k.shape());
  for (Index i = 0; i < queries; ++i) {
    for (Index j = 0; j < keys; ++j) {
      const Index at = i * keys + j;
      grad_q(i, 0) += grad(at) * k(j, 0) / root_of(width);
      grad_k(j, 0) += grad(at) * q(i, 0) / root_of(width);
    }
  }
  auto [grad_y, grad_z] = parts_of(grad_q, grad_k);
  return add(grad_y, grad_z);
}
)";

bool makes_of_products(const std::string& line, const std::string& what) {
  for (const Mutation& mutation :
       mutations_of(kProducts, {.file = "product.cpp", .cut = {{"product_backward", ""}}}))
    if (mutation.body.find(line) != std::string::npos && mutation.what.find(what) != std::string::npos)
      return true;
  return false;
}

TEST(Mutation, KeepsATimeInItsPlace) {
  const std::string text = R"(void train(Report& report) {
  report.loss = 1;
  report.rate = loss_of(report);
  report.seconds = seconds_since(start);
})";
  const std::vector<Mutation> mutations = mutations_of(text, {.file = "train.cpp", .cut = {{"train", ""}}});
  const auto has = [&](const std::string& line) {
    return std::any_of(mutations.begin(), mutations.end(), [&](const Mutation& mutation) {
      return mutation.body.find(line) != std::string::npos;
    });
  };
  EXPECT_TRUE(has("report.seconds = loss_of(report)"));
  EXPECT_FALSE(has("report.loss = seconds_since(start)"));
}

TEST(Mutation, DividesNoVariableByItselfWhereItIsDeclared) {
  const std::string text = R"(Index size_of(const Tensor& x) {
  const Index batch = x.dim(0), len = x.dim(1), width = x.dim(2);
  return batch * len * width;
})";
  bool by_len = false;
  for (const Mutation& mutation : mutations_of(text, {.file = "size.cpp", .cut = {{"size_of", ""}}})) {
    by_len = by_len || mutation.body.find("width = (x.dim(2)) / static_cast<Real>(len)") != std::string::npos;
    EXPECT_EQ(mutation.body.find("width = (x.dim(2)) / static_cast<Real>(width)"), std::string::npos);
  }
  EXPECT_TRUE(by_len);
}

TEST(Mutation, TellsACallFromAnElement) {
  EXPECT_TRUE(makes_of_products("k(j, 0) / root_of(keys)", "`keys` stands for `width`"));
  EXPECT_TRUE(makes_of_products("k(j, 0) / root_of((width - 1))", "`width - 1` stands for `width`"));
  EXPECT_FALSE(makes_of_products("k(keys, 0)", ""));  // no index counts so far
}

TEST(Mutation, TakesAnotherElementThatTheLoopReads) {
  EXPECT_TRUE(makes_of_products("grad_k(j, 0) += grad(at) * k(j, 0)", "`k(j, 0)` stands for `q(i, 0)`"));
  EXPECT_FALSE(makes_of_products("", "`grad_q(i, 0)` stands for"));  // that one is written
}

TEST(Mutation, ShiftsAnIndexThatTheLoopComputes) {
  EXPECT_TRUE(makes_of_products("grad(at + 1) * k(j, 0)", "the index is shifted by one"));
  EXPECT_TRUE(
      makes_of_products("Index j = 1; j < keys; ++j) {\n      const Index at = i * keys + j;\n      "
                        "grad_q(i, 0) += grad(at - 1)",
                        "the index is shifted by one"));
}

TEST(Mutation, KnowsTheNamesThatADeclarationBinds) {
  EXPECT_TRUE(makes_of_products("return add(grad_z, grad_z);", "`grad_z` stands for `grad_y`"));
  const std::vector<Mutation> all =
      mutations_of(kProducts, {.file = "product.cpp", .cut = {{"product_backward", ""}}});
  std::vector<NumberedMutation> numbered;
  for (const Mutation& mutation : all) numbered.push_back({numbered.size() + 1, &mutation});
  const std::string text = source_with_mutants(kProducts, numbered);
  EXPECT_NE(text.find("\n  auto [grad_y_bound, grad_z_bound] = parts_of(grad_q, grad_k); auto& grad_y = "
                      "grad_y_bound; auto& grad_z = grad_z_bound;\n"),
            std::string::npos)
      << "it is within braces, behind which nobody knows the names";
}

// A program with many mutations holds each one as its own statement.
TEST(MutantSource, WritesEachMutationBesideTheStatementThatItChanges) {
  const std::vector<Mutation> all = mutations_of(kFunctions, kCuts);
  std::vector<NumberedMutation> numbered;
  for (const Mutation& mutation : all) numbered.push_back({numbered.size() + 1, &mutation});
  const std::string text = source_with_mutants(kFunctions, numbered);
  EXPECT_LT(text.size(), all.size() * kFunctions.size() / 2);
  std::set<std::size_t> numbers;
  for (const auto& [line, number] : lines_of_mutants(text)) numbers.insert(number);
  EXPECT_EQ(numbers.size(), all.size() + 1) << "and 0, the reference's";
}

TEST(MutantSource, SaysWhoseALineIs) {
  const Mutation mutation = {.function = "norm_forward", .body = "  return x;\n", .what = "all is missing"};
  const std::string text = source_with_mutants(kFunctions, {{7, &mutation}});
  const std::vector<std::string> lines = lines_of(text);
  std::size_t line = 0;
  while (line < lines.size() && lines[line].find("return x;") == std::string::npos) ++line;
  const auto mutants = lines_of_mutants(text);
  const auto behind = mutants.upper_bound(line + 1);
  ASSERT_NE(behind, mutants.begin());
  EXPECT_EQ(std::prev(behind)->second, 7u);
  EXPECT_NE(text.find("chosen_mutant == 7"), std::string::npos);
}

TEST(Mutation, NoTwoHaveTheSameText) {
  std::set<std::string> bodies;
  const std::vector<Mutation> all = mutations_of(kFunctions, kCuts);
  for (const Mutation& mutation : all) EXPECT_TRUE(bodies.insert(mutation.body).second) << mutation.what;
  EXPECT_GT(all.size(), 100u);
  EXPECT_FALSE(bodies.contains(kFunctions));
}

TEST(Code, ReadsOperandsByTheirLayout) {
  const Code code("(const Tensor& x)", "  y = -x(i, j) * static_cast<Real>(n) - a.b[2] / c;\n");
  std::size_t minus = 0;
  for (std::size_t i = 0; i < code.tokens().size(); ++i)
    if (code.is_binary(i) && code.is(i, "-")) minus = i;
  EXPECT_EQ(code.text(code.product_begin(minus - 1), minus), "-x(i, j) * static_cast<Real>(n)");
  EXPECT_EQ(code.text(minus + 1, code.product_end(minus + 1)), "a.b[2] / c");
}

TEST(Code, ReadsStatementsAndVariables) {
  const Code code("(Index n)",
                  "  Real a = 0, b = 1;\n  for (Index i = 0; i < n; ++i) a += i;\n  if (a > 0) b = 2;\n");
  std::vector<std::string> names;
  for (const Variable& variable : code.variables()) names.push_back(variable.name + " " + variable.type);
  EXPECT_EQ(names, (std::vector<std::string>{"n Index", "a Real", "b Real", "i Index"}));
  ASSERT_EQ(code.statements().size(), 5u);
  EXPECT_EQ(code.statements()[1].kind, StatementKind::kFor);
  EXPECT_EQ(code.statements()[2].loop, 1);
  EXPECT_EQ(code.statements()[3].kind, StatementKind::kIf);
}

// A mutation may tear brackets apart, or make one of a comparison.
TEST(Code, ReadsToTheEndWhateverTheBracketsAre) {
  const Code closed("()", "  if (a <b) c = 1;\n");
  ASSERT_EQ(closed.statements().size(), 2u);
  EXPECT_EQ(closed.partner(1), 5u);
  for (const char* const torn :
       {"  { a = (1;\n", "  a[ = <1;\n", "  for", "  if (a", "  while (a <b { c; }\n"})
    EXPECT_LE(Code("()", torn).statements().size(), 4u) << torn;
}

}  // namespace
}  // namespace plainformer::course
