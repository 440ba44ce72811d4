#include "driver.h"

#include <limits>

#include "training/training_loop.h"

namespace plainformer::course {

namespace {

const ModelConfig kTiny = {.d_model = 4,
                           .d_ff = 6,
                           .heads = 2,
                           .encoder_layers = 1,
                           .decoder_layers = 1,
                           .vocab = 9,
                           .max_length = 8};

TrainingOptions options_of(Index steps, double dropout) {
  TrainingOptions options;
  options.dropout = dropout;
  options.learning_rate = {.d_model = 4, .warmup_steps = 3};
  options.steps = steps;
  options.accumulate = 2;
  return options;
}

// Epochs of three batches, the second with more tokens than the others, and padding.
BatchSource three_batches(std::vector<double>& taken) {
  return {.begin_epoch =
              [&taken](Index epoch) {
                taken.push_back(static_cast<double>(-1 - epoch));
                return 3;
              },
          .batch =
              [&taken](Index index) {
                taken.push_back(static_cast<double>(index));
                const int token = static_cast<int>(4 + index);
                if (index != 1) return TranslationBatch::from({{token}}, {{token + 1}});
                return TranslationBatch::from({{token, 4, 8}, {6}}, {{token, 7, 6}, {5}});
              }};
}

struct Run {
  Transformer model{kTiny, 1};
  Adam adam{model.parameters(), {}};
  TrainingProgress progress;
  std::vector<double> taken, reports;
  double validations = 0, checkpoints = 0;
  TrainingHooks hooks;

  void train_with(const TrainingOptions& options) {
    hooks.stop = [this] { return progress.attempts == 6; };
    hooks.after_step = [this](const StepReport& report) {
      reports.insert(reports.end(), {report.loss, report.log_probability, report.grad_norm,
                                     report.learning_rate, static_cast<double>(report.target_tokens)});
    };
    hooks.validate = [this] { ++validations; };
    hooks.save_checkpoint = [this] { ++checkpoints; };
    train(model, adam, progress, options, three_batches(taken), hooks);
  }
};

void batches() {
  Run run;
  run.train_with(options_of(3, 0));
  show("batches taken, each epoch begun", run.taken);
  run.train_with(options_of(5, 0));
  show("and after a stop", run.taken);
  run.train_with(options_of(6, 0));
  show("complete epochs", static_cast<double>(run.progress.epoch));
}

void steps() {
  Run run;
  run.train_with(options_of(3, 0));
  show("loss, log-probability, norm, rate, tokens", run.reports);
  show("embedding", run.model.embedding.value);
}

void steps_with_dropout() {
  Run run;
  TrainingOptions options = options_of(3, 0.5);
  options.learning_rate.scale = 1e-30;  // so that only the masks change
  run.train_with(options);
  show("reports with dropout", run.reports);
}

void clipping() {
  for (const double norm : {0.01, 100.0}) {
    Run run;
    TrainingOptions options = options_of(1, 0);
    options.clip_norm = norm;
    run.train_with(options);
    show(norm < 1 ? "clipped" : "not clipped", run.adam.first_moments()[0]);
  }
}

void skipped_steps() {
  Run run;
  run.model.embedding.value.mutable_data()[0] = std::numeric_limits<Real>::infinity();
  TrainingOptions options = options_of(2, 0);
  options.validate_every = options.checkpoint_every = 1;
  run.train_with(options);
  const double numbers[] = {static_cast<double>(run.adam.steps()), run.validations, run.checkpoints};
  show("updates, validations and checkpoints of steps that are not finite", numbers);

  // The first step is skipped, the second one is not, and drops other elements.
  Run of_two;
  const Tensor sound = random_input(of_two.model.embedding.value.shape(), 1'000);
  of_two.model.embedding.value.mutable_data()[0] = std::numeric_limits<Real>::infinity();
  TrainingOptions with_dropout = options_of(1, 0.5);
  of_two.hooks.after_step = [&](const StepReport& report) {
    of_two.reports.push_back(report.skipped() ? -1 : report.loss);
    of_two.model.embedding.value = sound;
  };
  train(of_two.model, of_two.adam, of_two.progress, with_dropout, three_batches(of_two.taken), of_two.hooks);
  show("losses of a skipped step and of the next", of_two.reports);
}

void validation() {
  const Transformer model(kTiny, 1);
  const CrossEntropy sums =
      evaluate(model, TranslationBatch::from({{4, 5, 6}, {7}}, {{5, 6}, {8, 4, 7}}), 0.1);
  const double numbers[] = {sums.loss, sums.log_probability, static_cast<double>(sums.rows)};
  show("sums", numbers);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"Epochs::next", batches},
          {"train", steps},
          {"train, with dropout", steps_with_dropout},
          {"train, with clipping", clipping},
          {"train, where numbers are not finite", skipped_steps},
          {"evaluate", validation}};
}

}  // namespace plainformer::course
