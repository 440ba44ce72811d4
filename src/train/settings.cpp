#include "train/settings.h"

#include <algorithm>
#include <filesystem>

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/special_symbols.h"
#include "core/strings.h"
#include "core/thread_pool.h"
#include "data/byte_pair_encoding.h"
#include "data/parallel_corpus.h"
#include "data/text.h"
#include "data/toy/toy_grammar.h"
#include "ops/ways.h"
#include "platform/platform.h"

namespace plainformer {

namespace {

// "1,2" for the first and the second column.
CommandLine::TextValue columns_value(PairColumns& pair_columns) {
  const auto text = [&pair_columns] {
    return std::to_string(pair_columns.source) + "," + std::to_string(pair_columns.target);
  };
  const auto set = [&pair_columns](const std::string& option, const std::string& value) {
    const std::vector<std::string> parts = split_at(',', value);
    const auto column = [&](std::size_t i) {
      return i < parts.size() ? parse_number<Index>(parts[i]).value_or(0) : 0;
    };
    const PairColumns columns = {column(0), column(1)};
    if (parts.size() != 2 || columns.source < 1 || columns.target < 1 || columns.source == columns.target)
      throw UsageError(option + " takes two different numbers from 1, such as 1,2; not \"" + value + "\"");
    pair_columns = columns;
  };
  return {text, set};
}

// A number of pairs, or "auto".
CommandLine::TextValue hold_out_value(Settings& s) {
  const auto text = [&s] { return s.hold_out ? std::to_string(*s.hold_out) : "auto"; };
  const auto set = [&s](const std::string& option, const std::string& value) {
    s.hold_out = value == "auto" ? std::nullopt : parse_number<Index>(value);
    if (value != "auto" && s.hold_out.value_or(-1) < 0)
      throw UsageError(option + " takes a number of pairs, or auto, not \"" + value + "\"");
  };
  return {text, set};
}

void add_data_options(CommandLine& line, Settings& s) {
  add_text_options(line, s);
  line.option(
      "--hold-out", "N", hold_out_value(s),
      "without held-out text: take this many pairs out of the training text for it; auto: a tenth, at "
      "most 1000, of a text of at least 50; 0: none");
  line.option(
      "--treebank", "FILE", &s.treebank,
      "trees to learn to parse (6.3), in the Penn Treebank's format, instead of --source and --target");
  line.option("--valid-treebank", "FILE", &s.valid_treebank, "held-out trees");
  line.option(
      "--words", "NAME", one_of({"auto", "spaces", "marks"}, &s.words),
      "how text becomes words: marks, cut so that the cut can be undone; spaces, for text that is "
      "tokenized already; auto: marks for a text of your own, spaces for the built-in grammar and trees");
  line.option("--merges", "N", &s.merges, "merges of byte pair encoding, joint for both languages");
  line.option("--max-tokens", "N", &s.max_tokens, "leave longer sentences out of training");
  line.option("--toy-pairs", "N", &s.toy_pairs,
              "sentence pairs of the built-in grammar, used without a text of your own");
}

void add_training_options(CommandLine& line, Settings& s) {
  TrainingOptions& t = s.training;
  line.section("Training (5)");
  line.option("--batch-tokens", "N", &s.batch_tokens,
              "at most this many source tokens, and as many target tokens, in a batch");
  line.option("--accumulate", "N", &t.accumulate, "batches whose gradients add up to one step");
  line.option("--recompute", "", &s.recompute,
              "keep only each layer's input and compute the rest again: less memory, more time");
  line.option("--steps", "N", &t.steps, "total number of steps");
  line.option("--warmup", "N", &t.learning_rate.warmup_steps, "steps until the learning rate's peak");
  line.option("--learning-rate-scale", "X", &t.learning_rate.scale, "factor on the paper's learning rate");
  line.option("--adam-beta1", "X", &t.adam.beta_1, "Adam's beta_1");
  line.option("--adam-beta2", "X", &t.adam.beta_2, "Adam's beta_2");
  line.option("--adam-epsilon", "X", &t.adam.epsilon, "Adam's epsilon");
  line.option("--dropout", "X", &t.dropout, "P_drop");
  line.option("--label-smoothing", "X", &t.label_smoothing, "epsilon_ls");
  line.option("--clip-norm", "X", &t.clip_norm, "scale longer gradients down to this norm; 0: never");
  line.option("--r-drop", "X", &s.r_drop,
              "beyond the paper, for little text: train on two passes whose dropout differs, and let them "
              "agree: alpha, such as 5");
  line.option("--fresh-copies", "NAME", one_of({"no", "yes"}, &s.fresh_copies),
              "beyond the paper, for little text: words of several pieces that stand on both sides, such as "
              "numbers, codes and addresses, get other digits and letters in each epoch: yes or no");
  line.option("--seed", "N", &s.seed, "seed of weights, data order, dropout and fresh copies");
}

void add_checkpoint_options(CommandLine& line, Settings& s) {
  line.section("Validation and checkpoints");
  line.option("--validate-every", "N", &s.training.validate_every,
              "steps between validations; 0: validate only at the end");
  line.option("--valid-bleu", "N", &s.valid_bleu,
              "translate the first N validation pairs at each validation, greedily, for BLEU; 0: none");
  line.option("--best-by", "NAME", one_of({"loss", "bleu"}, &s.best_by),
              "the validation whose weights are kept: loss, that of the lowest loss; bleu, that of the "
              "highest BLEU of --valid-bleu, and among equal ones of the lowest perplexity");
  line.option("--patience", "N", &s.patience,
              "end the training after N validations that are no better than the best before them; 0: never");
  line.option("--checkpoint-every", "N", &s.training.checkpoint_every, "steps between checkpoints");
  line.option("--keep", "N", &s.keep, "checkpoints to keep, and to average at the end");
}

void add_run_options(CommandLine& line, Settings& s) {
  line.section("Run");
  line.option("--out", "DIR", &s.out, "the model folder");
  line.option("--from", "MODEL", &s.from,
              "go on from the trained model in this folder, with other text: its weights, sizes, merges and "
              "vocabulary, but a new optimizer and schedule, in a folder of its own (--out)");
  line.option("--samples", "N", &s.samples,
              "held-out sentences whose translation each validation prints; 0: none");
  line.option("--frames", "N", &s.frames,
              "keep where the decoder looks every N steps, for one sentence, in the folder's frames.jsonl; "
              "'plainformer attention --frames DIR' plays them; 0: never");
  line.option("--frame-source", "TEXT", &s.frame_source,
              "the sentence of the frames; without it, a held-out one");
  line.option("--frame-target", "TEXT", &s.frame_target, "its translation");
  line.option(
      "--minutes", "X", &s.minutes,
      "stop after this many minutes; 0: never. Choose --warmup so that the learning rate's peak (5.3) "
      "comes in that time");
  line.option("--resume", "", &s.resume,
              "continue from the folder's last checkpoint, with the options of that run; options given now "
              "replace them, except those of the model");
  line.option("--overwrite", "", &s.overwrite, "replace the model that the folder holds");
  add_compute_options(line, &s.compute);
}

// The command line of train, which sets these settings.
CommandLine train_command_line(Settings& settings) {
  CommandLine line(
      "plainformer train --pairs FILE --out DIR [options]\n"
      "       plainformer train --source FILE --target FILE --out DIR [options]\n"
      "       plainformer train --preset parser --treebank FILE --out DIR\n"
      "       plainformer train --preset toy --out DIR\n"
      "       plainformer train --from MODEL --pairs FILE --out DIR\n"
      "       plainformer train --resume --out DIR",
      "Trains a Transformer on sentences and their translations, and writes a model folder.");
  add_data_options(line, settings);
  add_model_options(line, settings);
  add_training_options(line, settings);
  add_checkpoint_options(line, settings);
  add_run_options(line, settings);
  return line;
}

// Standard input can be read once.
void check_standard_input(const Settings& s) {
  for (const auto* side : {&s.text.source, &s.text.target, &s.valid_text.source, &s.valid_text.target})
    if (std::count(side->begin(), side->end(), kStandardInput) > 0)
      throw UsageError(
          "one side alone cannot be standard input: --pairs - reads both, with a tab between them");
  const std::vector<std::string> files = s.input_files();
  const Index times = std::count(files.begin(), files.end(), kStandardInput);
  if (times > 1) throw UsageError("standard input can be one text only, not " + std::to_string(times));
}

void check_run(const Settings& s) {
  require_at_least("--seed", s.seed, 0);
  require_at_least("--samples", s.samples, 0);
  require_at_least("--frames", s.frames, 0);
  if (s.frame_source.empty() != s.frame_target.empty())
    throw UsageError("--frame-source and --frame-target belong together");
  if (!s.frame_source.empty() && s.frames == 0) throw UsageError("--frame-source needs --frames N");
  if (!(s.minutes >= 0))
    throw input_error("--minutes", shortest_text(s.minutes) + " is out of range", "0 means no limit");
}

void check_training(const Settings& s) {
  require_at_least("--batch-tokens", s.batch_tokens, 1);
  constexpr Index kMaxSteps = 500'000'000;
  require_between("--steps", s.training.steps, 1, kMaxSteps);
  s.training.check("--");
  if (!(s.r_drop >= 0 && s.r_drop <= 1e6))
    throw input_error("--r-drop", shortest_text(s.r_drop) + " is out of range",
                      "0 means none, 5 is usual; at most a million");
  if (s.r_drop > 0 && s.training.dropout == 0)
    throw UsageError("--r-drop compares two passes that differ by their dropout: it needs --dropout above 0");
}

void check_validation(const Settings& s) {
  require_at_least("--validate-every", s.training.validate_every, 0);
  require_at_least("--checkpoint-every", s.training.checkpoint_every, 1);
  require_at_least("--keep", s.keep, 1);
  require_at_least("--valid-bleu", s.valid_bleu, 0);
  require_at_least("--patience", s.patience, 0);
  // A text of very few pairs leaves none, but that is known only when it is read.
  const bool has_text = s.uses_toy_grammar() || !s.valid_treebank.empty() || !s.valid_text.empty() ||
                        (!s.text.empty() && s.hold_out != 0);
  if (s.patience > 0 && (s.training.validate_every == 0 || !has_text))
    throw UsageError("--patience counts validations: it needs --validate-every above 0, and validation text");
  if (s.best_by == Settings::BestBy::kBleu && (s.valid_bleu == 0 || !has_text))
    throw UsageError(
        "--best-by bleu compares translations: it needs --valid-bleu above 0, and validation text");
}

}  // namespace

void check_sides(const CorpusFiles& text, const std::string& source, const std::string& target) {
  if (text.source.empty() != text.target.empty())
    throw UsageError(source + " and " + target + " belong together");
  if (text.source.size() != text.target.size())
    throw UsageError(source + " is given " + std::to_string(text.source.size()) + " times and " + target +
                     " " + std::to_string(text.target.size()) + " times: each source needs its target");
}

void add_pair_options(CommandLine& line, CorpusFiles& files) {
  line.option("--source", "FILE", &files.source,
              "text to translate from, one sentence per line; may be repeated, with a --target for each");
  line.option("--target", "FILE", &files.target, "its translation; line i translates line i of the source");
  add_pair_file_options(line, files, "both in one file; may be repeated; - is standard input");
}

void add_pair_file_options(CommandLine& line, CorpusFiles& files, const std::string& pairs) {
  line.option("--pairs", "FILE", &files.pairs,
              "a sentence, a tab and its translation on each line (TSV): " + pairs);
  line.option("--columns", "S,T", columns_value(files.columns),
              "the columns of files of pairs that hold source and target");
}

void add_text_options(CommandLine& line, Settings& s) {
  line.section("Data");
  add_pair_options(line, s.text);
  line.option("--valid-source", "FILE", &s.valid_text.source,
              "held-out text, which decides which weights are kept");
  line.option("--valid-target", "FILE", &s.valid_text.target, "its translation");
  line.option("--valid-pairs", "FILE", &s.valid_text.pairs, "held-out text, in one file");
}

void check_text(const Settings& s) {
  check_standard_input(s);
  check_sides(s.text, "--source", "--target");
  check_sides(s.valid_text, "--valid-source", "--valid-target");
  if (!s.treebank.empty() && !(s.text.empty() && s.valid_text.empty()))
    throw UsageError(
        "--treebank takes the place of --source, --target and --pairs, and of those of the validation text");
  if (s.treebank.empty() && !s.valid_treebank.empty()) throw UsageError("--valid-treebank needs --treebank");
  if (s.text.empty() && !s.valid_text.empty())
    throw UsageError("validation text needs a training text: --pairs, or --source and --target");
  if (s.uses_toy_grammar() && s.toy_pairs == 0) {
    throw UsageError(
        "a text is required: --pairs, or --source and --target, or --treebank (or --preset toy for the "
        "built-in grammar)");
  }
  if (!s.treebank.empty() && s.words == Settings::Words::kMarks)
    throw UsageError("--treebank has words already: leave out --words marks");
  if (s.hold_out.value_or(0) > 0 && (s.text.empty() || !s.valid_text.empty()))
    throw UsageError(
        "--hold-out takes pairs out of a text of your own, for which no validation text is given");
}

void ComputeSettings::use() const {
  require_between("--threads", threads, 0, 1024);
  if (threads > 0) set_threads(static_cast<int>(threads));
  if (!plain.empty()) ways = plain_ways(plain, "--plain");
#ifdef PLAINFORMER_DOUBLE
  if (precision != Precision::kFloat)
    throw input_error("--precision", "bf16 rounds floats, but this build computes in double",
                      "use another build");
#endif
  product_precision = precision;
  if (product_precision != Precision::kFloat && ways.linear == Way::kPlain)
    throw input_error("--precision", "the plain way of linear computes in float only",
                      "leave linear to the fast way: give --plain=none, or other operations");
}

void add_float_options(CommandLine& line, ComputeSettings* settings) {
  line.option("--threads", "N", &settings->threads,
              "number of threads; 0: PLAINFORMER_THREADS, or else all processors that the process may use");
  line.optional_value(
      "--plain", "NAMES", &settings->plain, "all",
      "compute the plain way, the one to read; or only the operations named, as attention,linear");
}

void add_compute_options(CommandLine& line, ComputeSettings* settings) {
  add_float_options(line, settings);
  line.option(
      "--precision", "NAME", one_of({"float", "bf16"}, &settings->precision),
      "of matrix products: float, or bf16, whose factors are rounded to bfloat16 and added up in float");
}

void add_model_options(CommandLine& line, Settings& s) {
  line.section("Model (3)");
  line.option("--preset", "NAME", &s.preset,
              "page, nano, toy, parser, tiny, small, base or big: the defaults of all other options; without "
              "it, train has a recipe for the length of a text of your own");
  line.option("--encoder-layers", "N", &s.model.encoder_layers, "encoder layers");
  line.option("--decoder-layers", "N", &s.model.decoder_layers, "decoder layers");
  line.option("--d-model", "N", &s.model.d_model, "width of every layer's output");
  line.option("--d-ff", "N", &s.model.d_ff, "width inside the feed-forward networks");
  line.option("--heads", "N", &s.model.heads,
              "attention heads; must divide d-model, unless d-k and d-v are given");
  line.option("--d-k", "N", &s.model.d_k, "columns of each head's queries and keys; 0: d-model / heads");
  line.option("--d-v", "N", &s.model.d_v, "columns of each head's values; 0: d-model / heads");
  line.option("--positions", "NAME", one_of({"sinusoidal", "learned"}, &s.model.positions),
              "sinusoidal, or learned: a vector for each position, up to max-length");
  line.option("--max-length", "N", &s.model.max_length, "longest sequence that the model can read or write");
}

void Settings::check() const {
  require_option("--out", out);
  check_text(*this);
  require_between("--merges", merges, 0, BytePairEncoding::kMaxMerges);
  require_at_least("--max-tokens", max_tokens, 1);
  require_between("--toy-pairs", toy_pairs, 0, kMaxToyPairs - 2 * toy_held_out);
  check_training(*this);
  check_validation(*this);
  check_run(*this);
  ModelConfig with_vocabulary = model;
  with_vocabulary.vocab = kSpecialSymbols + 1;  // the real size is known only when the data is read
  with_vocabulary.check("the model");
}

std::vector<std::string> Settings::input_files() const {
  std::vector<std::string> all;
  for (const CorpusFiles* files : {&text, &valid_text})
    for (const auto* list : {&files->source, &files->target, &files->pairs})
      all.insert(all.end(), list->begin(), list->end());
  for (const std::string& file : {treebank, valid_treebank})
    if (!file.empty()) all.push_back(file);
  return all;
}

bool Settings::reads_standard_input() const {
  const std::vector<std::string> files = input_files();
  return std::find(files.begin(), files.end(), kStandardInput) != files.end();
}

WordRule Settings::word_rule() const {
  return {.marks = words == Words::kMarks || (words == Words::kAuto && !text.empty())};
}

void Settings::set_word_rule(const WordRule& rule) {
  words = rule.marks ? Words::kMarks : Words::kSpaces;
}

Index Settings::pairs_to_hold_out(Index pairs) const {
  if (text.empty() || !valid_text.empty()) return 0;
  return hold_out.value_or(usual_held_out_pairs(pairs));
}

Settings preset_settings(const std::string& name) {
  std::optional<Recipe> recipe = preset_recipe(name);
  if (!recipe) {
    throw UsageError("unknown preset \"" + name +
                     "\"; there are page, nano, toy, parser, tiny, small, base and big");
  }
  Settings settings;
  static_cast<Recipe&>(settings) = std::move(*recipe);
  settings.preset = name;
  settings.training.learning_rate.d_model = settings.model.d_model;
  return settings;
}

Settings preset_settings(const Arguments& arguments) {
  return preset_settings(given_value(arguments, "--preset").value_or(Settings().preset));
}

std::optional<std::string> given_value(const Arguments& arguments, const std::string& option) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].starts_with(option + "=")) return arguments[i].substr(option.size() + 1);
    if (arguments[i] == option) return i + 1 < arguments.size() ? arguments[i + 1] : "";
  }
  return std::nullopt;
}

