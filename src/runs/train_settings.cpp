#include "runs/train_settings.h"

#include <algorithm>
#include <filesystem>

#include "command_line/command_support.h"
#include "core/check.h"
#include "core/input_error.h"
#include "core/number_text.h"
#include "core/special_symbols.h"
#include "data/byte_pair_encoding.h"
#include "data/toy/toy_grammar.h"
#include "model_folder/metadata.h"
#include "ops/precision.h"
#include "platform/platform.h"
#include "transformer/dropout_state.h"

namespace plainformer {

namespace {

// The value of --preset, or another.
std::string preset_in(const Arguments& arguments, std::string preset) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--preset" && i + 1 < arguments.size()) preset = arguments[i + 1];
    if (arguments[i].rfind("--preset=", 0) == 0) preset = arguments[i].substr(9);
  }
  return preset;
}

void add_data_options(CommandLine& line, TrainSettings& s) {
  line.section("Data");
  line.option("--source", "FILE", &s.source, "text to translate from, one sentence per line");
  line.option("--target", "FILE", &s.target, "its translation; line i translates line i of the source");
  line.option("--valid-source", "FILE", &s.valid_source,
              "held-out text, which decides which weights are kept");
  line.option("--valid-target", "FILE", &s.valid_target, "its translation");
  line.option(
      "--treebank", "FILE", &s.treebank,
      "trees to learn to parse (6.3), in the Penn Treebank's format, in place of --source and --target");
  line.option("--valid-treebank", "FILE", &s.valid_treebank, "held-out trees");
  line.option("--merges", "N", &s.merges, "merges of byte pair encoding, joint for both languages");
  line.option("--max-tokens", "N", &s.max_tokens, "leave longer sentences out of training");
  line.option("--toy-pairs", "N", &s.toy_pairs,
              "sentence pairs of the built-in grammar, used without --source and --treebank");
}

void add_training_options(CommandLine& line, TrainSettings& s) {
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
  line.option("--attention-dropout", "X", &t.attention_dropout,
              "probability of dropping an attention weight");
  line.option("--head-dropout", "X", &s.head_dropout, "probability of dropping a whole head of a sentence");
  line.option("--attention-penalty", "X", &s.attention_penalty,
              "factor on the sum of the squared attention weights, which joins the loss");
  line.option("--label-smoothing", "X", &t.label_smoothing, "epsilon_ls");
  line.option("--clip-norm", "X", &t.clip_norm, "scale longer gradients down to this norm; 0: never");
  line.option("--seed", "N", &s.seed, "seed of weights, data order and dropout");
}

void add_options_beyond_the_paper(CommandLine& line, TrainSettings& s) {
  line.section("Beyond the paper, for little text");
  line.option("--r-drop", "X", &s.r_drop,
              "train on two passes whose dropout differs, and let them agree: alpha, such as 5");
  line.option("--bpe-dropout", "X", &s.bpe_dropout,
              "probability of leaving out a merge, so that words are cut another way in each epoch");
  line.option("--word-dropout", "X", &s.word_dropout, "probability of reading <unk> in place of a token");
  line.option("--layer-drop", "X", &s.layer_drop,
              "probability of leaving out a layer in a pass over a batch");
}

void add_checkpoint_options(CommandLine& line, TrainSettings& s) {
  line.section("Validation and checkpoints");
  line.option("--validate-every", "N", &s.training.validate_every,
              "steps between validations; 0: validate only at the end");
  line.option("--valid-bleu", "N", &s.valid_bleu,
              "translate the first N validation pairs at each validation, greedily, for BLEU; 0: none");
  line.option("--checkpoint-every", "N", &s.training.checkpoint_every, "steps between checkpoints");
  line.option("--keep", "N", &s.keep, "checkpoints to keep, and to average at the end");
}

