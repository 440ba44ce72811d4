#include "lab/experiments/recurrent_translation.h"

#include <memory>

#include "beyond/one_position.h"
#include "decoding/next_tokens.h"
#include "transformer/embedding.h"
#include "transformer/output_projection.h"
#include "transformer/translation_batch.h"

namespace plainformer {

namespace {

// The newest token of each sentence, as a target of one position.
TokenBatch one_token_each(const std::vector<int>& tokens) {
  return {
      .batch = std::ssize(tokens), .len = 1, .ids = tokens, .lengths = std::vector<Index>(tokens.size(), 1)};
}

}  // namespace

ModelPasses passes_of(RecurrentTranslator& model) {
  const auto cache = std::make_shared<RecurrentTranslator::Cache>();
  return {.forward =
              [&model, cache](const TranslationBatch& batch, Index /*tokens*/, const DropoutState& dropout) {
                return model.forward(batch.source, batch.target_input, dropout, *cache);
              },
          .backward = [&model, cache](
                          const Tensor& grad_decoder_output) { model.backward(grad_decoder_output, *cache); },
          .first_not_finite = [] { return std::string("the loss"); }};
}

std::vector<Hypothesis> greedy_search(const RecurrentTranslator& model,
                                      const std::vector<std::vector<int>>& sources,
                                      const SearchLimits& limits) {
  // Step 1. Encode all sources, and start each translation with <s>.
  const TokenBatch source = TokenBatch::from(with_end(sources));
  RecurrentEncoder::Cache unused;
  const Tensor memory =
      model.encoder.forward(embedding_forward(source, model.embedding), source.lengths, unused);
  const RecurrentDecoder::Source read =
      model.decoder.read(memory, {.key_lengths = source.lengths, .causal = false});
  Tensor s = model.decoder.start_forward(memory);
  std::vector<Hypothesis> translations(sources.size());
  std::vector<int> newest(sources.size(), kStartId);
  std::vector<bool> ended(sources.size(), false);

  for (Index t = 0, open = std::ssize(sources); open > 0; ++t) {
    // Step 2. Predict the next token of each.
    const TokenBatch tokens = one_token_each(newest);
    RecurrentDecoder::StepCache step;
    const auto next = model.decoder.step_forward(take_position(embedding_forward(tokens, model.embedding), 0),
                                                 s, read, step);
    const Tensor output = model.decoder.output_forward(join_columns(next.s, next.c));
    const NextTokens best = next_tokens(
        output_projection_forward(output.reshaped({output.dim(0), 1, output.dim(1)}), model.embedding), 1);
    s = next.s;

    // Step 3. Append the most probable one. </s> ends the translation, and is the only choice at the limit.
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (ended[i]) continue;
      const Index limit = std::ssize(sources[i]) + limits.extra_length;
      ended[i] = t == limit || best.end[i] >= best.best[i].log_probability;
      translations[i].log_probability += ended[i] ? best.end[i] : best.best[i].log_probability;
      translations[i].score = translations[i].log_probability;
      if (ended[i])
        --open;
      else
        translations[i].tokens.push_back(newest[i] = best.best[i].token);
    }
  }
  return translations;
}

}  // namespace plainformer
