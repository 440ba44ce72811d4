#include "train/recipe_for_text.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>

#include "core/number_text.h"
#include "core/split.h"
#include "data/parallel_corpus.h"
#include "report/number_format.h"
#include "train/starting_model.h"
#include "train/train_settings.h"
#include "train/trial_steps.h"

namespace plainformer {

namespace {

// True for "--steps 7" and "--steps=7".
bool gives(const Arguments& arguments, const std::string& option) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
    return argument == option || argument.starts_with(option + "=");
  });
}

void leave_out(const std::string& option, Arguments& arguments) {
  const auto at = std::find(arguments.begin(), arguments.end(), option);
  if (at != arguments.end()) arguments.erase(at, at + 2);
}

// Sets an option of a recipe, whose first is the preset.
void set_option(const std::string& option, const std::string& value, Arguments& arguments) {
  const auto at = std::find(arguments.begin(), arguments.end(), option);
  if (at != arguments.end())
    at[1] = value;
  else
    arguments.insert(arguments.begin() + 2, {option, value});
}

// The time that a run may take, and what of a recipe fits in it.
class Minutes {
 public:
  // Keeps references.
  Minutes(const Arguments& given, const ParallelCorpus& text) : given_(given), text_(text) {
    const TrainSettings settings = parse_train_settings(given);
    minutes_ = settings.minutes;
    if (minutes_ > 0 && !settings.from.empty()) of_model_ = model_options(ModelFolder(settings.from));
  }

  TextRecipe recipe() {
    const Index pairs = std::ssize(text_.pairs());
    if (minutes_ == 0) return recipe_for_text(pairs);
    return recipe_that_fits(pairs,
                            [&](const TextRecipe& recipe) { return steps_that_fit(times_of(recipe)); });
  }

  // Makes the recipe fit, except for the options that are given. Returns a line that says what fits, or nothing.
  std::string fit(TextRecipe& recipe) {
    if (minutes_ == 0) return "";
    const TrainSettings settings = settings_of(recipe);
    const TrialTimes times = times_of(recipe);
    const Index steps = steps_that_fit(times);
    const Arguments options = options_for_steps(settings, steps, validations_that_fit(times));
    for (std::size_t i = 0; i < options.size(); i += 2)
      if (!gives(given_, options[i])) set_option(options[i], options[i + 1], recipe.options);
    return "--minutes " + shortest_text(minutes_) + ": " + describe(settings.training.steps, steps) +
           ", by a trial on this machine\n";
  }

 private:
  TrainSettings settings_of(const TextRecipe& recipe) const {
    Arguments defaults = recipe.options;
    defaults.insert(defaults.end(), of_model_.begin(), of_model_.end());
    return parse_train_settings(defaults, given_);
  }

  // Tries each recipe once.
  TrialTimes times_of(const TextRecipe& recipe) {
    const auto [entry, is_new] = trials_.try_emplace(recipe.options);
    if (is_new) entry->second = try_steps(settings_of(recipe), text_);
    return entry->second;
  }

  // Four fifths of the time are for steps, and the rest for validations.
  Index steps_that_fit(const TrialTimes& times) const {
    constexpr double kShareOfSteps = 0.8;
    return static_cast<Index>(std::clamp(kShareOfSteps * 60 * minutes_ / times.a_step, 1.0, 1e9));
  }
  Index validations_that_fit(const TrialTimes& times) const {
    constexpr double kShareOfValidations = 0.2, kMost = 5;
    const double fit = kShareOfValidations * 60 * minutes_ / std::max(times.a_validation, 1e-9);
    return static_cast<Index>(std::clamp(fit, 1.0, kMost));
  }

  static std::string describe(Index all, Index fit) {
    return fit >= all ? "all " + std::to_string(all) + " steps fit"
                      : "about " + std::to_string(fit) + " of " + std::to_string(all) +
                            " steps fit, for which the recipe has its warm-up and its validations";
  }

  const Arguments& given_;
  const ParallelCorpus& text_;
  double minutes_ = 0;
  Arguments of_model_;
  std::map<Arguments, TrialTimes> trials_;
};

}  // namespace

TextRecipe recipe_to_go_on(Index pairs) {
  const std::string options =
      pairs < 10'000
          ? "--preset toy --batch-tokens 512 --learning-rate-scale 0.03 --warmup 50 --steps 1000 "
            "--validate-every 50 --checkpoint-every 50 --valid-bleu 100 --best-by bleu --patience 4"
          : "--preset tiny --learning-rate-scale 0.2 --best-by bleu --patience 5";
  return {.options = split_at(' ', options),
          .reason = "a trained model needs few and small steps, and forgets more by large ones"};
}

