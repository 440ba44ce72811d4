// The rules of a trace explain every cell of it, and nothing else does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "core/check.h"
#include "promises/repository.h"
#include "show/steps/steps_page.h"
#include "show/steps/traced_page_model.h"

namespace plainformer {
namespace {

// ---- the value that a rule gives for a cell

using FormulaIndices = std::map<std::string, Index>;
using CellReader = std::function<double(const std::string& tensor, std::span<const Index> indices)>;

// The formula's value at these indices, in double. std::logic_error for an unknown kind or index.
double formula_value(const Formula& formula, FormulaIndices& indices, const CellReader& read);

double evaluate_operation(const std::string& kind, double a, double b) {
  if (kind == "+") return a + b;
  if (kind == "-") return a - b;
  if (kind == "*") return a * b;
  if (kind == "/") return a / b;
  if (kind == "power") return std::pow(a, b);
  if (kind == "div") return std::floor(a / b);
  if (kind == "mod") return std::fmod(a, b);
  if (kind == "=") return a == b ? 1 : 0;
  CHECK(kind == "<", "kind=", kind);
  return a < b ? 1 : 0;
}

double evaluate_function(const std::string& kind, double x) {
  if (kind == "negative") return -x;
  if (kind == "square") return x * x;
  if (kind == "sqrt") return std::sqrt(x);
  if (kind == "exp") return std::exp(x);
  if (kind == "log") return std::log(x);
  if (kind == "sin") return std::sin(x);
  CHECK(kind == "cos", "kind=", kind);
  return std::cos(x);
}

// The values of `body` for all values of the index for which the condition holds.
std::vector<double> evaluate_all(const Formula& over, std::size_t first, FormulaIndices& indices,
                                 const CellReader& read) {
  const auto count = static_cast<Index>(formula_value(over.parts[first], indices, read));
  CHECK(indices.count(over.name) == 0, "index ", over.name, " twice");
  std::vector<double> values;
  for (Index at = 0; at < count; ++at) {
    indices[over.name] = at;
    if (over.parts.size() > first + 2 && formula_value(over.parts[first + 2], indices, read) == 0) continue;
    values.push_back(formula_value(over.parts[first + 1], indices, read));
  }
  indices.erase(over.name);
  return values;
}

double formula_value(const Formula& formula, FormulaIndices& indices, const CellReader& read) {
  const auto& [kind, name, value, parts] = formula;
  const auto part = [&](std::size_t i) { return formula_value(formula.parts[i], indices, read); };
  if (kind == "number") return value;
  if (kind == "index") {
    CHECK(indices.count(name) == 1, "no index ", name);
    return static_cast<double>(indices.at(name));
  }
  if (kind == "cell") {
    std::vector<Index> at;
    for (std::size_t i = 0; i < parts.size(); ++i) at.push_back(static_cast<Index>(part(i)));
    return read(name, at);
  }
  if (kind == "if") return part(0) != 0 ? part(1) : part(2);
  if (kind == "pick") return part(1 + static_cast<std::size_t>(part(0)));
  if (kind == "sum") {
    double sum = 0;
    for (const double each : evaluate_all(formula, 0, indices, read)) sum += each;
    return sum;
  }
  if (kind == "largest") {
    std::vector<double> values = evaluate_all(formula, 1, indices, read);
    std::sort(values.rbegin(), values.rend());
    return values.at(static_cast<std::size_t>(part(0)));
  }
  if (parts.size() == 1) return evaluate_function(kind, part(0));
  CHECK(parts.size() == 2, parts.size(), " parts of ", kind);
  return evaluate_operation(kind, part(0), part(1));
}

// The formula at one cell, with the values that the trace has of the other tensors.
double formula_value(const StepRule& rule, const Trace& trace, std::span<const Index> cell) {
  CHECK(cell.size() == rule.indices.size(), cell.size(), " indices");
  FormulaIndices indices;
  for (std::size_t axis = 0; axis < cell.size(); ++axis) indices[rule.indices[axis]] = cell[axis];
  return formula_value(rule.formula, indices, [&](const std::string& name, std::span<const Index> at) {
    const TraceRecord& record = find_record(trace, name);
    CHECK(at.size() == record.axes.size(), "no cell of ", name, " with ", at.size(), " indices");
    Index offset = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      const Index extent = record.shown.dim(static_cast<int>(axis));
      CHECK(at[axis] >= 0 && at[axis] < extent, "index ", at[axis], " of ", extent, " in ", name);
      offset = offset * extent + at[axis];
    }
    return static_cast<double>(record.shown.data()[offset]);
  });
}

// ---- the rules of a trace

double largest_in(const Tensor& values) {
  double largest = 0;
  for (Index i = 0; i < values.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(values.data()[i])));
  return largest;
}

