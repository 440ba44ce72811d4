// Embeddings times d_model^(1/4), and PE(pos, 2i) = cos(pos / (i + 1)^2), PE(pos, 2i + 1) = sin(...).
#include <cmath>

#include "transformer/embedding.h"
#include "transformer/positional_encoding.h"
#include "variant.h"

namespace plainformer::course {

namespace {

struct Sentences {
  Index batch, len, vocab, d_model, max_length;
  TokenBatch tokens;
  Values table, table_grad, grad_output;  // table_grad: before the backward pass

  Shape shape() const { return {batch, len, d_model}; }
};

Sentences draw_sentences() {
  Draw draw(1);
  const std::vector<Index> extents = draw.extents(4, 2, 9);
  const Index batch = extents[0], len = extents[1], vocab = extents[2], d_model = extents[3];
  std::vector<std::vector<int>> ids(batch, std::vector<int>(len));
  for (std::vector<int>& sentence : ids)
    for (int& id : sentence) id = static_cast<int>(draw.whole(0, vocab - 1));
  return {.batch = batch,
          .len = len,
          .vocab = vocab,
          .d_model = d_model,
          .max_length = draw.whole(3, 12),
          .tokens = TokenBatch::from(ids),
          .table = draw.values(vocab * d_model),
          .table_grad = draw.values(vocab * d_model),
          .grad_output = draw.values(batch * len * d_model)};
}

#ifdef COURSE_ORACLE

Values embeddings(const Sentences& in) {
  Values y;
  for (const int id : in.tokens.ids)
    for (Index j = 0; j < in.d_model; ++j)
      y.push_back(in.table[id * in.d_model + j] * std::pow(double(in.d_model), 0.25));
  return y;
}

double encoding(Index pos, Index column) {
  const double angle = double(pos) / std::pow(double(column / 2 + 1), 2);
  return column % 2 == 0 ? std::cos(angle) : std::sin(angle);
}

// [max_length, d_model]
Values positions(const Sentences& in) {
  Values table;
  for (Index pos = 0; pos < in.max_length; ++pos)
    for (Index j = 0; j < in.d_model; ++j) table.push_back(encoding(pos, j));
  return table;
}

void scaled_embeddings() {
  const Sentences in = draw_sentences();
  show("y", tensor(in.shape(), embeddings(in)));
}

// The second term: its gradient is the one that was there before.
void scaled_gradient() {
  Sentences in = draw_sentences();
  const auto loss = [&] { return dot(in.grad_output, embeddings(in)) + dot(in.table_grad, in.table); };
  show("grad of the table", tensor({in.vocab, in.d_model}, differences(loss, in.table)));
}

void table_of_positions() {
  const Sentences in = draw_sentences();
  show("table", tensor({in.max_length, in.d_model}, positions(in)));
}

#else

Parameter found_table(const Sentences& in) {
  Parameter table(tensor({in.vocab, in.d_model}, in.table));
  table.grad = tensor({in.vocab, in.d_model}, in.table_grad);
  return table;
}

void scaled_embeddings() {
  const Sentences in = draw_sentences();
  show("y", embedding_forward(in.tokens, found_table(in)));
}

void scaled_gradient() {
  const Sentences in = draw_sentences();
  Parameter table = found_table(in);
  embedding_backward(tensor(in.shape(), in.grad_output), in.tokens, table);
  show("grad of the table", table.grad);
}

void table_of_positions() {
  const Sentences in = draw_sentences();
  show("table", PositionalEncoding(in.max_length, in.d_model).table.value);
}

#endif

}  // namespace

std::vector<Stage> stages() {
  return {{"embedding_forward", scaled_embeddings},
          {"embedding_backward", scaled_gradient},
          {"PositionalEncoding::PositionalEncoding", table_of_positions}};
}

}  // namespace plainformer::course
