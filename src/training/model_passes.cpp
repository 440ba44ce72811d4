#include "training/model_passes.h"

#include <memory>

#include "training/first_not_finite.h"

namespace plainformer {

ModelPasses passes_of(Transformer& model) {
  const auto cache = std::make_shared<Transformer::Cache>();
  return {.forward =
              [&model, cache](const TranslationBatch& batch, Index /*tokens*/, const DropoutState& dropout) {
                return model.forward(batch.source, batch.target_input, dropout, *cache);
              },
          .backward = [&model, cache](
                          const Tensor& grad_decoder_output) { model.backward(grad_decoder_output, *cache); },
          .first_not_finite = [cache] { return first_not_finite_output(*cache); }};
}

}  // namespace plainformer
