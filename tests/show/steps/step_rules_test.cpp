// The rules of a trace explain every cell of it, and nothing else does.
#include "show/steps/step_rules.h"

#include <gtest/gtest.h>

#include <cmath>

#include "promises/repository.h"
#include "show/steps/formula_value.h"
#include "show/steps/traced_page_model.h"

namespace plainformer {
namespace {

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
  const StepRules rules = step_rules(trace);
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
    LoadedModel model = untrained_model(kDefaultSource, kDefaultTarget);
    ModelConfig config = model.transformer->config();
    config.encoder_layers = 2;
    config.decoder_layers = 3;
    config.d_k = 3;
    config.d_v = 5;
    config.positions = positions;
    config.max_length = 20;
    model.transformer = std::make_unique<Transformer>(config, /*seed=*/2);
    const Explained all = explain_all(trace_of(model, "the dog sees the dog", 0.1));
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
