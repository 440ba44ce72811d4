#include "train/recipes.h"

#include <algorithm>
#include <iostream>

#include "data/parallel_corpus.h"
#include "data/words.h"
#include "report/command_line.h"
#include "report/numbers.h"
#include "train/run_record.h"

namespace plainformer {

namespace {

constexpr Index kVeryFewPairs = 1'000;

// The recipe to go on from a trained model with this number of pairs.
TextRecipe recipe_to_go_on(Index pairs) {
  Settings s = preset_settings(pairs < 10'000 ? "toy" : "tiny");
  s.best_by = Settings::BestBy::kBleu;
  if (pairs < 10'000) {
    s.batch_tokens = 512;
    s.training.dropout = 0.1;
    s.training.learning_rate.scale = 0.03;
    s.training.learning_rate.warmup_steps = 50;
    s.training.steps = 1000;
    s.training.validate_every = s.training.checkpoint_every = 50;
    s.valid_bleu = 100;
    s.patience = 4;
  } else {
    s.training.learning_rate.scale = 0.2;
    s.patience = 5;
  }
  return {s, "a trained model needs few and small steps, and forgets more by large ones"};
}

// Whether at least half of the pairs have the same digits on both sides: of numbers, dates or codes.
bool copies_numbers(const ParallelCorpus& corpus) {
  const auto copies = std::count_if(corpus.pairs().begin(), corpus.pairs().end(), [](const auto& pair) {
    const std::string digits = digits_of(pair.source);
    return !digits.empty() && digits == digits_of(pair.target);
  });
  return 2 * copies >= std::ssize(corpus.pairs());
}

// Drops the defaults that do not fit what the arguments ask for.
void take_back(const Arguments& arguments, bool has_validation_text, Settings& defaults) {
  const Settings now = parse_settings(arguments, defaults);
  const bool validates = has_validation_text && now.training.validate_every > 0;
  if (given_value(arguments, "--steps") || !validates) defaults.patience = 0;
  if (!has_validation_text || now.valid_bleu == 0) defaults.best_by = Settings::BestBy::kLoss;
  if (now.frames == 0) defaults.frame_source = defaults.frame_target = "";
}

// Chooses the recipe for the text, and prints it.
Settings recipe_for_run(const Arguments& arguments, const Settings& given) {
  given.check();
  const ParallelCorpus corpus = ParallelCorpus::load(given.text, given.word_rule());
  const Index pairs = std::ssize(corpus.pairs());
  TextRecipe recipe = given.from.empty()
                          ? recipe_for_text(pairs, pairs < kVeryFewPairs && copies_numbers(corpus))
                          : recipe_to_go_on(pairs);
  take_back(arguments, !given.valid_text.empty() || given.pairs_to_hold_out(pairs) > 0, recipe.settings);
  if (given_value(arguments, "--dropout") && given.training.dropout == 0) recipe.settings.r_drop = 0;
  std::cerr << "recipe: " << describe_recipe(recipe.settings) << " (" << count_of(pairs, "pair") << ": "
            << recipe.reason << "; an option given replaces its value, --preset NAME all)\n";
  return recipe.settings;
}

}  // namespace

TextRecipe recipe_for_text(Index pairs, bool copies_numbers) {
  Settings s = preset_settings(pairs < 10'000 ? "toy" : pairs < 100'000 ? "tiny" : "small");
  if (pairs < 10'000 || pairs >= 100'000) s.patience = 10;
  if (pairs < 100'000) s.best_by = Settings::BestBy::kBleu;
  if (pairs >= 100'000) return {s, "text enough for a larger model and more steps"};
  if (pairs >= 10'000) {
    s.training.dropout = 0.2;
    s.r_drop = 5;
    s.training.steps = 7500;
    return {s, "a text like Multi30k, where R-Drop with less dropout gained 1.5 BLEU"};
  }
  s.fresh_copies = true;
  if (pairs >= kVeryFewPairs) {
    s.training.dropout = 0.3;
    s.training.learning_rate.scale = 1;
    s.training.learning_rate.warmup_steps = 400;
    s.training.steps = 6000;
    s.training.validate_every = s.training.checkpoint_every = 250;
    s.valid_bleu = 300;
    return {s, "little text, so the model and its batches are small, and words are cut into small pieces"};
  }
  s.merges = 1000;
  s.batch_tokens = 512;
  s.training.dropout = copies_numbers ? 0.2 : 0.4;
  s.training.learning_rate.warmup_steps = 200;
  s.training.steps = 4000;
  s.training.validate_every = s.training.checkpoint_every = 50;
  s.valid_bleu = 100;
  s.patience = 20;
  if (copies_numbers) return {s, "very little text, so the model is small, and it copies numbers"};
  return {s, "very little text, so the model is small, and much dropout keeps it from learning by heart"};
}

std::string describe_recipe(const Settings& settings) {
  const Arguments all = to_arguments(settings), usual = to_arguments(preset_settings(settings.preset));
  std::string text = "--preset " + settings.preset;
  for (std::size_t i = 0; i + 1 < all.size(); i += 2)
    if (all[i + 1] != usual[i + 1]) text += " " + all[i] + " " + all[i + 1];
  return text;
}

void use_model(const LoadedModel& model, Settings& settings) {
  const Real epsilon = settings.model.layer_norm_epsilon;
  settings.model = model.transformer->config();
  settings.model.vocab = 0;
  settings.model.layer_norm_epsilon = epsilon;
  settings.merges = model.byte_pairs.merges();
  settings.set_word_rule(model.words);
}

Settings settings_of_new_run(const Arguments& arguments) {
  const Settings given = parse_settings(arguments);
  const bool needs_recipe = !given.text.empty() && !given_value(arguments, "--preset");
  Settings defaults = needs_recipe ? recipe_for_run(arguments, given) : preset_settings(arguments);
  if (!given.from.empty()) use_model(load_model(ModelFolder(given.from)), defaults);
  return parse_settings(arguments, defaults);
}

Settings settings_of_resumed_run(const Arguments& given, const Settings& now) {
  if (now.overwrite) throw UsageError("--resume and --overwrite exclude each other");
  if (!now.from.empty())
    throw UsageError("--from begins a run and --resume goes on with one: leave one of them out");
  require_option("--out", now.out);
  Settings before = read_run_settings(ModelFolder(now.out));
  take_back(given, /*has_validation_text=*/true, before);
  Settings settings = parse_settings(given, before);
  if (settings.preset != before.preset || settings.merges != before.merges)
    throw UsageError("--preset and --merges cannot change with --resume: the model depends on them");
  if (settings.word_rule() != before.word_rule())
    throw UsageError("--words cannot change with --resume: the model depends on it");
  return settings;
}

}  // namespace plainformer
