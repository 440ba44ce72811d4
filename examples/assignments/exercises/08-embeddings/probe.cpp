#include "probe.h"

#include "ops/embedding_lookup.h"
#include "transformer/embedding.h"
#include "transformer/positional_encoding.h"

namespace plainformer::course {

void probe() {
  Parameter table(random_input({7, 3}, 1));
  const TokenBatch tokens = TokenBatch::from({{4, 1, 4, 5}, {6, 4}});
  show("rows", embedding_lookup_forward(tokens.ids, table));
  show("embeddings", embedding_forward(tokens, table));

  show("positions", PositionalEncoding(3, 6).table());
  const Tensor later = PositionalEncoding(1001, 6).forward(Tensor::zeros({1, 1, 6}), 1000);
  show("a later position", later);

  embedding_lookup_backward(random_input({8, 3}, 2), tokens.ids, table);
  show("gradient of the rows", table.grad);
  table.grad = Tensor();
  embedding_backward(random_input({2, 4, 3}, 3), tokens, table);
  show("gradient of the table", table.grad);
}

}  // namespace plainformer::course