void add_run_options(CommandLine& line, TrainSettings& s) {
  line.section("Run");
  line.option("--out", "DIR", &s.out, "the model folder");
  line.option("--minutes", "X", &s.minutes, "stop after this many minutes; 0: never");
  line.option("--resume", "", &s.resume,
              "continue from the folder's last checkpoint, with the options of that run; options given now "
              "replace them, except those of the model");
  line.option("--overwrite", "", &s.overwrite, "replace the model that the folder holds");
  add_threads_option(line, &s.threads);
  add_plain_option(line, &s.plain);
  add_precision_option(line, &s.precision);
}

CommandLine bind(TrainSettings& settings) {
  CommandLine line(
      "plainformer train --source FILE --target FILE --out DIR [options]\n"
      "       plainformer train --preset parser --treebank FILE --out DIR\n"
      "       plainformer train --preset toy --out DIR\n"
      "       plainformer train --resume --out DIR",
      "Trains a Transformer on two text files, where line i translates line i, and writes a model folder.");
  add_recipe_options(line, settings);
  add_run_options(line, settings);
  return line;
}

// "label smoothing" -> "--label-smoothing".
std::string option_of(std::string quantity) {
  std::replace(quantity.begin(), quantity.end(), ' ', '-');
  return "--" + quantity;
}

// A factor on what is added to the loss.
void require_factor(const std::string& option, double value, const std::string& hint) {
  if (value >= 0 && value <= 1e6) return;
  throw input_error(option, shortest_text(value) + " is out of range", hint);
}

void check_training(const TrainingOptions& training) {
  require_between("--accumulate", training.accumulate, 1, DropoutState::kMostBatches);
  // `variations --rows big` triples the steps; the product still fits 32 bits.
  constexpr Index kMaxSteps = 500'000'000;
  require_between("--steps", training.steps, 1, kMaxSteps);
  require_at_least("--validate-every", training.validate_every, 0);
  require_at_least("--checkpoint-every", training.checkpoint_every, 1);
  if (const std::optional<OutOfRange> bad = training.first_out_of_range()) {
    throw input_error(option_of(bad->quantity), shortest_text(bad->value) + " is out of range", bad->hint);
  }
}

}  // namespace

void add_model_options(CommandLine& line, TrainSettings& s) {
  line.section("Model (3)");
  line.option("--preset", "NAME", &s.preset,
              "nano, toy, parser, tiny, small, base or big: the defaults of all other options");
  line.option("--encoder-layers", "N", &s.model.encoder_layers, "encoder layers");
  line.option("--decoder-layers", "N", &s.model.decoder_layers, "decoder layers");
  line.option("--d-model", "N", &s.model.d_model, "width of every layer's output");
  line.option("--d-ff", "N", &s.model.d_ff, "width inside the feed-forward networks");
  line.option("--heads", "N", &s.model.heads,
              "attention heads; must divide d-model, unless d-k and d-v are given");
  line.option("--d-k", "N", &s.model.d_k, "columns of each head's queries and keys; 0: d-model / heads");
  line.option("--d-v", "N", &s.model.d_v, "columns of each head's values; 0: d-model / heads");
  line.option("--positions", "NAME", &s.positions,
              "sinusoidal, or learned: a vector for each position, up to max-length");
  line.option("--max-length", "N", &s.model.max_length, "longest sequence that the model can read or write");
}

