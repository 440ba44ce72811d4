#include "lab/experiments/recurrent_translation.h"

#include <memory>

#include "beyond/one_position.h"
#include "decoding/greedy_search.h"
#include "transformer/embedding.h"
#include "transformer/output_projection.h"
#include "transformer/translation_batch.h"

namespace plainformer {

namespace {

template <typename Translator>
ModelPasses recurrent_passes_of(Translator& model) {
  const auto cache = std::make_shared<typename Translator::Cache>();
  return {.forward =
              [&model, cache](const TranslationBatch& batch, Index /*tokens*/, const DropoutState& dropout) {
                return model.forward(batch.source, batch.target_input, dropout, *cache);
              },
          .backward = [&model, cache](
                          const Tensor& grad_decoder_output) { model.backward(grad_decoder_output, *cache); },
          .first_not_finite = [] { return std::string("the loss"); }};
}

// A token's embedding [1, d_model].
Tensor embedded(int token, const Parameter& embedding) {
  return take_position(embedding_forward(TokenBatch::from({{token}}), embedding), 0);
}

// output [1, d_model] -> [1, 1, vocab]
Tensor logits_of_output(const Tensor& output, const Parameter& embedding) {
  return output_projection_forward(output.reshaped({1, 1, output.dim(1)}), embedding);
}

}  // namespace

ModelPasses passes_of(RecurrentTranslator& model) {
  return recurrent_passes_of(model);
}

ModelPasses passes_of(ChainTranslator& model) {
  return recurrent_passes_of(model);
}

std::vector<Hypothesis> greedy_search(const RecurrentTranslator& model,
                                      const std::vector<std::vector<int>>& sources,
                                      const SearchLimits& limits) {
  std::vector<Hypothesis> translations;
  for (const std::vector<int>& ids : sources) {
    // Step 1. Read the source, and start.
    const TokenBatch source = TokenBatch::from(with_end({ids}));
    RecurrentEncoder::Cache unused;
    const Tensor memory =
        model.encoder.forward(embedding_forward(source, model.embedding), source.lengths, unused);
    const auto read = model.decoder.read(memory, {.key_lengths = source.lengths, .causal = false});
    Tensor s = model.decoder.start_forward(memory);

    // Step 2. Write token after token.
    const auto next_logits = [&](int newest) {
      RecurrentDecoder::StepCache step;
      const auto next = model.decoder.step_forward(embedded(newest, model.embedding), s, read, step);
      s = next.s;
      return logits_of_output(model.decoder.output_forward(join_columns(next.s, next.c)), model.embedding);
    };
    translations.push_back(greedy_translation(next_logits, std::ssize(ids) + limits.extra_length));
  }
  return translations;
}

std::vector<Hypothesis> greedy_search(const ChainTranslator& model,
                                      const std::vector<std::vector<int>>& sources,
                                      const SearchLimits& limits) {
  std::vector<Hypothesis> translations;
  for (const std::vector<int>& ids : sources) {
    // Step 1. Read the source, and start from its last state.
    const TokenBatch source = TokenBatch::from(with_end({ids}));
    GatedRecurrentUnit::Cache unused;
    const Tensor states = model.reader.forward(embedding_forward(source, model.embedding), unused);
    Tensor s = take_last_position(states, source.lengths);

    // Step 2. Write token after token.
    const auto next_logits = [&](int newest) {
      GatedRecurrentUnit::StepCache step;
      s = model.writer.step_forward(model.writer.input_forward(embedded(newest, model.embedding)), s, step);
      return logits_of_output(model.output_forward(s), model.embedding);
    };
    translations.push_back(greedy_translation(next_logits, std::ssize(ids) + limits.extra_length));
  }
  return translations;
}

}  // namespace plainformer
