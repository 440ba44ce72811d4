#include "lab/table_1/layer_path.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

constexpr LayerSizes kPathSizes = {.d = 4, .heads = 2, .kernel = 3, .neighbors = 9, .global = 1};

Index found(LayerKind kind, Index n) {
  return layers_until_all_is_heard(kind, kPathSizes, n, 100);
}

TEST(LayerPath, ByHand) {
  EXPECT_EQ(found(LayerKind::kSelfAttention, 50), 1);
  EXPECT_EQ(found(LayerKind::kRecurrent, 50), 1);
  EXPECT_EQ(found(LayerKind::kConvolution, 7), 3);  // 2 further back in each layer
  EXPECT_EQ(found(LayerKind::kConvolution, 8), 4);
  EXPECT_EQ(found(LayerKind::kDilatedConvolution, 27), 3);  // 3^3 positions
  EXPECT_EQ(found(LayerKind::kDilatedConvolution, 28), 4);
  EXPECT_EQ(found(LayerKind::kNeighbors, 13), 3);  // 4 further back in each layer
  EXPECT_EQ(found(LayerKind::kNeighbors, 14), 4);
  EXPECT_EQ(found(LayerKind::kNeighborsAndGlobal, 6), 1);
  EXPECT_EQ(found(LayerKind::kNeighborsAndGlobal, 50), 2);
}

TEST(LayerPath, ALayerHearsItsPositions) {
  const std::vector<bool> last = {false, false, false, false, true};
  const auto heard = [&](LayerKind kind, Index depth) {
    return positions_heard(kind, kPathSizes, last, depth);
  };
  EXPECT_EQ(heard(LayerKind::kSelfAttention, 0), (std::vector<bool>{true, true, true, true, true}));
  EXPECT_EQ(heard(LayerKind::kConvolution, 0), (std::vector<bool>{false, false, true, true, true}));
  EXPECT_EQ(heard(LayerKind::kDilatedConvolution, 1), (std::vector<bool>{false, true, false, false, true}));
}

TEST(LayerPath, IsTheFormula) {
  for (const LayerKind kind : layer_kinds())
    for (const Index n : {2, 3, 5, 9, 10, 16, 33, 64, 82})
      EXPECT_EQ(found(kind, n), formula_layers(kind, kPathSizes, n)) << name_of(kind) << " " << n;
}

// The gradient of a long stack of narrow windows is a product of many small weights; it must still count.
TEST(LayerPath, DoesNotVanishOverManyLayers) {
  EXPECT_EQ(layers_until_all_is_heard(LayerKind::kNeighbors, kPathSizes, 513, 1000), 128);
  EXPECT_EQ(layers_until_all_is_heard(LayerKind::kRecurrent, kPathSizes, 2048, 1), 1);
  EXPECT_EQ(layers_until_all_is_heard(LayerKind::kRecurrent, kPathSizes, 1 << 20, 1), 1);
}

TEST(LayerPath, GivesUpAfterTheMostLayers) {
  EXPECT_EQ(layers_until_all_is_heard(LayerKind::kConvolution, kPathSizes, 50, 3), 4);
}

}  // namespace
}  // namespace plainformer
