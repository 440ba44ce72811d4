// The model around the head, and sentences drawn from the seed. With SAVE_MODEL=FOLDER, the driver writes each model into a
// folder that `plainformer attention`, `trace` and `translate` can read.
#include "driver.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "core/writable_tensor.h"
#include "decoding/cached_decoder.h"
#include "model_folder/model_folder.h"
#include "seed.h"
#include "weights_by_hand.h"

namespace plainformer::course {

namespace {

using Sentence = std::vector<int>;  // ids, without </s>

constexpr const char* kVocabulary =
    "<pad>\n<s>\n</s>\n<unk>\nbuys\nsees\nreads\nsleeps\nthe\na\nqueen\nking\nbook\nold\nred\n";
constexpr const char* kFunctions[] = {"set_to_copy", "set_to_reverse", "set_to_move_the_verb"};
constexpr int kSentences = 12;

enum Task { kCopy, kReverse, kVerb };

int draw_word(Draw& draw) {
  return static_cast<int>(draw.whole(kLastVerb + 1, kWords - 1));
}

int draw_verb(Draw& draw) {
  return static_cast<int>(draw.whole(kFirstVerb, kLastVerb));
}

Sentence draw_sentence(Task task, Draw& draw) {
  Sentence words(static_cast<std::size_t>(draw.whole(3, kPositions - 1)));
  for (int& word : words) word = task != kVerb && draw.whole(0, 3) == 0 ? draw_verb(draw) : draw_word(draw);
  if (task == kVerb) words[2] = draw_verb(draw);
  return words;
}

#ifdef COURSE_ORACLE

Sentence translation_of(Task task, Sentence words) {
  if (task == kReverse) std::reverse(words.begin(), words.end());
  if (task == kVerb) std::rotate(words.begin() + 2, words.begin() + 3, words.end());
  return words;
}

#else

// Normalizes a vector of two ones to itself: its mean is 2 / d, its variance 2 / d - (2 / d)^2.
void pass_on(ResidualLayerNorm& norm) {
  const Real mean = Real(2) / kWidth;
  norm.gain.value = Tensor::filled({kWidth}, std::sqrt(mean - mean * mean));
  norm.bias.value = Tensor::filled({kWidth}, mean);
}

Transformer model_of(Task task, Index length) {
  Transformer model({.d_model = kWidth,
                     .d_ff = 1,
                     .heads = 1,
                     .encoder_layers = 1,
                     .decoder_layers = 1,
                     .vocab = kWords,
                     .max_length = kPositions,
                     .positions = Positions::kLearned});
  WritableTensor words = Tensor::zeros({kWords, kWidth}), positions = Tensor::zeros({kPositions, kWidth});
  for (Index w = 0; w < kWords; ++w) words(w, w) = 1 / std::sqrt(static_cast<Real>(kWidth));  // 3.4 takes it times the root
  for (Index p = 0; p < kPositions; ++p) positions(p, position(p)) = 1;
  model.embedding.value = words;
  model.positions.table.value = positions;
  EncoderLayer& encoder = model.encoder.layers[0];
  DecoderLayer& decoder = model.decoder.layers[0];
  for (ResidualLayerNorm* norm : {&encoder.self_attention_norm, &encoder.feed_forward_norm, &decoder.self_attention_norm})
    pass_on(*norm);
  decoder.feed_forward_norm.gain.value = Tensor::filled({kWidth}, 100);  // so that the softmax is sure
  MultiHeadAttention& attention = decoder.encoder_decoder_attention;
  if (task == kCopy) set_to_copy(attention);
  if (task == kReverse) set_to_reverse(attention, length);
  if (task == kVerb) set_to_move_the_verb(attention);
  return model;
}

// Each letter joins the next, so that every word is one token.
void save(Task task, Index length, const std::string& folder) {
  LoadedModel model;
  model.vocabulary = Vocabulary::parse(kVocabulary, "the words");
  WordCounts counts;
  for (int w = kFirstVerb; w < kWords; ++w) counts[model.vocabulary.token(w)] = 2;
  model.byte_pairs = BytePairEncoding::learn(counts, 100);
  model.transformer = std::make_unique<Transformer>(model_of(task, length));
  save_model(model, folder + "/" + kFunctions[task]);
}

Sentence translation_of(Task task, const Sentence& words) {
  Sentence found = greedy_search(model_of(task, std::ssize(words)), {words}, SearchLimits()).at(0).tokens;
  if (!found.empty() && found.back() == kEnd) found.pop_back();
  return found;
}

#endif

void translate(Task task) {
#ifndef COURSE_ORACLE
  if (const char* const folder = std::getenv("SAVE_MODEL")) save(task, 5, folder);
#endif
  Draw draw(static_cast<unsigned>(task) + 1);
  const Vocabulary vocabulary = Vocabulary::parse(kVocabulary, "the words");
  for (int i = 0; i < kSentences; ++i) {
    const Sentence source = draw_sentence(task, draw);
    const auto text_of = [&](const Sentence& words) { return BytePairEncoding::join(vocabulary.decode(words)); };
    show_text(text_of(source), text_of(translation_of(task, source)));
  }
}

}  // namespace

std::vector<Stage> stages() {
  return {{kFunctions[kCopy], [] { translate(kCopy); }},
          {kFunctions[kReverse], [] { translate(kReverse); }},
          {kFunctions[kVerb], [] { translate(kVerb); }}};
}

}  // namespace plainformer::course
