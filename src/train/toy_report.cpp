#include "train/toy_report.h"

#include <iostream>

#include "decoding/attention_capture.h"
#include "evaluation/bleu.h"
#include "model_folder/translator.h"
#include "report/attention_map.h"
#include "report/number_format.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr std::size_t kShown = 10;

// The mean of the heads.    weights [heads, target_len, source_len] -> [target_len, source_len]
Tensor mean_of_heads(const Tensor& weights) {
  const Index heads = weights.dim(0), matrix = weights.dim(1) * weights.dim(2);
  Tensor mean = Tensor::zeros({weights.dim(1), weights.dim(2)});
  Real* to = mean.mutable_data();
  for (Index i = 0; i < weights.size(); ++i) to[i % matrix] += weights.data()[i] / static_cast<Real>(heads);
  return mean;
}

std::vector<std::string> with_end(std::vector<std::string> tokens) {
  tokens.push_back("</s>");
  return tokens;
}

// The longest held-out sentence that has a subordinate clause and fits the screen. In such a
// sentence the verb moves farthest.
std::size_t sentence_to_draw(const std::vector<ToyPair>& test) {
  constexpr std::size_t kMostBytes = 60;
  std::size_t best = 0, longest = 0;
  for (std::size_t i = 0; i < test.size(); ++i) {
    const std::string& target = test[i].target;
    const bool has_clause = target.find(" , dass ") != std::string::npos;
    if (!has_clause || target.size() > kMostBytes || target.size() <= longest) continue;
    best = i;
    longest = target.size();
  }
  return best;
}

}  // namespace

void print_toy_report(const ModelFolder& folder, const std::vector<ToyPair>& test) {
  LoadedModel model = load_model(folder);
  SourceReader reader(model);
  Translator translator(model);
  std::vector<std::vector<int>> sources;
  for (const ToyPair& pair : test) sources.push_back(reader.read(pair.source).ids);
  const std::vector<Hypotheses> decoded = translator.translate(sources, kGreedy);

  std::vector<std::string> translations, references;
  std::size_t exact = 0;
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    translations.push_back(translator.text_of(decoded[i].front()));
    references.push_back(test[i].target);
    exact += translations[i] == references[i];
  }

  std::cout << "\nTen held-out sentences:\n";
  for (std::size_t i = 0; i < std::min(kShown, translations.size()); ++i) {
    const bool right = translations[i] == references[i];
    std::cout << "  " << test[i].source << "\n    "
              << colored(right ? "=" : "!", right ? Color::kGreen : Color::kRed, color_allowed(1)) << " "
              << translations[i] << "\n";
    if (!right) std::cout << "    reference: " << references[i] << "\n";
  }

  const std::size_t drawn = sentence_to_draw(test);
  const std::vector<int> target = decoded[drawn].front().tokens;
  const AttentionWeights weights = capture_attention(*model.transformer, sources[drawn], target);
  std::cout << "\nWhere the last decoder layer looked (encoder-decoder attention, mean of the heads):\n"
            << draw_attention_map(
                   mean_of_heads(weights.encoder_decoder.back()), with_end(model.vocabulary.decode(target)),
                   with_end(model.vocabulary.decode(sources[drawn])), attention_map_style_for(1))
            << "\n";

  const double percent = 100.0 * static_cast<double>(exact) / static_cast<double>(translations.size());
  std::cout << "Held-out exact match: " << format_fixed(percent, 1) << " % (" << exact << " of "
            << translations.size() << ", greedy)\n"
            << to_string(corpus_bleu(translations, references)) << "\n";
}

}  // namespace plainformer
