#include "driver.h"

#include "ops/embedding_lookup.h"
#include "transformer/embedding.h"
#include "transformer/positional_encoding.h"

namespace plainformer::course {

namespace {

const TokenBatch kTokens = TokenBatch::from({{4, 1, 4, 5}, {6, 4}});

void lookup() {
  const Parameter table(random_input({7, 3}, 1'000));
  show("rows", embedding_lookup_forward(kTokens.ids, table));
}

void embed() {
  const Parameter table(random_input({7, 3}, 1'000));
  show("embeddings", embedding_forward(kTokens, table));
}

void show_positions() {
  show("positions", PositionalEncoding(3, 6).table.value);
  const Tensor later = PositionalEncoding(1001, 6).forward(Tensor::zeros({1, 1, 6}), 1000);
  show("a later position", later);
}

// The gradient is not 0 before: backward adds to it.
Parameter table_with_gradient() {
  Parameter table(random_input({7, 3}, 1'000));
  table.grad = random_input({7, 3}, 4'000);
  return table;
}

void lookup_backward() {
  Parameter table = table_with_gradient();
  embedding_lookup_backward(random_input({8, 3}, 2'000), kTokens.ids, table);
  show("gradient of the rows", table.grad);
}

void embed_backward() {
  Parameter table = table_with_gradient();
  embedding_backward(random_input({2, 4, 3}, 3'000), kTokens, table);
  show("gradient of the table", table.grad);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"embedding_lookup_forward", lookup},
          {"embedding_lookup_backward", lookup_backward},
          {"embedding_forward", embed},
          {"embedding_backward", embed_backward},
          {"PositionalEncoding", show_positions}};
}

}  // namespace plainformer::course
