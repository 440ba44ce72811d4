#include "train/training_run.h"

#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>
#include <utility>

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/special_symbols.h"
#include "core/thread_pool.h"
#include "data/batching.h"
#include "io/atomic_file.h"
#include "kernels/kernels.h"
#include "model_folder/weights.h"
#include "ops/ways.h"
#include "platform/platform.h"
#include "report/numbers.h"
#include "train/recipes.h"
#include "train/run_record.h"
#include "train/training_cost.h"
#include "training/r_drop.h"
#include "training/recomputing.h"

namespace plainformer {

namespace {

// Refuses to replace a model or a file, or to resume where there is nothing to resume.
void check_folder(const Settings& settings, const ModelFolder& folder) {
  if (settings.resume && !std::filesystem::exists(to_path(folder.training_state()))) {
    throw input_error(folder.training_state(), "no such file",
                      "there is nothing to resume; train without --resume");
  }
  if (settings.resume || settings.overwrite) return;
  if (holds_model(folder))
    throw input_error(folder.path, "holds a model already",
                      "choose another --out, or add --resume or --overwrite");
  for (const std::string& file :
       {folder.codes(), folder.vocabulary(), folder.run(), folder.log(), folder.frames()})
    if (std::filesystem::exists(to_path(file)))
      throw input_error(file, "exists already", "choose another --out, or replace it with --overwrite");
}

// The run must not write over its own text, or over the model that it goes on from.
void check_texts(const Settings& settings, const ModelFolder& folder) {
  std::vector<std::string> texts = settings.input_files();
  if (!settings.from.empty() && !settings.resume) {
    const std::vector<std::string> model = ModelFolder(settings.from).model_files();
    texts.insert(texts.end(), model.begin(), model.end());
  }
  for (const std::string& file : {folder.weights(), folder.codes(), folder.vocabulary(), folder.run(),
                                  folder.log(), folder.frames(), folder.training_state(), folder.best()})
    require_no_input(file, texts);
}

// A model keeps its sizes, its merges and its words.
void check_same_model(const Settings& settings, const LoadedModel& model) {
  Settings of_model = settings;
  use_model(model, of_model);
  if (of_model.model != settings.model || of_model.merges != settings.merges ||
      of_model.word_rule() != settings.word_rule())
    throw UsageError(
        "--from keeps the sizes, the merges and the words of its model: leave out the options that change "
        "them");
  const Real epsilon = model.transformer->config().layer_norm_epsilon;
  if (epsilon != settings.model.layer_norm_epsilon)
    throw input_error(ModelFolder(settings.from).weights(),
                      "layer_norm_epsilon is " + shortest_text(epsilon) + ", but training has " +
                          shortest_text(settings.model.layer_norm_epsilon),
                      "go on with a model that 'plainformer train' made");
}

// The trained model whose weights a run starts with; none: fresh weights.
std::unique_ptr<Transformer> load_starting_model(const Settings& settings) {
  if (settings.from.empty() || settings.resume) return nullptr;
  LoadedModel model = load_model(settings.from);
  check_same_model(settings, model);
  if (model.parses == settings.treebank.empty())
    throw input_error(settings.from,
                      model.parses ? "is a parser, and does not translate" : "is a translator, not a parser",
                      "parsers go on with --treebank, translators with --pairs, or --source and --target");
  return std::move(model.transformer);
}

// Makes the model, or restores it. A run without the memory for it fails here, with all files as they were.
State make_state(const Settings& settings, const ModelConfig& model, const Checkpoints& files,
                 std::unique_ptr<Transformer> start) {
  State state(model, settings.training);
  if (settings.resume) files.restore(state);
  if (start) load_weights(state.model, weights_of(*start), settings.from);
  return state;
}

// Writes the record of the run, and for a new run the other files that its checkpoints do not hold.
void write_run(const Settings& settings, const ModelFolder& folder, const Corpora& corpora,
               const EncodedCorpora& encoded) {
  write_run_record(folder, settings, corpora);
  if (settings.resume) return;
  write_file_atomically(folder.codes(), encoded.byte_pairs.to_text());
  write_file_atomically(folder.vocabulary(), encoded.vocabulary.to_text());
}

// Model, data and machine.
void print_summary(const Settings& settings, const EncodedCorpora& corpora, const ModelConfig& model,
                   const std::string& memory) {
  std::cerr << "model: " << describe_sizes(model) << ", "
            << format_count(static_cast<double>(count_weights(model))) << " parameters\n"
            << "data: " << corpora.train.size() << " training pairs, " << corpora.valid.size()
            << " validation pairs\n"
            << "kernels " << kernels().name << ", " << count_of(threads(), "thread")
            << ", plain operations: " << plain_names(ways);
  if (product_precision != Precision::kFloat)
    std::cerr << ", precision " << precision_name(product_precision);
  std::cerr << "\nmemory: " << memory << "\n";
  const std::string references = describe_references(corpora.valid_task, settings.samples);
  if (!references.empty())
    std::cerr << "held-out sentences, and what each should become; validations show their translation"
              << references << "\n";
}

}  // namespace

FinishedRun train_model(const Settings& settings) {
  // Step 1. Check all that needs no text.
  settings.check();
  catch_lost_readers();  // save the run even if its output pipe closes
  settings.compute.use();
  ModelConfig model = settings.model;
  model.vocab = kSpecialSymbols + 1;  // the real size is known only when the data is read
  require_memory(settings, estimate_memory(settings, model, {}), usable_memory_bytes());
  const ModelFolder folder(settings.out);
  check_texts(settings, folder);
  std::unique_ptr<Transformer> start = load_starting_model(settings);

  // Step 2. Read the text.
  Corpora corpora = load_corpora(settings);
  if (!settings.resume) require_whole_words(settings, corpora);

  // Step 3. Take the folder.
  make_folder(folder.path);
  const FolderLock only_this_run(folder.path, "another training run");
  check_folder(settings, folder);
  if (settings.resume) {
    check_same_data(folder, corpora);
    warn_of_other_bits(folder);
  }

  // Step 4. Turn the text into ids.
  report_text(settings, corpora);
  const EncodedCorpora encoded = encode_corpora(settings, folder, corpora);
  model.vocab = encoded.vocabulary.size();
  const TrainingMemory memory = estimate_memory(settings, model, encoded.train);
  require_memory(settings, memory, usable_memory_bytes());
  const std::string memory_text =
      describe_memory(memory, 1e6 * peak_resident_megabytes(), usable_memory_bytes());

  // Step 5. Make the model, or restore it, and write the record of the run.
  catch_interrupts();
  State state = make_state(settings, model, Checkpoints(settings, folder, encoded), std::move(start));
  if (!settings.resume) remove_old_model(folder);
  make_folder(folder.checkpoints());
  TrainingRun run(settings, folder, corpora, encoded, state);
  write_run(settings, folder, corpora, encoded);

  // Step 6. Train.
  print_summary(settings, encoded, state.model.config(), memory_text);
  FinishedRun finished = run.run();
  finished.test = std::move(corpora.test);
  return finished;
}

// ---- the loop and its hooks

TrainingRun::TrainingRun(const Settings& settings, const ModelFolder& folder, const Corpora& text,
                         const EncodedCorpora& corpora, State& state)
    : settings_(settings),
      folder_(folder),
      corpora_(corpora),
      state_(state),
      files_(settings, folder, corpora),
      log_(folder.log(), state.adam.steps(), state.progress.attempts),
      frames_(settings, folder.frames(), text, corpora, state.adam.steps()) {}

FinishedRun TrainingRun::run() {
  bar_.emplace(std::cerr, understands_escapes(2), settings_.training.steps,
               ProgressBarOptions{.unit = "step", .start = steps(), .most_seconds = 60 * settings_.minutes});
  begin();
  make_steps();
  bar_->finish();
  const int signal = finish();
  print_totals();
  return {.signal = signal, .steps = steps(), .out_of_patience = is_out_of_patience()};
}

void TrainingRun::begin() {
  files_.restore_best_weights();
  if (state_.progress.best_step != 0 && !std::filesystem::exists(to_path(folder_.weights()))) {
    bar_->print("model.safetensors is missing, and with it the best weights so far, of step " +
                std::to_string(state_.progress.best_step));
    state_.progress.best_step = 0;
  }
  if (!settings_.from.empty() && !settings_.resume && !corpora_.valid.empty()) {
    const Validation now = measure();
    log_.validation(0, now);
    bar_->print("step 0: " + to_string(now) + " (the model of --from)");
  }
  if (steps() == 0) write([&] { frames_.keep(state_.model, 0, {}); });
  if (has_made_all_steps())
    bar_->print("the run has made " + count_of(steps(), "step") +
                " already, and none is left (hint: a larger --steps goes on)");
}

void TrainingRun::make_steps() {
  const std::uint64_t seed = settings_.training.seed;
  std::vector<SentencePair> fresh;  // the pairs of this epoch, if they change
  BatchSource batches =
      batches_of(settings_.fresh_copies ? fresh : corpora_.train, settings_.batch_tokens, seed);
  if (settings_.fresh_copies)
    batches.begin_epoch = [&, begin = batches.begin_epoch](Index epoch) {
      fresh = with_fresh_copies(corpora_.train, corpora_.vocabulary, seed, static_cast<std::uint64_t>(epoch));
      return begin(epoch);
    };
  const auto train_with_r_drop = [&](auto& model) {
    if (settings_.r_drop == 0)
      return train(model, state_.adam, state_.progress, settings_.training, batches, hooks());
    RDrop with_r_drop(model, settings_.r_drop);
    train(with_r_drop, state_.adam, state_.progress, settings_.training, batches, hooks());
  };
  if (!settings_.recompute) return train_with_r_drop(state_.model);
  RecomputingTransformer recomputing(state_.model);
  train_with_r_drop(recomputing);
}

int TrainingRun::finish() {
  if (is_out_of_patience())
    bar_->print("out of patience after step " + std::to_string(steps()) + ": no validation since step " +
                std::to_string(state_.progress.best_step) + " had " +
                (settings_.best_by == Settings::BestBy::kBleu ? "a higher BLEU" : "a lower loss"));
  if (last_checkpoint_ != steps()) save_checkpoint();
  if (write_error_) std::rethrow_exception(write_error_);
  if (interrupt_signal() != 0) {
    // The folder holds a model even if the run never validated.
    if (state_.progress.best_step == 0) files_.save_best_weights(state_.model);
    return interrupt_signal();
  }

  if (state_.progress.best_step != 0) files_.back_up_best_weights();
  if (last_validation_ != steps()) validate();
  if (write_error_) std::rethrow_exception(write_error_);
  average_checkpoints();
  return 0;
}

TrainingHooks TrainingRun::hooks() {
  return {.stop = [this] { return should_stop(); },
          .after_step = [this](const StepReport& report) { report_step(report); },
          .validate = [this] { validate(); },
          .save_checkpoint = [this] { save_checkpoint(); }};
}

bool TrainingRun::should_stop() const {
  const bool is_out_of_time = settings_.minutes > 0 && seconds() > 60 * settings_.minutes;
  return interrupt_signal() != 0 || is_out_of_time || is_out_of_patience();
}

// Counts from the two steps, because a resumed run knows no more of the earlier validations.
bool TrainingRun::is_out_of_patience() const {
  const Index every = settings_.training.validate_every, best = state_.progress.best_step;
  if (settings_.patience == 0 || every == 0 || best == 0 || std::isinf(state_.progress.best_loss))
    return false;
  return steps() / every - best / every >= settings_.patience;
}

void TrainingRun::report_step(const StepReport& report) {
  if (report.skipped()) {
    log_.skipped(steps(), state_.progress.attempts, report.not_finite);
    bar_->print("step " + std::to_string(steps() + 1) + " skipped: " + report.not_finite + " is not finite");
    return;
  }
  log_.step(steps(), state_.progress.epoch, report, seconds());
  write([&] { frames_.keep(state_.model, steps(), report.loss); });
  const Index tokens = report.source_tokens + report.target_tokens;
  ++steps_made_;
  tokens_read_ += tokens;
  // Running averages, which the first step starts.
  constexpr double kWeightOfThePast = 0.98;
  const double past = steps_made_ == 1 ? 0 : kWeightOfThePast;
  mean_loss_ = past * mean_loss_ + (1 - past) * report.loss;
  mean_tokens_per_second_ =
      past * mean_tokens_per_second_ + (1 - past) * static_cast<double>(tokens) / report.seconds;
  std::ostringstream text;
  text.precision(3);
  text << "loss " << mean_loss_ << "  lr " << report.learning_rate << "  "
       << format_count(mean_tokens_per_second_) << " tok/s";
  bar_->update(steps(), text.str());

  constexpr double kSecondsBetweenSentences = 10;
  const bool shows = settings_.uses_toy_grammar() && settings_.samples > 0 && !corpora_.valid.empty();
  if (shows && seconds() - last_sentence_ > kSecondsBetweenSentences)
    write([&] { show_sentence(); });  // which fails if the model's output is not finite
}

void TrainingRun::show_sentence() {
  TranslationTask first = corpora_.valid_task;
  first.sources.resize(1);
  const std::vector<std::string> translation = translations_of(first, state_.model, corpora_);
  bar_->print("step " + std::to_string(steps()) + ":" + describe_translations(first, translation, 1));
  last_sentence_ = seconds();
}

void TrainingRun::validate() {
  last_validation_ = steps();
  if (corpora_.valid.empty()) return write([&] { files_.save_best_weights(state_.model); });
  const Validation now = measure();
  log_.validation(steps(), now);
  const bool best = is_best(now);
  bar_->print("step " + std::to_string(steps()) + ": " + to_string(now) + (best ? " (best so far)" : "") +
              describe_translations(corpora_.valid_task, now.translations, settings_.samples));
  last_sentence_ = seconds();
  if (!best) return;
  write([&] {
    files_.save_best_weights(state_.model);
    state_.progress.best_loss = deciding_loss(now);
    state_.progress.best_bleu = settings_.best_by == Settings::BestBy::kBleu ? now.bleu : std::nullopt;
    state_.progress.best_step = steps();
  });
}

// The loss without smoothing decides between two that have the same BLEU: the smoothed one still falls when a
// model that makes no more errors only grows more certain, and patience would never end.
double TrainingRun::deciding_loss(const Validation& now) const {
  return settings_.best_by == Settings::BestBy::kBleu ? std::log(now.perplexity) : now.loss;
}

bool TrainingRun::is_best(const Validation& now) const {
  const TrainingProgress& progress = state_.progress;
  if (progress.best_step == 0) return true;
  if (settings_.best_by == Settings::BestBy::kBleu && now.bleu != progress.best_bleu)
    return now.bleu > progress.best_bleu;
  return deciding_loss(now) < progress.best_loss;
}

void TrainingRun::save_checkpoint() {
  write([&] {
    files_.save(state_);
    last_checkpoint_ = steps();
  });
}

void TrainingRun::average_checkpoints() {
  const Index count = files_.average(state_.model, steps());
  if (count == 0) return;

  std::string text = "average of the last " + std::to_string(count) + " checkpoints";
  bool better = true;
  if (!corpora_.valid.empty()) {
    const Validation average = measure();
    log_.average(steps(), count, average);
    better = is_best(average);
    text += ": " + to_string(average) +
            (better ? "; kept"
                    : "; not kept, because step " + std::to_string(state_.progress.best_step) + " is better");
  }
  bar_->print(text);
  if (better) files_.save_best_weights(state_.model);
}

void TrainingRun::write(const std::function<void()>& files) {
  try {
    files();
  } catch (const std::runtime_error& error) {
    if (has_made_all_steps() || should_stop()) {
      write_error_ = std::current_exception();
      return;
    }
    bar_->print(std::string(error.what()) + "; training continues, and the earlier files are kept");
  }
}

void TrainingRun::print_totals() const {
  if (steps_made_ == 0) return;
  std::cerr << count_of(steps_made_, "step") << " in " << format_duration(seconds()) << ", "
            << format_count(static_cast<double>(tokens_read_) / seconds()) << " tokens/s, peak memory "
            << fixed_text(peak_resident_megabytes(), 0) << " MB\n";
}

}  // namespace plainformer
