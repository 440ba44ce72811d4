// plainformer score: the log-probability of given translations.
#include <iomanip>
#include <iostream>

#include "app/commands.h"
#include "command_line/command_support.h"
#include "core/input_error.h"
#include "data/text.h"
#include "decoding/encoded_sources.h"
#include "decoding/sequence_score.h"
#include "evaluation/perplexity.h"
#include "model_folder/model_folder.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

void print(const std::vector<SequenceScore>& scores, bool sum) {
  SequenceScore all;
  std::cout << std::setprecision(9);
  for (const SequenceScore& score : scores) {
    all.log_probability += score.log_probability;
    all.tokens += score.tokens;
    if (!sum) std::cout << score.log_probability << "\t" << score.tokens << "\n";
  }
  if (!sum) return;
  if (scores.empty())
    throw input_error("--perplexity", "there are no pairs", "give files of at least one line");
  std::cout << "perplexity = " << format_fixed(perplexity(-all.log_probability, all.tokens), 4)
            << " (log P = " << all.log_probability << " tokens = " << all.tokens
            << " pairs = " << scores.size() << ")\n";
}

}  // namespace

int score_command(const Arguments& arguments) {
  std::string folder, source, target;
  ComputeSettings compute;
  bool sum = false;
  CommandLine line(
      "plainformer score --model DIR --source FILE --target FILE",
      "Prints, for each pair of lines, the log-probability of the target given the source (in nats), a tab, "
      "and the number of target tokens; both include </s>. Teacher-forced, without label smoothing.");
  line.option("--model", "DIR", &folder, "the model folder");
  line.option("--source", "FILE", &source, "the source sentences, one per line");
  line.option("--target", "FILE", &target, "their translations, line by line");
  line.option("--perplexity", "", &sum, "print one line instead: perplexity per token over all pairs");
  add_compute_options(line, &compute);
  if (wants_help(arguments)) {
    std::cout << line.help();
    return finish_output();
  }
  expect_no_more(line.parse(arguments));
  require_option("--model", folder);
  require_option("--source", source);
  require_option("--target", target);
  compute.use();

  LoadedModel model = load_model(ModelFolder(folder));
  const auto encode_file = [&](const std::string& path) {
    std::vector<std::vector<int>> sentences;
    const Index longest = longest_source(model.transformer->config());
    for (const std::string& text : read_lines(path)) {
      sentences.push_back(model.encode(text));
      if (std::ssize(sentences.back()) <= longest) continue;
      throw input_error(path + ":" + std::to_string(sentences.size()),
                        std::to_string(sentences.back().size()) + " tokens",
                        "the model reads at most " + std::to_string(longest) + "; split the sentence");
    }
    return sentences;
  };
  const auto sources = encode_file(source), targets = encode_file(target);
  if (sources.size() != targets.size()) {
    throw input_error(
        target,
        std::to_string(targets.size()) + " lines, but " + source + " has " + std::to_string(sources.size()),
        "line i of one file must translate line i of the other");
  }
  print(score_sequences(*model.transformer, sources, targets), sum);
  return finish_output();
}

}  // namespace plainformer
