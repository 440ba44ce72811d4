// plainformer score: the log-probability of given translations.
#include <iomanip>
#include <iostream>

#include "app/commands.h"
#include "core/input_error.h"
#include "data/parallel_corpus.h"
#include "data/text.h"
#include "decoding/beam_search.h"
#include "decoding/given_translation.h"
#include "io/atomic_file.h"
#include "model_folder/notes.h"
#include "report/command_line.h"
#include "train/settings.h"

namespace plainformer {

namespace {

// std::runtime_error, which names `where`, if the model cannot read the line to its end.
Sentence read_whole(SourceReader& reader, const std::string& line, const std::string& where, Index longest,
                    Side side) {
  const std::string hint =
      "the model reads at most " + std::to_string(longest) + " tokens; split the sentence";
  if (line.size() > kMostSentenceBytes)  // cutting it into pieces would take much memory
    throw input_error(where, std::to_string(line.size()) + " bytes", hint);
  const Sentence sentence = reader.read(line, side);
  if (sentence.cut_from > 0) throw input_error(where, std::to_string(sentence.cut_from) + " tokens", hint);
  return sentence;
}

// The ids of each line of a file. Tells what the model does not know.
std::vector<std::vector<int>> encode_lines(LoadedModel& model, const std::vector<std::string>& lines,
                                           const std::string& path, Side side) {
  std::vector<std::vector<int>> sentences;
  SourceReader reader(model);
  SentenceNotes notes(model.vocabulary);
  LineNotes line_notes(warnings_of("score"), path);
  const Index longest = longest_source(model.transformer->config());
  for (const std::string& text : lines) {
    const Index line = std::ssize(sentences) + 1;
    const Sentence sentence = read_whole(reader, text, path + ":" + std::to_string(line), longest, side);
    if (!text.empty() && is_blank(text)) line_notes.add(line, {white_space_note()});
    line_notes.add(line, notes.on_source(sentence));
    sentences.push_back(sentence.ids);
  }
  line_notes.finish();
  return sentences;
}

void print_scores(LoadedModel& model, const PairLines& pairs, const std::string& source,
                  const std::string& target) {
  const auto sources = encode_lines(model, pairs.source, source, Side::kSource),
             targets = encode_lines(model, pairs.target, target, Side::kTarget);
  for (const SequenceScore& score : score_sequences(*model.transformer, sources, targets))
    std::cout << score.log_probability << "\t" << score.tokens << "\n";
}

}  // namespace

int score_command(const Arguments& arguments) {
  std::string folder;
  CorpusFiles text;
  ComputeSettings compute;
  CommandLine line(
      "plainformer score --model DIR --pairs FILE\n       plainformer score --model DIR --source FILE "
      "--target FILE",
      "Prints, for each pair of lines, the log-probability of the target given the source (in nats), a tab, "
      "and the number of target tokens; both include </s>. Teacher-forced, without label smoothing.");
  line.required("--model", "DIR", &folder, "the model folder");
  add_pair_options(line, text);
  add_compute_options(line, &compute);
  if (!line.read(arguments)) return finish_output();
  check_sides(text, "--source", "--target");
  if (text.empty()) throw UsageError("pairs are required: --pairs, or --source and --target");
  compute.use();

  LoadedModel model = load_model(ModelFolder(folder));
  std::cout << std::setprecision(9);
  for (std::size_t i = 0; i < text.source.size(); ++i) {
    const std::string &source = text.source[i], &target = text.target[i];
    const PairLines pairs = {read_lines(source, /*may_be_pipe=*/true), read_lines(target, true)};
    require_same_length(target, pairs.target.size(), source, pairs.source.size());
    print_scores(model, pairs, source, target);
  }
  for (const std::string& path : text.pairs)
    print_scores(model, read_pair_file(path, text.columns), name_of_input(path), name_of_input(path));
  return finish_output();
}

}  // namespace plainformer