void TrainSettings::check() const {
  require_option("--out", out);
  if (source.empty() != target.empty()) throw UsageError("--source and --target belong together");
  if (valid_source.empty() != valid_target.empty())
    throw UsageError("--valid-source and --valid-target belong together");
  if (!treebank.empty() && !(source.empty() && valid_source.empty()))
    throw UsageError("--treebank takes the place of --source, --target, --valid-source and --valid-target");
  if (treebank.empty() && !valid_treebank.empty()) throw UsageError("--valid-treebank needs --treebank");
  if (uses_toy_grammar() && !valid_source.empty())
    throw UsageError("--valid-source and --valid-target need --source and --target");
  if (uses_toy_grammar() && toy_pairs == 0) {
    throw UsageError(
        "--source and --target, or --treebank, are required (or --preset toy for the built-in grammar)");
  }
  require_between("--merges", merges, 0, BytePairEncoding::kMaxMerges);
  require_at_least("--batch-tokens", batch_tokens, 1);
  require_at_least("--max-tokens", max_tokens, 1);
  require_below_one("--bpe-dropout", bpe_dropout);
  require_below_one("--word-dropout", word_dropout);
  require_below_one("--layer-drop", layer_drop);
  require_below_one("--head-dropout", static_cast<Real>(head_dropout));
  require_factor("--r-drop", r_drop, "0 means none, 5 is usual; at most a million");
  require_factor("--attention-penalty", attention_penalty, "0 means none; at most a million");
  require_between("--toy-pairs", toy_pairs, 0, kMaxToyPairs - 2 * toy_held_out);
  require_at_least("--valid-bleu", valid_bleu, 0);
  require_at_least("--keep", keep, 1);
  require_at_least("--seed", seed, 0);
  require_at_least("--threads", threads, 0);
  if (!(minutes >= 0)) {
    throw input_error("--minutes", detail::concatenate(minutes, " is out of range"),
                      "choose at least 0, which means no limit");
  }
  find_precision(precision, "--precision");
  check_training(training);
  if (r_drop > 0 && !has_dropout())
    throw UsageError(
        "--r-drop compares two passes that differ by their dropout: it needs --dropout, --attention-dropout "
        "or "
        "--head-dropout above 0");
  ModelConfig with_vocabulary = model;
  with_vocabulary.vocab = kSpecialSymbols + 1;  // the real size is known only when the data is read
  with_vocabulary.check("the model");
}

TrainSettings preset_settings(const std::string& name) {
  std::optional<Recipe> recipe = preset_recipe(name);
  if (!recipe) {
    throw UsageError("unknown preset \"" + name +
                     "\"; there are nano, toy, parser, tiny, small, base and big");
  }
  TrainSettings settings;
  static_cast<Recipe&>(settings) = std::move(*recipe);
  settings.preset = name;
  return settings;
}

void add_recipe_options(CommandLine& line, TrainSettings& settings) {
  add_data_options(line, settings);
  add_model_options(line, settings);
  add_training_options(line, settings);
  add_options_beyond_the_paper(line, settings);
  add_checkpoint_options(line, settings);
}

TrainSettings preset_settings(const Arguments& arguments, const std::string& otherwise) {
  const std::string name = preset_in(arguments, otherwise);
  const bool is_known = preset_recipe(name).has_value();
  return preset_settings(wants_help(arguments) && !is_known ? otherwise : name);
}

void copy_shared_values(TrainSettings& settings) {
  settings.model.positions = positions_from(settings.positions, "the model");
  settings.training.learning_rate.d_model = settings.model.d_model;
  settings.training.seed = static_cast<std::uint64_t>(settings.seed);
}

TrainSettings parse_train_settings(const Arguments& arguments, const Arguments& later) {
  TrainSettings settings = preset_settings(later, preset_in(arguments, TrainSettings().preset));
  CommandLine line = bind(settings);
  expect_no_more(line.parse(arguments));
  expect_no_more(line.parse(later));
  copy_shared_values(settings);
  return settings;
}

Arguments to_arguments(TrainSettings settings) {
  settings.resume = settings.overwrite = false;
  for (std::string* text : {&settings.source, &settings.target, &settings.valid_source,
                            &settings.valid_target, &settings.treebank, &settings.valid_treebank}) {
    if (!text->empty()) *text = to_text(std::filesystem::absolute(to_path(*text)));
  }
  return bind(settings).arguments();
}

std::string train_help(const Arguments& arguments) {
  TrainSettings settings = preset_settings(arguments, TrainSettings().preset);
  return bind(settings).help();
}

}  // namespace plainformer
