#include "train/train_settings.h"

#include <algorithm>
#include <filesystem>

#include "command_line/command_support.h"
#include "core/check.h"
#include "core/input_error.h"
#include "core/number_text.h"
#include "core/special_symbols.h"
#include "core/split.h"
#include "data/byte_pair_encoding.h"
#include "data/held_out_pairs.h"
#include "data/text.h"
#include "data/toy/toy_grammar.h"
#include "model_folder/metadata.h"
#include "ops/precision.h"
#include "platform/platform.h"
#include "train/train_options.h"
#include "train/validation_options.h"
#include "transformer/dropout_state.h"

namespace plainformer {

namespace {

const std::string kUsual = "auto";

// The value of --preset, or another.
std::string preset_in(const Arguments& arguments, std::string preset) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--preset" && i + 1 < arguments.size()) preset = arguments[i + 1];
    if (arguments[i].rfind("--preset=", 0) == 0) preset = arguments[i].substr(9);
  }
  return preset;
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

// Refuses sources without a target for each.
void check_sides(const CorpusFiles& text, const std::string& source, const std::string& target) {
  if (text.source.empty() != text.target.empty())
    throw UsageError(source + " and " + target + " belong together");
  if (text.source.size() != text.target.size())
    throw UsageError(source + " is given " + std::to_string(text.source.size()) + " times and " + target +
                     " " + std::to_string(text.target.size()) + " times: each source needs its target");
}

void check_hold_out(const TrainSettings& settings) {
  if (settings.hold_out == kUsual) return;
  const auto pairs = parse_number<Index>(settings.hold_out);
  if (!pairs || *pairs < 0)
    throw UsageError("--hold-out takes a number of pairs, or auto, not \"" + settings.hold_out + "\"");
  if (*pairs > 0 && !settings.valid_text.empty())
    throw UsageError("--hold-out makes validation text: leave it out, or the files of validation text");
  if (*pairs > 0 && settings.text.empty())
    throw UsageError("--hold-out needs --pairs, or --source and --target");
}

// Standard input can be read once.
void check_standard_input(const TrainSettings& s) {
  Index times = 0;
  for (const CorpusFiles* text : {&s.text, &s.valid_text}) {
    for (const auto* side : {&text->source, &text->target}) {
      if (std::count(side->begin(), side->end(), kStandardInput) > 0)
        throw UsageError(
            "one side alone cannot be standard input: --pairs - reads both, with a tab between them");
    }
    times += std::count(text->pairs.begin(), text->pairs.end(), kStandardInput);
  }
  if (times > 1) throw UsageError("standard input can be one text only, not " + std::to_string(times));
}

void check_text(const TrainSettings& s) {
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
  if (!s.treebank.empty() && s.word_rule.marks)
    throw UsageError("--treebank has words already: leave out --words marks");
  check_hold_out(s);
}

// A resumed run does not read the model that it began with.
void check_from(const TrainSettings& s) {
  if (s.from.empty() || s.resume) return;
  const auto folder = [](const std::string& path) { return to_text((to_path(path) / "").parent_path()); };
  std::error_code error;  // set if one of them does not exist; then they are not the same
  if (!std::filesystem::equivalent(to_path(folder(s.from)), to_path(folder(s.out)), error)) return;
  throw UsageError(
      "--out is the folder of --from: the new model would replace the old one; choose another --out");
}

void check_frames(const TrainSettings& s) {
  require_at_least("--frames", s.frames, 0);
  if (s.frame_source.empty() != s.frame_target.empty())
    throw UsageError("--frame-source and --frame-target belong together");
  if (!s.frame_source.empty() && s.frames == 0) throw UsageError("--frame-source needs --frames N");
}

// "1,2" as the first and the second column.
PairColumns columns_from(const std::string& text) {
  const std::vector<std::string> parts = split_at(',', text);
  const auto column = [&](std::size_t i) {
    return i < parts.size() ? parse_number<Index>(parts[i]).value_or(0) : 0;
  };
  const PairColumns columns = {column(0), column(1)};
  if (parts.size() != 2 || columns.source < 1 || columns.target < 1 || columns.source == columns.target)
    throw UsageError("--columns takes two different numbers from 1, such as 1,2; not \"" + text + "\"");
  return columns;
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

void TrainSettings::check() const {
  require_option("--out", out);
  check_text(*this);
  check_from(*this);
  require_between("--merges", merges, 0, BytePairEncoding::kMaxMerges);
  require_at_least("--batch-tokens", batch_tokens, 1);
  require_at_least("--max-tokens", max_tokens, 1);
  require_factor("--r-drop", r_drop, "0 means none, 5 is usual; at most a million");
  require_between("--toy-pairs", toy_pairs, 0, kMaxToyPairs - 2 * toy_held_out);
  check_validation_options(*this);
  require_at_least("--keep", keep, 1);
  require_at_least("--seed", seed, 0);
  require_at_least("--threads", threads, 0);
  require_at_least("--samples", samples, 0);
  check_frames(*this);
  if (!(minutes >= 0)) {
    throw input_error("--minutes", detail::concatenate(minutes, " is out of range"),
                      "choose at least 0, which means no limit");
  }
  find_precision(precision, "--precision");
  check_training(training);
  if (r_drop > 0 && training.dropout == 0)
    throw UsageError("--r-drop compares two passes that differ by their dropout: it needs --dropout above 0");
  ModelConfig with_vocabulary = model;
  with_vocabulary.vocab = kSpecialSymbols + 1;  // the real size is known only when the data is read
  with_vocabulary.check("the model");
}

bool TrainSettings::reads_standard_input() const {
  const auto has_it = [](const CorpusFiles& files) {
    return std::count(files.pairs.begin(), files.pairs.end(), kStandardInput) > 0;
  };
  return has_it(text) || has_it(valid_text);
}

Index TrainSettings::pairs_to_hold_out(Index pairs) const {
  if (text.empty() || !valid_text.empty()) return 0;
  return hold_out == kUsual ? usual_held_out_pairs(pairs) : parse_number<Index>(hold_out).value();
}

bool TrainSettings::may_have_validation_text() const {
  if (uses_toy_grammar()) return toy_held_out > 0;
  if (!treebank.empty()) return !valid_treebank.empty();
  return !valid_text.empty() || hold_out != "0";
}

TrainSettings preset_settings(const std::string& name) {
  std::optional<Recipe> recipe = preset_recipe(name);
  if (!recipe) {
    throw UsageError("unknown preset \"" + name +
                     "\"; there are page, nano, toy, parser, tiny, small, base and big");
  }
  TrainSettings settings;
  static_cast<Recipe&>(settings) = std::move(*recipe);
  settings.preset = name;
  return settings;
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
  settings.text.columns = settings.valid_text.columns = columns_from(settings.columns);
  std::string words = settings.words, unknown_pieces = settings.unknown_pieces;
  if (words == kUsual) words = settings.text.empty() ? "spaces" : "marks";
  if (unknown_pieces == kUsual) unknown_pieces = words == "marks" ? "cut" : "unk";
  settings.word_rule =
      word_rule_of(words, settings.letter_case, unknown_pieces, "--words, --case and --unknown-pieces");
}

TrainSettings parse_train_settings(const Arguments& arguments, const Arguments& later) {
  TrainSettings settings = preset_settings(later, preset_in(arguments, TrainSettings().preset));
  CommandLine line = train_command_line(settings);
  expect_no_more(line.parse(arguments));
  expect_no_more(line.parse(later));
  copy_shared_values(settings);
  return settings;
}

Arguments to_arguments(TrainSettings settings) {
  settings.resume = settings.overwrite = false;
  settings.words = words_name(settings.word_rule);
  settings.unknown_pieces = unknown_pieces_name(settings.word_rule);
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
  TrainSettings settings = preset_settings(arguments, TrainSettings().preset);
  return train_command_line(settings).help();
}

}  // namespace plainformer
