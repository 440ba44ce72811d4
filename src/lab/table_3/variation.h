// Paper: 6.2 Model Variations, Table 3
//
// The rows of Table 3, in proportion to any model. The paper's base has 8 heads, and its row A 1, 4, 16 and
// 32 of them; a model of 4 heads is compared with 1, 2, 8 and 16.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runs/train_settings.h"

namespace plainformer {

// A line of the paper's table: newstest2013, perplexity per word piece, parameters in millions.
struct PaperFigures {
  double perplexity = 0, bleu = 0;
  std::optional<double> parameters = {};
};

struct Variation {
  std::string row;   // "base", or one of kVariationRows
  std::string name;  // "h 16"; empty for base
  TrainSettings settings;
  std::optional<PaperFigures> paper = {};

  std::string title() const;   // "A h 16"
  std::string folder() const;  // "A-h-16"
};

// The rows of Table 3; then options of `train` that the paper does not have: regularizers of the attention
// weights, regularizers for little text, and products in bfloat16.
inline constexpr const char* kVariationRows[] = {"A",   "B",         "C",      "D",   "E",
                                                 "big", "attention", "beyond", "bf16"};

// The base first, then the variations of the rows, in this order. Skips variations that cannot be built (heads that do
// not divide d_model, a size of 0, R-Drop without dropout), and repeats.
std::vector<Variation> variations_of(const TrainSettings& base, const std::vector<std::string>& rows);

}  // namespace plainformer
