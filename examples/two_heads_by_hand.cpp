// Section 3.2.2, Multi-Head Attention (docs/3.2.2-multi-head-attention.md)
//
// "The cat sat on the mat" goes through multi-head attention: first the shapes at the paper's size, then
// numbers that are simple enough to follow by hand. Last comes a common bug: heads without projections.
//
//   cmake --preset toy
//   cmake --build build/toy --target two_heads_by_hand && build/toy/examples/two_heads_by_hand
#include <plainformer/core/writable_tensor.h>
#include <plainformer/ops/elementwise.h>
#include <plainformer/ops/linear.h>
#include <plainformer/ops/rows.h>
#include <plainformer/ops/ways.h>
#include <plainformer/transformer/multi_head_attention.h>

#include <cstdio>
#include <string>
#include <vector>

using namespace plainformer;
using Words = std::vector<std::string>;
using Row = std::vector<Real>;

const Words kSentence = {"The", "cat", "sat", "on", "the", "mat"};
const AttentionMask kNoMask = {.key_lengths = {6}};  // one sentence; each of its words sees all six

void shapes_at_full_size() {
  std::puts("SHAPES    \"The cat sat on the mat\": 6 words, d_model 512, 8 heads, d_k = d_v = 512 / 8\n");
  ways.attention = Way::kPlain;  // it keeps what is printed here; the fast way splits nothing
  const MultiHeadAttention attention(/*d_model=*/512, /*heads=*/8);
  const Tensor x = Tensor::zeros({1, 6, 512});
  MultiHeadAttention::Cache cache;
  const Tensor output = attention.forward(x, x, x, kNoMask, cache);
  const auto print = [](const char* name, const Tensor& tensor, const char* meaning) {
    std::printf("  %-11s%-15s%s\n", name, tensor.shape().to_string().c_str(), meaning);
  };
  print("x", x, "one sentence of six words, a vector for each");
  print("W^Q", attention.w_q.value, "the eight W_i^Q [512, 64] side by side; likewise W^K and W^V");
  const auto& kept = std::get<AttentionCache>(cache.attention);
  print("q_i", kept.q, "x W^Q, split into eight blocks of 64 columns");
  print("k_i, v_i", kept.k, "x W^K and x W^V, split");
  print("weights_i", kept.weights, "softmax(q_i k_i^T / sqrt(64)): each word looks at each word");
  print("Concat", cache.concat, "the heads, weights_i v_i, side by side");
  print("W^O", attention.w_o.value, "mixes the heads");
  print("output", output, "Concat W^O, shaped like x again");
}

Parameter matrix(const std::vector<Row>& rows) {
  WritableTensor x({std::ssize(rows), std::ssize(rows[0])});
  for (Index i = 0; i < x.dim(0); ++i)
    for (Index j = 0; j < x.dim(1); ++j) x(i, j) = rows[i][j];
  return Parameter(x);
}

// The columns of a, then those of b.
Tensor side_by_side(const Tensor& a, const Tensor& b) {
  WritableTensor both(with_last(a.shape(), a.dim(-1) + b.dim(-1)));
  for (Index i = 0; i < row_count(both); ++i)
    for (Index j = 0; j < both.dim(-1); ++j) both(i, j) = j < a.dim(-1) ? a(i, j) : b(i, j - a.dim(-1));
  return both;
}

// Tables side by side, with a row for each word.
void print(const Words& columns, const std::vector<Tensor>& tables, int decimals) {
  std::printf("\n     ");
  for (const std::string& column : columns) std::printf("%9s", column.c_str());
  for (Index i = 0; i < std::ssize(kSentence); ++i) {
    std::printf("\n  %-3s", kSentence[i].c_str());
    for (const Tensor& x : tables)
      for (Index j = 0; j < x.dim(-1); ++j) std::printf("%9.*f", decimals, x(i, j));
  }
  std::printf("\n");
}

