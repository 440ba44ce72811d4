#include "train/toy_report.h"

#include <iostream>

#include "evaluation/bleu.h"
#include "model_folder/translator.h"
#include "report/number_format.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr std::size_t kShown = 10;

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
  std::cout << "\nWhere the last decoder layer looked (encoder-decoder attention, mean of the heads):\n"
            << draw_attention(model, sentence_of_ids(model, sources[drawn]), decoded[drawn].front().tokens,
                              attention_map_style_for(1))
            << "\n";

  const double percent = 100.0 * static_cast<double>(exact) / static_cast<double>(translations.size());
  std::cout << "Held-out exact match: " << format_fixed(percent, 1) << " % (" << exact << " of "
            << translations.size() << ", greedy)\n"
            << to_string(corpus_bleu(translations, references)) << "\n";
}

}  // namespace plainformer
