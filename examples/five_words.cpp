// Section 3.2.1, Scaled Dot-Product Attention (docs/3.2.1-scaled-dot-product-attention.md)
//
// Five words attend to each other, and every intermediate result of equation (1) is printed. Then follow two
// examples that others worked by hand, beside the right numbers.
//
//   cmake --preset toy && cmake --build build/toy --target five_words && build/toy/examples/five_words
#include <plainformer/ops/elementwise.h>
#include <plainformer/ops/linear.h>
#include <plainformer/ops/scaled_dot_product_attention.h>
#include <plainformer/ops/softmax.h>
#include <plainformer/report/terminal.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace plainformer;
using Words = std::vector<std::string>;

// The intermediate results of equation (1).
struct Steps {
  Tensor scores, scaled, weights;  // [query_len, key_len]
  Tensor output;                   // [query_len, d_v]
};

// q [query_len, d_k], k [key_len, d_k], v [key_len, d_v]
Steps attend(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Real root = std::sqrt(static_cast<Real>(q.dim(1)));
  const std::vector<Index> visible_keys(q.dim(0), k.dim(0));  // no mask: each query sees all keys
  Steps steps;
  steps.scores = linear_transposed_forward(q, Parameter(k));    // MatMul: Q K^T
  steps.scaled = scale(steps.scores, 1 / root);                 // Scale: divide by sqrt(d_k)
  steps.weights = softmax_forward(steps.scaled, visible_keys);  // SoftMax of each row
  steps.output = linear_forward(steps.weights, Parameter(v));   // MatMul: weights V
  return steps;
}

// A number, right-aligned. Small ones get an exponent. Those below 1e-38 print as 0, as they do in float.
std::string cell(double x, int decimals) {
  char text[32];
  const bool is_small = std::abs(x) < 1e-3 && std::abs(x) > 1e-38;
  std::snprintf(text, sizeof text, is_small ? "%.*e" : "%.*f", is_small ? 3 : decimals, x);
  return pad_left(text, 11);
}

// A matrix with its labels. A Chinese character is two columns wide; pad_left and pad_right count columns.
void print(const Words& rows, const Words& columns, const Tensor& x, int decimals) {
  std::string titles;
  for (const std::string& column : columns) titles += pad_left(column, 11);
  if (!columns.empty()) std::printf("      %s\n", titles.c_str());
  for (Index i = 0; i < x.dim(0); ++i) {
    std::string numbers;
    for (Index j = 0; j < x.dim(1); ++j) numbers += cell(x(i, j), decimals);
    std::printf("  %s%s\n", pad_right(rows[i], 4).c_str(), numbers.c_str());
  }
}

void five_words(const Words& words) {
  std::puts("FIVE WORDS    softmax(Q K^T / sqrt(d_k)) V    with Q = K = V = the words' vectors, d_k = 2\n");
  const Tensor x = Tensor::from({5, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const Steps steps = attend(x, x, x);
  print(words, {}, x, 0);

  std::puts("\n1. MatMul: Q K^T. The score of two words is the dot product of their vectors.\n");
  print(words, words, steps.scores, 0);

  std::puts("\n2. Scale: divide by sqrt(d_k) = sqrt(2).\n");
  print(words, words, steps.scaled, 4);

  std::puts("\n3. Mask: none here. 4. SoftMax: each row becomes weights, whose sum is 1.\n");
  print(words, words, steps.weights, 5);
  std::puts("\n   The 0 stands for e^-107.5 = 2e-47, which a float cannot hold.");

  std::puts("\n5. MatMul: weights V. Each output is an average of the five vectors.\n");
  print(words, {}, steps.output, 4);
  std::puts("\n   All words attend to 睡觉, only because its vector is the longest. A model projects its");
  std::puts("   queries and keys first, and learns the projections (3.2.2).");

  const Tensor batch = x.reshaped({1, 1, 5, 2});  // one sentence, one head
  AttentionCache cache;
  const Tensor output = attention_forward(batch, batch, batch, {.key_lengths = {5}}, cache);
  std::printf("\nattention_forward takes all these steps in one call. Its output for 猫: %.4f %.4f\n",
              output(0, 0), output(0, 1));
}

void worked_by_hand(const Words& words) {
  const Tensor x = Tensor::from({5, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const Steps steps = attend(x, x, x);
  std::puts("\n\nWORKED BY HAND    the row of 猫 in a version that circulates, beside the right one\n");
  std::puts("          by hand      right    by hand / right");
  const double by_hand[] = {6.7e-08, 4.52e-06, 3.18e-04, 0.01768, 0.9825};
  for (Index j = 0; j < 5; ++j) {
    const double right = steps.weights(0, j);
    std::printf("  %s%s%s%s\n", pad_right(words[j], 4).c_str(), cell(by_hand[j], 5).c_str(),
                cell(right, 5).c_str(), cell(by_hand[j] / right, 2).c_str());
  }
  std::printf("\n   output by hand: 8.967 9.967    right: %.4f %.4f\n", steps.output(0, 0),
              steps.output(0, 1));
  std::printf(
      "   The version by hand takes e^20.5 for 5.0e8, but e^20.5 = %.2fe8. Each power is divided by the\n"
      "   sum of all, and e^20.5 is nearly all of that sum. So the other weights come out too large.\n",
      std::exp(20.5) / 1e8);
}

// The weighted averages of the rows of v, written as sums.
void print_averages(const Tensor& weights, const Tensor& v) {
  const Tensor output = linear_forward(weights, Parameter(v));
  for (Index i = 0; i < weights.dim(0); ++i) {
    std::printf("  q_%td    ", i + 1);
    for (Index j = 0; j < v.dim(0); ++j)
      std::printf("%s%.5f [%.0f %.0f]", j == 0 ? "" : " + ", weights(i, j), v(j, 0), v(j, 1));
    std::printf(" = [%.4f %.4f]\n", output(i, 0), output(i, 1));
  }
}

void weights_assumed() {
  std::puts("\n\nWEIGHTS ASSUMED    Q = [1 2; 3 4], K = [5 6; 7 8; 9 10], V = [11 12; 13 14; 15 16]\n");
  const Tensor q = Tensor::from({2, 2}, {1, 2, 3, 4});
  const Tensor k = Tensor::from({3, 2}, {5, 6, 7, 8, 9, 10});
  const Tensor v = Tensor::from({3, 2}, {11, 12, 13, 14, 15, 16});
  const Steps steps = attend(q, k, v);
  print({"q_1", "q_2"}, {"k_1", "k_2", "k_3"}, steps.scaled, 4);

  std::puts("\nOne text computes these scaled scores, but then assumes weights. Its averages are correct:\n");
  print_averages(scale(Tensor::from({2, 3}, {2, 3, 5, 1, 4, 5}), Real(0.1)), v);
  std::puts("\nThe softmax of the scores is far sharper:\n");
  print_averages(steps.weights, v);
}

int main() {
  const Words words = {"猫", "在", "桌子", "上", "睡觉"};
  five_words(words);
  worked_by_hand(words);
  weights_assumed();
}
