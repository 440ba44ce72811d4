// The trained model that the first two milestones look into, docs/page-model, and the text that it knows.
#pragma once

#include <fstream>
#include <string>
#include <variant>
#include <vector>

#include "driver.h"
#include "model_folder/translator.h"

namespace plainformer::course {

struct Clause {
  std::string source, target;
};

inline std::string page_model_folder() {
  return PLAINFORMER_SOURCE_DIR "/docs/page-model";
}

inline std::vector<Clause> clauses_of_the_page_model() {
  std::ifstream file(page_model_folder() + "/clauses.tsv");
  std::vector<Clause> clauses;
  for (std::string source, target; std::getline(file, source, '\t') && std::getline(file, target);)
    clauses.push_back({source, target});
  return clauses;
}

// Shows the tensors of a forward pass in the order in which they are computed.
//   all   false: the weights of attention alone
inline void show_forward_pass(LoadedModel& model, const Clause& clause, bool all) {
  SourceReader reader(model);
  const std::vector<std::vector<int>> sources = {reader.read(clause.source).ids},
                                      targets = {reader.read(clause.target).ids};
  const TranslationBatch batch = TranslationBatch::from(sources, targets);
  Transformer::Cache cache;
  const Tensor decoder_output = model.transformer->forward(batch.source, batch.target_input, {}, cache);
  const auto show_attention = [&](const std::string& name, const MultiHeadAttention::Cache& attention) {
    if (all) show(name + ": input", attention.query_input);
    show(name + ": weights", std::get<AttentionCache>(attention.attention).weights);
    if (all) show(name + ": heads side by side", attention.concat);
  };
  const auto show_feed_forward = [&](const std::string& name, const FeedForward::Cache& network) {
    if (!all) return;
    show(name + ": input", network.x);
    show(name + ": hidden", network.hidden);
  };
  for (std::size_t i = 0; i < cache.encoder.layers.size(); ++i) {
    const std::string layer = "encoder." + std::to_string(i) + ".";
    show_attention(layer + "self_attention", cache.encoder.layers[i].self_attention);
    show_feed_forward(layer + "feed_forward", cache.encoder.layers[i].feed_forward);
  }
  for (std::size_t i = 0; i < cache.decoder.layers.size(); ++i) {
    const std::string layer = "decoder." + std::to_string(i) + ".";
    show_attention(layer + "self_attention", cache.decoder.layers[i].self_attention);
    show_attention(layer + "encoder_decoder_attention", cache.decoder.layers[i].encoder_decoder_attention);
    show_feed_forward(layer + "feed_forward", cache.decoder.layers[i].feed_forward);
  }
  if (all) show("decoder output", decoder_output);
}

}  // namespace plainformer::course
