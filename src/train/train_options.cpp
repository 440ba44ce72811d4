#include "train/train_options.h"

#include "command_line/command_support.h"

namespace plainformer {

namespace {

void add_data_options(CommandLine& line, TrainSettings& s) {
  line.section("Data");
  line.option("--source", "FILE", &s.text.source,
              "text to translate from, one sentence per line; may be repeated, with a --target for each");
  line.option("--target", "FILE", &s.text.target, "its translation; line i translates line i of the source");
  line.option("--pairs", "FILE", &s.text.pairs,
              "both in one file: a sentence, a tab and its translation on each line (TSV); may be repeated; "
              "- is standard input");
  line.option("--valid-source", "FILE", &s.valid_text.source,
              "held-out text, which decides which weights are kept");
  line.option("--valid-target", "FILE", &s.valid_text.target, "its translation");
  line.option("--valid-pairs", "FILE", &s.valid_text.pairs, "held-out text, in one file");
  line.option("--columns", "S,T", &s.columns,
              "the columns of --pairs and --valid-pairs that hold source and target");
  line.option("--hold-out", "N", &s.hold_out,
              "without held-out text: take so many pairs out of the training text for it; auto: a tenth, at "
              "most 1000, of a text of at least 50; 0: none");
  line.option(
      "--treebank", "FILE", &s.treebank,
      "trees to learn to parse (6.3), in the Penn Treebank's format, in place of --source and --target");
  line.option("--valid-treebank", "FILE", &s.valid_treebank, "held-out trees");
  line.option(
      "--words", "NAME", &s.words,
      "how text becomes words: marks, cut so that the cut can be undone; spaces, for text that is "
      "tokenized already; auto: marks for a text of your own, spaces for the built-in grammar and trees");
  line.option("--case", "NAME", &s.letter_case,
              "with --words marks, write capitals as-is, or as marks and small letters");
  line.option("--unknown-pieces", "NAME", &s.unknown_pieces,
              "a piece that the vocabulary lacks is cut, into the fewest that it has, or unk, read as <unk>; "
              "auto: cut with --words marks");
  line.option("--merges", "N", &s.merges, "merges of byte pair encoding, joint for both languages");
  line.option("--max-tokens", "N", &s.max_tokens, "leave longer sentences out of training");
  line.option("--toy-pairs", "N", &s.toy_pairs,
              "sentence pairs of the built-in grammar, used without a text of your own");
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
  line.option("--label-smoothing", "X", &t.label_smoothing, "epsilon_ls");
  line.option("--clip-norm", "X", &t.clip_norm, "scale longer gradients down to this norm; 0: never");
  line.option("--seed", "N", &s.seed, "seed of weights, data order and dropout");
}

void add_options_beyond_the_paper(CommandLine& line, TrainSettings& s) {
  line.section("Beyond the paper, for little text");
  line.option("--r-drop", "X", &s.r_drop,
              "train on two passes whose dropout differs, and let them agree: alpha, such as 5");
}

void add_checkpoint_options(CommandLine& line, TrainSettings& s) {
  line.section("Validation and checkpoints");
  line.option("--validate-every", "N", &s.training.validate_every,
              "steps between validations; 0: validate only at the end");
  line.option("--valid-bleu", "N", &s.valid_bleu,
              "translate the first N validation pairs at each validation, greedily, for BLEU; 0: none");
  line.option(
      "--best-by", "NAME", &s.best_by,
      "the validation whose weights are kept: loss, that of the lowest loss; bleu, that of the highest "
      "BLEU of --valid-bleu, and among equal ones of the lowest loss");
  line.option("--patience", "N", &s.patience,
              "end the training after N validations that are no better than the best before them; 0: never");
  line.option("--checkpoint-every", "N", &s.training.checkpoint_every, "steps between checkpoints");
  line.option("--keep", "N", &s.keep, "checkpoints to keep, and to average at the end");
}

void add_frame_options(CommandLine& line, TrainSettings& s) {
  line.option("--frames", "N", &s.frames,
              "keep where the decoder looks every N steps, for one sentence, in the folder's frames.jsonl; "
              "'plainformer attention --frames DIR' plays them; 0: never");
  line.option("--frame-source", "TEXT", &s.frame_source,
              "the sentence of the frames; without it, a short held-out one");
  line.option("--frame-target", "TEXT", &s.frame_target, "its translation");
}

void add_run_options(CommandLine& line, TrainSettings& s) {
  line.section("Run");
  line.option("--out", "DIR", &s.out, "the model folder");
  line.option("--from", "MODEL", &s.from,
              "go on from the trained model in this folder, with other text: its weights, sizes, merges and "
              "vocabulary, but a new optimizer and schedule, in a folder of its own (--out)");
  line.option("--samples", "N", &s.samples,
              "held-out sentences whose translation each validation prints; 0: none");
  add_frame_options(line, s);
  line.option(
      "--minutes", "X", &s.minutes,
      "stop after this many minutes; 0: never. The recipe without --preset fits in them; with one, choose "
      "--warmup so that the learning rate's peak (5.3) comes in that time");
  line.option("--resume", "", &s.resume,
              "continue from the folder's last checkpoint, with the options of that run; options given now "
              "replace them, except those of the model");
  line.option("--overwrite", "", &s.overwrite, "replace the model that the folder holds");
  add_threads_option(line, &s.threads);
  add_plain_option(line, &s.plain);
  add_precision_option(line, &s.precision);
}

}  // namespace

void add_model_options(CommandLine& line, TrainSettings& s) {
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
  line.option("--positions", "NAME", &s.positions,
              "sinusoidal, or learned: a vector for each position, up to max-length");
  line.option("--max-length", "N", &s.model.max_length, "longest sequence that the model can read or write");
}

void add_recipe_options(CommandLine& line, TrainSettings& settings) {
  add_data_options(line, settings);
  add_model_options(line, settings);
  add_training_options(line, settings);
  add_options_beyond_the_paper(line, settings);
  add_checkpoint_options(line, settings);
}

CommandLine train_command_line(TrainSettings& settings) {
  CommandLine line(
      "plainformer train --pairs FILE --out DIR [options]\n"
      "       plainformer train --source FILE --target FILE --out DIR [options]\n"
      "       plainformer train --preset parser --treebank FILE --out DIR\n"
      "       plainformer train --preset toy --out DIR\n"
      "       plainformer train --from MODEL --pairs FILE --out DIR\n"
      "       plainformer train --resume --out DIR",
      "Trains a Transformer on sentences and their translations, and writes a model folder.");
  add_recipe_options(line, settings);
  add_run_options(line, settings);
  return line;
}

}  // namespace plainformer
