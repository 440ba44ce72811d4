#include "show/attention/attention_find.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "command_line/command_support.h"
#include "core/input_error.h"
#include "data/text.h"
#include "model_folder/notes.h"
#include "platform/platform.h"
#include "report/number_format.h"
#include "report/progress_bar.h"
#include "report/terminal.h"
#include "train/corpora.h"
#include "train/run_record.h"
#include "show/attention/attention_links_text.h"

namespace plainformer {

namespace {

struct Pairs {
  std::string name;  // "500 held-out pairs of the built-in grammar"
  std::vector<Sentence> sources, targets;
};

std::vector<Sentence> read_sentences(LoadedModel& model, const std::vector<std::string>& lines,
                                     const std::string& where) {
  std::vector<Sentence> sentences;
  SourceReader reader(model);
  SentenceNotes source_notes(model.vocabulary);
  LineNotes notes(warnings_of("attention"), where);
  for (const std::string& line : lines) {
    sentences.push_back(reader.read(one_line(line)));
    notes.add(std::ssize(sentences), source_notes.on_source(sentences.back()));
  }
  notes.finish();
  return sentences;
}

// The pairs that the toy's training generated and held out, with their references.
Pairs toy_pairs(LoadedModel& model, const std::string& folder) {
  const char* const hint = "give sentences with --source-file and --target-file";
  if (!std::filesystem::exists(to_path(ModelFolder(folder).run())))
    throw input_error("--find", folder + " has no run.json, so its held-out sentences are unknown", hint);
  const TrainSettings settings = parse_train_settings(read_run_arguments(ModelFolder(folder)));
  if (!settings.uses_toy_grammar())
    throw input_error("--find", "the model was not trained on the built-in grammar", hint);
  std::vector<std::string> sources, targets;
  for (const ToyPair& pair : load_corpora(settings).test) {
    sources.push_back(pair.source);
    targets.push_back(pair.target);
  }
  return {.name = std::to_string(sources.size()) + " held-out pairs of the built-in grammar",
          .sources = read_sentences(model, sources, "the built-in grammar"),
          .targets = read_sentences(model, targets, "the built-in grammar")};
}

std::vector<Sentence> translate(const LoadedModel& model, const std::vector<Sentence>& sources) {
  const Index asked = std::count_if(sources.begin(), sources.end(),
                                    [](const Sentence& source) { return !source.ids.empty(); });
  if (asked < 2) return translations_of(model, sources);
  ProgressBar bar(std::cerr, understands_escapes(2), asked,
                  {.unit = "translation", .color = color_allowed(2)});
  return translations_of(model, sources, kGreedy, [&](Index done, Index) { bar.update(done); });
}

Pairs given_pairs(LoadedModel& model, const AttentionSettings& s) {
  const bool from_files = !s.source_file.empty();
  Pairs pairs;
  pairs.sources = read_sentences(model, from_files ? read_lines(s.source_file) : s.source,
                                 from_files ? s.source_file : "--source");
  const bool has_targets = !s.target_file.empty() || !s.target.empty();
  if (has_targets) {
    pairs.targets = read_sentences(model, from_files ? read_lines(s.target_file) : s.target,
                                   from_files ? s.target_file : "--target");
    if (pairs.sources.size() != pairs.targets.size())
      throw input_error(s.target_file,
                        std::to_string(pairs.targets.size()) + " lines, but " + s.source_file + " has " +
                            std::to_string(pairs.sources.size()),
                        "line i of one file must translate line i of the other");
  } else {
    pairs.targets = translate(model, pairs.sources);
  }
  pairs.name = count_of(std::ssize(pairs.sources), "pair") + (has_targets ? "" : ", translated by the model");
  return pairs;
}

bool has_word(const Sentence& sentence, const std::string& text) {
  const std::vector<PiecedWord> words = words_of_pieces(sentence.pieces);
  return std::any_of(words.begin(), words.end(), [&](const PiecedWord& word) { return word.text == text; });
}

// Every sentence has the special symbols.
bool may_have(const Sentence& source, const Sentence& target, const std::string& word) {
  return word == "<s>" || word == "</s>" || has_word(source, word) || has_word(target, word);
}

// The tables for the pairs with these numbers.
std::string count_links(const LoadedModel& model, const Pairs& pairs, const std::vector<std::size_t>& numbers,
                        const AttentionSettings& settings) {
  LinkCounter counter(WordLink::parse(settings.find));
  ProgressBar bar(std::cerr, understands_escapes(2), std::ssize(numbers),
                  {.unit = "pair", .color = color_allowed(2)});
  for (Index done = 0; const std::size_t i : numbers) {
    const auto attention =
        attention_of_pair(*model.transformer, pairs.sources[i], pairs.targets[i], settings.rows());
    counter.add(select(attention, settings, DefaultSelection::kAll));
    bar.update(++done);
  }
  return links_text(counter.result(), is_terminal(1));
}

}  // namespace

void print_links(LoadedModel& model, const AttentionSettings& settings) {
  const WordLink link = WordLink::parse(settings.find);
  const bool is_toy = settings.source.empty() && settings.source_file.empty();
  const Pairs pairs = is_toy ? toy_pairs(model, settings.model) : given_pairs(model, settings);

  std::vector<std::size_t> meetings;
  for (std::size_t i = 0; i < pairs.sources.size(); ++i) {
    const Sentence &source = pairs.sources[i], &target = pairs.targets[i];
    if (may_have(source, target, link.from) && may_have(source, target, link.to)) meetings.push_back(i);
  }
  const char* const hint = "write each word as in the text; a comma is a word of its own";
  if (meetings.empty())
    throw input_error("--find",
                      "no pair contains both " + link.from + " and " + link.to + ", of " + pairs.name, hint);
  const std::string text = count_links(model, pairs, meetings, settings);
  if (text.empty())
    throw input_error("--find", link.from + " never sees " + link.to + " in " + pairs.name, hint);
  std::cout << link.from << " -> " << link.to << ", in " << pairs.name << "\n"
            << "A row of the decoder is named after the token that it "
            << (settings.rows() == DecoderRows::kOutput ? "writes" : "reads") << ".\n\n"
            << text;
}

}  // namespace plainformer