// The indices of the cell with this number.
std::vector<Index> cell_of(const TraceRecord& record, Index number) {
  std::vector<Index> cell(record.axes.size());
  for (std::size_t axis = cell.size(); axis-- > 0;) {
    cell[axis] = number % record.axes[axis].extent;
    number /= record.axes[axis].extent;
  }
  return cell;
}

struct Explained {
  Index cells = 0, tensors = 0;
  Words without_rule;
};

// Each cell is its rule's value, up to the rounding of single precision.
Explained explain_all(const Trace& trace) {
  Explained all;
  const std::map<std::string, StepRule> rules = step_rules(trace);
  for (const TraceRecord& record : trace.records) {
    const auto found = rules.find(record.name);
    if (found == rules.end()) {
      all.without_rule.push_back(record.name);
      continue;
    }
    ++all.tensors;
    const double tolerance = 1e-5 * largest_in(record.shown);
    for (Index number = 0; number < record.shown.size(); ++number) {
      const double explained = formula_value(found->second, trace, cell_of(record, number));
      const auto value = static_cast<double>(record.shown.data()[number]);
      EXPECT_NEAR(explained, value, tolerance) << record.name << ", cell " << number;
      ++all.cells;
    }
  }
  EXPECT_EQ(std::ssize(rules), all.tensors) << "a rule of no tensor";
  return all;
}

bool is_given(const std::string& name) {
  const std::string last = name.substr(name.rfind('.') + 1);
  for (const char* each : {"ids", "embedding", "position_embedding", "w_q", "w_k", "w_v", "w_o", "w_1", "b_1",
                           "w_2", "b_2", "gain", "bias"})
    if (last == each) return true;
  return false;
}

TEST(StepRules, ExplainEveryCellOfThePageModel) {
  for (const double smoothing : {0.0, 0.1}) {
    const Explained all = explain_all(traced_page_model(smoothing));
    EXPECT_EQ(all.cells, 7484);
    EXPECT_EQ(all.tensors + std::ssize(all.without_rule), 191);
    for (const std::string& name : all.without_rule) EXPECT_TRUE(is_given(name)) << name;
  }
}

// Two layers in each stack, heads of other widths, learned positions, words that come twice.
TEST(StepRules, ExplainAModelOfOtherSizes) {
  for (const Positions positions : {Positions::kSinusoidal, Positions::kLearned}) {
    LoadedModel model = page_model();
    ModelConfig config = model.transformer->config();
    config.encoder_layers = 2;
    config.decoder_layers = 3;
    config.d_k = 3;
    config.d_v = 5;
    config.positions = positions;
    config.max_length = 20;
    model.transformer = std::make_unique<Transformer>(config, /*seed=*/2);
    const Explained all = explain_all(trace_of(model, {.model = "other sizes",
                                                       .source = "the queen buys the queen",
                                                       .target = "ein Buch kauft ein Buch",
                                                       .label_smoothing = 0.1,
                                                       .values = 0}));
    for (const std::string& name : all.without_rule) EXPECT_TRUE(is_given(name)) << name;
  }
}

TEST(StepRules, APageModelIsTheOneOfTheDocs) {
  const LoadedModel own = page_model(), of_docs = load_model(kRoot / "docs/page-model");
  EXPECT_EQ(own.vocabulary.to_text(), of_docs.vocabulary.to_text());
  EXPECT_EQ(own.byte_pairs.to_text(), of_docs.byte_pairs.to_text());
  EXPECT_EQ(own.transformer->config(), of_docs.transformer->config());
  const ParameterList mine = own.transformer->parameters(), theirs = of_docs.transformer->parameters();
  ASSERT_EQ(mine.size(), theirs.size());
  for (std::size_t p = 0; p < mine.size(); ++p) {
    const Tensor &a = mine[p].parameter->value, &b = theirs[p].parameter->value;
    ASSERT_EQ(a.shape(), b.shape()) << mine[p].name;
    for (Index i = 0; i < a.size(); ++i) EXPECT_EQ(a.data()[i], b.data()[i]) << mine[p].name;
  }
}

}  // namespace
}  // namespace plainformer