TextRecipe recipe_for_text(Index pairs) {
  const auto recipe = [](const char* options, const char* reason) -> TextRecipe {
    return {.options = split_at(' ', options), .reason = reason};
  };
  if (pairs < 1'000)
    return recipe(
        "--preset toy --merges 1000 --batch-tokens 512 --dropout 0.4 --warmup 200 --steps 2000 "
        "--validate-every 50 "
        "--checkpoint-every 50 --valid-bleu 100 --best-by bleu --patience 10",
        "very little text, so the model is small, and more dropout keeps it from learning the text by heart");
  if (pairs < 10'000)
    return recipe(
        "--preset toy --merges 2000 --batch-tokens 1024 --dropout 0.3 --learning-rate-scale 1 --warmup 400 "
        "--steps "
        "6000 --valid-bleu 300 --best-by bleu --patience 10",
        "little text, so the model and its batches are small, and words are cut into small pieces");
  if (pairs < 100'000)
    return recipe("--preset tiny --best-by bleu",
                  "a text as long as Multi30k, for which this preset was made");
  return recipe("--preset small --patience 10", "text enough for a larger model and more steps");
}

TextRecipe recipe_that_fits(Index pairs, const std::function<Index(const TextRecipe&)>& steps_that_fit) {
  constexpr Index kLeast = 10;  // the share of its steps that a recipe needs
  for (const Index fewer : {pairs, Index{99'999}, Index{9'999}}) {
    if (fewer > pairs) continue;
    TextRecipe recipe = recipe_for_text(fewer);
    const Index steps = parse_train_settings(recipe.options).training.steps;
    if (fewer >= 10'000 && steps_that_fit(recipe) * kLeast < steps) continue;
    if (fewer != pairs)
      recipe.reason = "the recipe for fewer pairs, because of a larger model too few steps fit in --minutes";
    return recipe;
  }
  return recipe_for_text(pairs);
}

Arguments options_for_steps(const TrainSettings& settings, Index steps, Index validations) {
  const TrainingOptions& training = settings.training;
  if (steps >= training.steps) return {};
  Arguments options;
  const auto add_at_most = [&](const char* option, Index usual, Index most) {
    if (usual <= std::max<Index>(1, most)) return false;
    options.insert(options.end(), {option, std::to_string(std::max<Index>(1, most))});
    return true;
  };
  const Index warmup = training.learning_rate.warmup_steps;
  if (add_at_most("--warmup", warmup, steps / 5)) {
    const double shorter = static_cast<double>(std::max<Index>(1, steps / 5)) / static_cast<double>(warmup);
    options.insert(options.end(), {"--learning-rate-scale",
                                   format_fixed(training.learning_rate.scale * std::sqrt(shorter), 3)});
  }
  add_at_most("--validate-every", training.validate_every, steps / validations);
  add_at_most("--checkpoint-every", training.checkpoint_every, steps / 10);
  return options;
}

Arguments recipe_for_run(const Arguments& arguments) {
  const TrainSettings settings = parse_train_settings(arguments);
  if (settings.text.empty() || gives(arguments, "--preset")) return {};
  settings.check();
  const ParallelCorpus text = ParallelCorpus::load(settings.text, settings.word_rule);
  const Index pairs = std::ssize(text.pairs());
  Minutes minutes(arguments, text);
  TextRecipe recipe = settings.from.empty() ? minutes.recipe() : recipe_to_go_on(pairs);
  // Without validations there is nothing to lose patience with.
  const bool validates = settings.training.validate_every > 0 && settings.may_have_validation_text() &&
                         (!settings.valid_text.empty() || settings.pairs_to_hold_out(pairs) > 0);
  if (gives(arguments, "--steps") || !validates) {
    leave_out("--patience", recipe.options);
    leave_out("--best-by", recipe.options);
  }
  if (gives(arguments, "--valid-bleu") && settings.valid_bleu == 0) leave_out("--best-by", recipe.options);
  const std::string plan = minutes.fit(recipe);
  std::cerr << "recipe: " << join(" ", recipe.options) << " (" << count_of(pairs, "pair") << ": "
            << recipe.reason << "; an option given replaces its value, --preset NAME all)\n"
            << plan;
  return recipe.options;
}

}  // namespace plainformer
