#include "app/translate_terminal.h"

#include <cmath>
#include <iostream>

#include "app/source_lines.h"
#include "command_line/command_support.h"
#include "core/special_symbols.h"
#include "decoding/attention_capture.h"
#include "model_folder/translator.h"
#include "platform/platform.h"
#include "report/attention_map.h"
#include "report/number_format.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr int kInput = 0, kOutput = 1;

// [heads, target_len, source_len] -> [target_len, source_len]
Tensor mean_of_heads(const Tensor& weights) {
  const Index heads = weights.dim(0), target_len = weights.dim(1), source_len = weights.dim(2);
  Tensor mean = Tensor::zeros({target_len, source_len});
  Real* to = mean.mutable_data();
  for (Index head = 0; head < heads; ++head) {
    const Real* from = weights.data() + head * mean.size();
    for (Index i = 0; i < mean.size(); ++i) to[i] += from[i] / static_cast<Real>(heads);
  }
  return mean;
}

std::vector<std::string> with_end_symbol(std::vector<std::string> pieces) {
  pieces.push_back(kSpecialSpellings[kEndId]);
  return pieces;
}

// Explains the shades under the first map only.
void print_attention(const LoadedModel& model, const Sentence& source, const Hypothesis& translation,
                     AttentionMapStyle& style) {
  const AttentionWeights weights = capture_attention(*model.transformer, source.ids, translation.tokens);
  std::cout << draw_attention_map(mean_of_heads(weights.encoder_decoder.back()),
                                  with_end_symbol(model.vocabulary.decode(translation.tokens)),
                                  with_end_symbol(source.pieces), style);
  style.legend = false;
}

std::string scores_of(const Hypothesis& translation) {
  return "score " + format_fixed(translation.score, 3) + ", log P " +
         format_fixed(translation.log_probability, 3);
}

// "  1  61.2 %  die Katze schläft", and behind it the scores.
void print_translations(const Translator& translator, const Hypotheses& translations,
                        const TerminalView& view) {
  for (std::size_t i = 0; i < translations.size(); ++i) {
    const Hypothesis& translation = translations[i];
    if (translations.size() > 1)
      std::cout << pad_left(std::to_string(i + 1), 3) << "  "
                << pad_left(format_fixed(100 * std::exp(translation.log_probability), 1), 5) << " %  ";
    std::cout << printable(translator.text_of(translation));
    if (view.scores)
      std::cout << "  " << colored(scores_of(translation), Color::kDim, color_allowed(kOutput));
    std::cout << "\n";
  }
}

}  // namespace

bool is_at_terminal() {
  return is_terminal(kInput) && is_terminal(kOutput);
}

void translate_at_terminal(LoadedModel& model, const SearchOptions& options, const TerminalView& view) {
  SourceLines input(
      model, [](const std::string& text) { std::cerr << text << "\n"; }, LineNotes::kAll);
  Translator translator(model);
  AttentionMapStyle style = attention_map_style_for(kOutput);
  const auto ask = [&] {
    std::cout << "> " << std::flush;
    return input.next(1, [](std::string line) { return line; });
  };
  std::cout << "Type a sentence and press Enter to translate it, or " << end_of_input_keys() << " to end.\n";
  for (auto lines = ask(); !lines.empty(); lines = ask()) {
    const SourceLine& line = lines.front();
    if (line.sentence.ids.empty()) continue;
    const Hypotheses translations = translator.translate({line.sentence.ids}, options).front();
    print_translations(translator, translations, view);
    if (view.attention) print_attention(model, line.sentence, translations.front(), style);
    finish_output();
    input.check_translations(line, translations);
  }
  std::cout << "\n";  // the shell's own prompt begins a line
}

}  // namespace plainformer
