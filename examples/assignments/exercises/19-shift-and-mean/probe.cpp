#include "probe.h"

#include "training/training_loop.h"

namespace plainformer::course {

namespace {

void show_tokens(const char* name, const std::vector<int>& ids) {
  show(name, std::vector<double>(ids.begin(), ids.end()));
}

void batch() {
  const TranslationBatch batch = TranslationBatch::from({{5, 6}, {7, 8, 9}}, {{8}, {9, 10, 11}});
  show_tokens("source", batch.source.ids);
  show_tokens("target_input", batch.target_input.ids);
  show_tokens("target_output", batch.target_output.ids);
}

// Made without the student's functions. One sentence has padding.
TranslationBatch right_batch() {
  return {.source = TokenBatch::from({{5, 6, kEndId}, {7, 8, 9, kEndId}}),
          .target_input = TokenBatch::from({{kStartId, 8}, {kStartId, 9, 10, 11}}),
          .target_output = TokenBatch::from({{8, kEndId}, {9, 10, 11, kEndId}})};
}

void count() {
  show("source_tokens", static_cast<double>(right_batch().source_tokens()));
  show("target_tokens", static_cast<double>(right_batch().target_tokens()));
}

void loss() {
  Parameter embedding(random_input({12, 3}, 1'000));
  Tensor grad_decoder_output;
  const Index tokens_of_the_step = 16;  // of this batch and of another one
  const CrossEntropy sums = smoothed_cross_entropy(0.2)(
      random_input({2, 4, 3}, 2'000), embedding, right_batch(), tokens_of_the_step, grad_decoder_output);
  const double numbers[] = {sums.loss, sums.log_probability, static_cast<double>(sums.rows)};
  show("sums", numbers);
  show("grad_decoder_output", grad_decoder_output);
  show("grad_embedding", embedding.grad);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"TranslationBatch::from", batch},
          {"TranslationBatch::target_tokens", count},
          {"smoothed_cross_entropy", loss}};
}

}  // namespace plainformer::course