Settings parse_settings(const Arguments& arguments, Settings defaults) {
  CommandLine line = train_command_line(defaults);
  expect_no_more(line.parse(arguments));
  defaults.valid_text.columns = defaults.text.columns;
  defaults.training.learning_rate.d_model = defaults.model.d_model;
  defaults.training.seed = static_cast<std::uint64_t>(defaults.seed);
  return defaults;
}

Settings parse_settings(const Arguments& arguments) {
  return parse_settings(arguments, preset_settings(arguments));
}

Arguments to_arguments(Settings settings) {
  settings.resume = settings.overwrite = false;
  settings.set_word_rule(settings.word_rule());
  const auto make_absolute = [](std::string& path) {
    if (!path.empty() && path != kStandardInput) path = to_text(std::filesystem::absolute(to_path(path)));
  };
  for (CorpusFiles* files : {&settings.text, &settings.valid_text}) {
    for (auto* paths : {&files->source, &files->target, &files->pairs})
      std::for_each(paths->begin(), paths->end(), make_absolute);
  }
  make_absolute(settings.from);
  make_absolute(settings.treebank);
  make_absolute(settings.valid_treebank);
  return train_command_line(settings).arguments();
}

std::string train_help(const Arguments& arguments) {
  Settings settings = preset_settings(arguments);
  return train_command_line(settings).help();
}

}  // namespace plainformer