// head_i = Attention(x W_i^Q, x W_i^K, x W_i^V), here with W_i^V = W_i^K
Tensor attend(const Tensor& x, const Parameter& w_q, const Parameter& w_k, Words columns) {
  const Tensor q = linear_forward(x, w_q);
  const Tensor k = linear_forward(x, w_k);
  const Tensor v = k;
  AttentionCache cache;
  const Tensor head = concatenate_heads(
      attention_forward(split_heads(q, 1), split_heads(k, 1), split_heads(v, 1), kNoMask, cache));
  print({"", "q", "", "k = v"}, {q, k}, 0);
  columns.insert(columns.begin(), kSentence.begin(), kSentence.end());
  print(columns, {cache.weights, head}, 2);
  return head;
}

struct Projections {  // of one head
  Parameter w_q, w_k;
};

void numbers(const Tensor& x, const Projections& head_0, const Projections& head_1, const Parameter& w_o) {
  std::puts(
      "\n\nNUMBERS    d_model 4, two heads, d_k 2. A word's vector is its kind, so x W picks a row of W.");
  print({"article", "noun", "verb", "prep."}, {x}, 0);

  std::puts("\nHead 0: a noun looks for a verb, and a verb for any noun: attention ignores order (3.5).");
  std::puts("The weight of sat for cat is e^(4 / sqrt(2)) / (e^(4 / sqrt(2)) + 5) = 0.77.");
  const Tensor output_0 = attend(x, head_0.w_q, head_0.w_k, {"verb", "noun"});

  std::puts("\nHead 1: an article and a preposition look for a noun, and a noun for an article.");
  const Tensor output_1 = attend(x, head_1.w_q, head_1.w_k, {"noun", "article"});

  std::puts("\nConcat(head_0, head_1), and the output, Concat W^O. W^O adds the noun columns of both heads.");
  const Tensor concat = side_by_side(output_0, output_1);
  const Words columns = {"verb", "noun", "noun", "article", "article", "noun", "verb", "prep."};
  print(columns, {concat, linear_forward(concat, w_o)}, 2);
}

void a_bug(const Tensor& x, const Projections& head_0, const Projections& head_1, const Parameter& w_o) {
  std::puts("\n\nA BUG    Heads attend to x itself. This is the output for cat, with W^Q and with 2 W^Q:");
  for (const Real factor : {Real(1), Real(2)}) {
    MultiHeadAttention attention(/*d_model=*/4, /*heads=*/2);
    attention.w_q.value = scale(side_by_side(head_0.w_q.value, head_1.w_q.value), factor);
    attention.w_k.value = side_by_side(head_0.w_k.value, head_1.w_k.value);
    attention.w_v.value = attention.w_k.value;
    attention.w_o = w_o;
    MultiHeadAttention::Cache cache;
    const Tensor right = attention.forward(x, x, x, kNoMask, cache);
    const Tensor wrong = linear_forward(attention.attend(x, x, x, kNoMask, cache), w_o);
    std::printf("\n  %.0f W^Q    right:", factor);
    for (Index j = 0; j < 4; ++j) std::printf("%6.2f", right(1, j));
    std::printf("    with the bug:");
    for (Index j = 0; j < 4; ++j) std::printf("%6.2f", wrong(1, j));
  }
  std::puts("\n\nWith the bug nothing depends on W^Q. So its gradient is 0, and it never changes.");
}

int main() {
  shapes_at_full_size();
  const Row article = {1, 0, 0, 0}, noun = {0, 1, 0, 0}, verb = {0, 0, 1, 0}, preposition = {0, 0, 0, 1};
  const Tensor x = matrix({article, noun, verb, preposition, article, noun}).value.reshaped({1, 6, 4});
  const Projections head_0 = {.w_q = matrix({{0, 0}, {4, 0}, {0, 4}, {0, 0}}),
                              .w_k = matrix({{0, 0}, {0, 1}, {1, 0}, {0, 0}})};
  const Projections head_1 = {.w_q = matrix({{4, 0}, {0, 4}, {0, 0}, {4, 0}}),
                              .w_k = matrix({{0, 1}, {1, 0}, {0, 0}, {0, 0}})};
  const Parameter w_o = matrix({{0, 0, 1, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}});
  numbers(x, head_0, head_1, w_o);
  a_bug(x, head_0, head_1, w_o);
}
