// Table 1: the layers make as many multiply-adds as the formulas say, and as `plainformer layers` prints.
#include "lab/table_1/layer_cost.h"

#include "counts.h"
#include "lab/table_1/layers_settings.h"
#include "lab/table_1/random_inputs.h"

namespace plainformer {
namespace {

struct Example {
  LayerSizes sizes;
  Index n;
};

const Example kSmall = {{.d = 12, .heads = 3, .kernel = 5, .neighbors = 7, .global = 2}, 31};

// What `plainformer layers` prints counted_cost and formula_multiply_adds for, unless options say otherwise
// (LayersCommand.PrintsTheCountsOfItsDefaultSizes).
Example printed_example() {
  const LayersOptions options;
  return {{.d = options.d,
           .heads = options.d / options.head_width,
           .kernel = options.kernel,
           .neighbors = options.neighbors,
           .global = options.global},
          options.n};
}

TEST(CountingLayers, MakeWhatTheFormulasSay) {
  for (const Example& example : {kSmall, printed_example()})
    for (const LayerKind kind : layer_kinds()) {
      const std::int64_t expected = formula_multiply_adds(kind, example.sizes, example.n);
      LayerCost cost;
      EXPECT_TRUE(makes(expected, [&] { cost = counted_cost(kind, example.sizes, example.n); }))
          << name_of(kind) << " of " << example.n;
      EXPECT_EQ(cost.multiply_adds, expected) << name_of(kind) << " of " << example.n;
    }
}

// W^Q, W^K, W^V and W^O of attention.
TEST(CountingLayers, MakeTheirProjectionsToo) {
  const Index n = kSmall.n, d = kSmall.sizes.d;
  for (const LayerKind kind : layer_kinds()) {
    const std::int64_t projections = is_attention(kind) ? 4 * n * d * d : 0;
    EXPECT_TRUE(makes(formula_multiply_adds(kind, kSmall.sizes, n) + projections, [&] {
      counted_cost_with_projections(kind, kSmall.sizes, n);
    })) << name_of(kind);
  }
}

TEST(CountingLayers, MakeInBackwardWhatTheyReport) {
  const Shape shape = {2, kSmall.n, kSmall.sizes.d};
  for (const LayerKind kind : layer_kinds()) {
    SequenceLayer layer = make_layer(kind, kSmall.sizes, 1);
    layer.forward(random_input(shape, 1));
    EXPECT_TRUE(reports_what_it_makes([&] { layer.backward(random_input(shape, 2)); })) << name_of(kind);
  }
}

}  // namespace
}  // namespace plainformer
