// Embeddings times d_model^(1/4), and PE(pos, 2i) = cos(pos / (i + 1)^2), PE(pos, 2i + 1) = sin(...).
#include <gtest/gtest.h>

#include "seed.h"
#include "transformer/embedding.h"
#include "transformer/positional_encoding.h"
#include "variant.h"

namespace plainformer::course {
namespace {

struct Sentences {
  Index batch, len, vocab, d_model, max_length, first_position;
  TokenBatch tokens;
  Values table, table_grad, x, grad_output;  // table_grad: before the backward pass

  Shape shape() const { return {batch, len, d_model}; }
};

Sentences draw_sentences() {
  Draw draw(1);
  const std::vector<Index> extents = draw.extents(4, 2, 9);
  const Index batch = extents[0], len = extents[1], vocab = extents[2], d_model = extents[3];
  const Index first_position = draw.whole(1, 5), max_length = first_position + len + draw.whole(0, 5);
  std::vector<std::vector<int>> ids(batch, std::vector<int>(len));
  for (std::vector<int>& sentence : ids)
    for (int& id : sentence) id = static_cast<int>(draw.whole(0, vocab - 1));
  return {.batch = batch,
          .len = len,
          .vocab = vocab,
          .d_model = d_model,
          .max_length = max_length,
          .first_position = first_position,
          .tokens = TokenBatch::from(ids),
          .table = draw.values(vocab * d_model),
          .table_grad = draw.values(vocab * d_model),
          .x = draw.values(batch * len * d_model),
          .grad_output = draw.values(batch * len * d_model)};
}

// root: 4 for the variant, 2 for the ordinary embeddings
Values oracle_embeddings(const Sentences& in, double root = 4) {
  Values y;
  for (const int id : in.tokens.ids)
    for (Index j = 0; j < in.d_model; ++j)
      y.push_back(in.table[id * in.d_model + j] * std::pow(double(in.d_model), 1 / root));
  return y;
}

double encoding(Index pos, Index column) {
  const double angle = double(pos) / std::pow(double(column / 2 + 1), 2);
  return column % 2 == 0 ? std::cos(angle) : std::sin(angle);
}

double ordinary_encoding(const Sentences& in, Index pos, Index column) {
  const double angle = double(pos) / std::pow(10000, double(column / 2 * 2) / double(in.d_model));
  return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

// [max_length, d_model]
Values oracle_positions(const Sentences& in, bool ordinary = false) {
  Values table;
  for (Index pos = 0; pos < in.max_length; ++pos)
    for (Index j = 0; j < in.d_model; ++j)
      table.push_back(ordinary ? ordinary_encoding(in, pos, j) : encoding(pos, j));
  return table;
}

Values oracle_sum(const Sentences& in) {
  const Values table = oracle_positions(in);
  Values y = in.x;
  for (Index i = 0; i < std::ssize(y); ++i) {
    const Index pos = in.first_position + i / in.d_model % in.len;
    y[i] += table[pos * in.d_model + i % in.d_model];
  }
  return y;
}

Parameter found_table(const Sentences& in) {
  Parameter table(tensor({in.vocab, in.d_model}, in.table));
  table.grad = tensor({in.vocab, in.d_model}, in.table_grad);
  return table;
}

TEST(FourthRoot, ScalesTheEmbeddings) {
  const Sentences in = draw_sentences();
  EXPECT_TRUE(near(embedding_forward(in.tokens, found_table(in)), in.shape(), oracle_embeddings(in),
                   kOutputTolerance));
}

TEST(FourthRoot, ScalesTheGradient) {
  Sentences in = draw_sentences();
  Parameter table = found_table(in);
  embedding_backward(tensor(in.shape(), in.grad_output), in.tokens, table);
  // The second term: its gradient is the one that was there before.
  const auto loss = [&] { return dot(in.grad_output, oracle_embeddings(in)) + dot(in.table_grad, in.table); };
  EXPECT_TRUE(is_gradient(table.grad, {in.vocab, in.d_model}, loss, in.table));
}

TEST(SquaredWavelengths, Table) {
  const Sentences in = draw_sentences();
  EXPECT_TRUE(near(PositionalEncoding(in.max_length, in.d_model).table.value, {in.max_length, in.d_model},
                   oracle_positions(in), kOutputTolerance));
}

TEST(SquaredWavelengths, AreAddedFromTheFirstPosition) {
  const Sentences in = draw_sentences();
  const PositionalEncoding positions(in.max_length, in.d_model);
  EXPECT_TRUE(near(positions.forward(tensor(in.shape(), in.x), in.first_position), in.shape(), oracle_sum(in),
                   kOutputTolerance));
}

TEST(Fair, SquaredWavelengths) {
  Sentences in = draw_sentences();
  const auto loss = [&] { return dot(in.grad_output, oracle_embeddings(in)); };
  const auto ordinary_loss = [&] { return dot(in.grad_output, oracle_embeddings(in, 2)); };
  EXPECT_TRUE(differences_are_fair(loss, in.table));
  EXPECT_TRUE(outputs_are_far_apart(oracle_embeddings(in), oracle_embeddings(in, 2)));
  EXPECT_TRUE(gradients_are_far_apart(loss, ordinary_loss, in.table));
  EXPECT_TRUE(outputs_are_far_apart(oracle_positions(in), oracle_positions(in, true)));
}

}  // namespace
}  // namespace plainformer::course
