#include "runs/recipe_for_text.h"

#include <algorithm>
#include <iostream>

#include "core/split.h"
#include "data/parallel_corpus.h"
#include "report/number_format.h"
#include "runs/train_settings.h"

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

}  // namespace

TextRecipe recipe_to_go_on(Index pairs) {
  const std::string options =
      pairs < 10'000 ? "--preset toy --batch-tokens 512 --learning-rate-scale 0.03 --warmup 50 --steps 1000 "
                       "--validate-every 50 --checkpoint-every 50 --patience 4"
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

Arguments recipe_for_run(const Arguments& arguments) {
  const TrainSettings settings = parse_train_settings(arguments);
  if (settings.text.empty() || gives(arguments, "--preset")) return {};
  settings.check();
  const Index pairs = std::ssize(ParallelCorpus::load(settings.text).pairs());
  TextRecipe recipe = settings.from.empty() ? recipe_for_text(pairs) : recipe_to_go_on(pairs);
  // Without validations there is nothing to lose patience with.
  const bool validates = settings.training.validate_every > 0 && settings.may_have_validation_text() &&
                         (!settings.valid_text.empty() || settings.pairs_to_hold_out(pairs) > 0);
  if (gives(arguments, "--steps") || !validates) {
    leave_out("--patience", recipe.options);
    leave_out("--best-by", recipe.options);
  }
  if (gives(arguments, "--valid-bleu") && settings.valid_bleu == 0) leave_out("--best-by", recipe.options);
  std::cerr << "recipe: " << join(" ", recipe.options) << " (" << count_of(pairs, "pair") << ": "
            << recipe.reason << "; an option given replaces its value, --preset NAME all)\n";
  return recipe.options;
}

}  // namespace plainformer
