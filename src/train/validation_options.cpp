#include "train/validation_options.h"

#include "command_line/command_line.h"
#include "core/input_error.h"

namespace plainformer {

void check_validation_options(const TrainSettings& settings) {
  require_at_least("--valid-bleu", settings.valid_bleu, 0);
  require_at_least("--patience", settings.patience, 0);
  const bool has_text = settings.may_have_validation_text();
  if (settings.patience > 0 && (settings.training.validate_every == 0 || !has_text))
    throw UsageError("--patience counts validations: it needs --validate-every above 0, and validation text");
  if (settings.best_by != "loss" && settings.best_by != "bleu")
    throw UsageError("--best-by is loss or bleu, not \"" + settings.best_by + "\"");
  if (settings.compares_bleu() && (settings.valid_bleu == 0 || !has_text))
    throw UsageError(
        "--best-by bleu compares translations: it needs --valid-bleu above 0, and validation text");
}

}  // namespace plainformer
