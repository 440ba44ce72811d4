#include "driver.h"

#include "transformer/token_batch.h"

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

void targets() {
  const TranslationBatch batch = {
      .source = {}, .target_input = {}, .target_output = TokenBatch::from({{5}, {7, 8, 9}, {6, 4}})};
  show_tokens("targets", batch.targets());
}

}  // namespace

std::vector<Stage> stages() {
  return {{"TranslationBatch::from", batch},
          {"TranslationBatch::target_tokens", count},
          {"TranslationBatch::targets", targets}};
}

}  // namespace plainformer::course
