// examples/attention_is_all_you_need.cpp computes the library's loss and the library's gradients.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "ops/adam.h"
#include "support/small_model.h"
#include "training/training_options.h"

// The file is a program, so its main gets another name here. The warnings are those that it does not promise.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wreturn-type"
#define main one_file_main
namespace one_file {
#include "../../examples/attention_is_all_you_need.cpp"
}
#undef main
#pragma GCC diagnostic pop

namespace plainformer {
namespace {

constexpr bool kIsDouble = sizeof(Real) == sizeof(double);
constexpr int kVocab = 13;

ModelConfig config_of_the_file() {
  return {.d_model = one_file::d_model,
          .d_ff = one_file::d_ff,
          .heads = one_file::h,
          .encoder_layers = one_file::N,
          .decoder_layers = one_file::N,
          .vocab = kVocab,
          .max_length = 16};
}

// A parameter of the file, and where the library keeps it: in a whole parameter, or in a block of one that
// begins at this row and column.
struct Place {
  std::string name;
  one_file::Parameter* own;
  Parameter* library;
  Index first_row, first_column;

  Index offset(int i, int j) const {
    const Index columns = library->value.dim(-1);
    return (first_row + i) * columns + first_column + j;
  }
};

class Places {
 public:
  Places(one_file::Transformer& file, Transformer& library) {
    for (const NamedParameter& p : library.parameters()) named_[p.name] = p.parameter;
    add("embedding", file.embedding);
    for (int i = 0; i < one_file::N; ++i) {
      const std::string encoder = "encoder." + std::to_string(i), decoder = "decoder." + std::to_string(i);
      add_attention(encoder + ".self_attention", file.encoder[i].self_attention);
      add_norm(encoder + ".self_attention_norm", file.encoder[i].self_attention_norm);
      add_feed_forward(encoder + ".feed_forward", file.encoder[i].feed_forward);
      add_norm(encoder + ".feed_forward_norm", file.encoder[i].feed_forward_norm);
      add_attention(decoder + ".self_attention", file.decoder[i].self_attention);
      add_norm(decoder + ".self_attention_norm", file.decoder[i].self_attention_norm);
      add_attention(decoder + ".encoder_decoder_attention", file.decoder[i].encoder_decoder_attention);
      add_norm(decoder + ".encoder_decoder_attention_norm", file.decoder[i].encoder_decoder_attention_norm);
      add_feed_forward(decoder + ".feed_forward", file.decoder[i].feed_forward);
      add_norm(decoder + ".feed_forward_norm", file.decoder[i].feed_forward_norm);
    }
  }

  const std::vector<Place>& all() const { return all_; }

 private:
  void add(const std::string& name, one_file::Parameter& own, Index first_row = 0, Index first_column = 0) {
    all_.push_back({name, &own, named_.at(name), first_row, first_column});
  }
  // The heads' matrices stand side by side in the library's w_q, w_k and w_v, and one upon the other in w_o.
  void add_attention(const std::string& name, one_file::MultiHeadAttention& attention) {
    for (Index head = 0; head < one_file::h; ++head) {
      add(name + ".w_q", attention.heads[head].w_q, 0, head * one_file::d_k);
      add(name + ".w_k", attention.heads[head].w_k, 0, head * one_file::d_k);
      add(name + ".w_v", attention.heads[head].w_v, 0, head * one_file::d_v);
      add(name + ".w_o", attention.heads[head].w_o, head * one_file::d_v, 0);
    }
  }
  void add_feed_forward(const std::string& name, one_file::FeedForward& feed_forward) {
    add(name + ".w_1", feed_forward.w_1);
    add(name + ".b_1", feed_forward.b_1);
    add(name + ".w_2", feed_forward.w_2);
    add(name + ".b_2", feed_forward.b_2);
  }
  void add_norm(const std::string& name, one_file::ResidualLayerNorm& norm) {
    add(name + ".gain", norm.gain);
    add(name + ".bias", norm.bias);
  }

  std::map<std::string, Parameter*> named_;
  std::vector<Place> all_;
};

void load(const Places& places) {
  for (const Place& place : places.all()) {
    one_file::Matrix& value = place.own->value;
    for (int i = 0; i < value.rows; ++i)
      for (int j = 0; j < value.columns; ++j) value(i, j) = place.library->value.data()[place.offset(i, j)];
  }
}

// The largest |actual - expected| / max(1, |expected|).
double largest_difference(const one_file::Matrix& actual, const Tensor& expected, const Place& place) {
  double largest = 0;
  for (int i = 0; i < actual.rows; ++i) {
    for (int j = 0; j < actual.columns; ++j) {
      const double target = expected.data()[place.offset(i, j)];
      const double difference = std::abs(actual(i, j) - target) / std::max(1.0, std::abs(target));
      largest = std::max(largest, std::isnan(difference) ? HUGE_VAL : difference);
    }
  }
  return largest;
}

one_file::Tokens sentence(const TokenBatch& batch, Index element) {
  const auto first = batch.ids.begin() + element * batch.len;
  return {first, first + batch.lengths[element]};
}

enum class Backward { kNo, kYes };

// Returns the loss. With backward, it also adds to the gradients.
double loss_of(one_file::Transformer& model, const TranslationBatch& batch, one_file::Dropout& dropout,
               Backward backward) {
  double loss = 0;
  for (Index element = 0; element < batch.source.batch; ++element) {
    const one_file::Matrix memory = model.encode(sentence(batch.source, element), dropout);
    const one_file::Matrix logits = model.decode(sentence(batch.target_input, element), memory, dropout);
    const one_file::Matrix p = one_file::softmax_forward(logits);
    const one_file::Matrix q = one_file::smoothed(sentence(batch.target_output, element), kVocab);
    loss += one_file::cross_entropy(p, q);
    if (backward == Backward::kYes) model.backward(p - q);
  }
  return loss;
}

class OneFile : public testing::Test {
 protected:
  OneFile() {
    randomize(library.parameters(), 1);
    load(places);
  }

  const TranslationBatch batch = small_batch();
  Transformer library{config_of_the_file(), 1};
  one_file::Transformer file{kVocab};
  const Places places{file, library};
};

TEST_F(OneFile, HasTheParametersOfTheLibrary) {
  Index in_file = 0, in_library = 0;
  std::set<one_file::Parameter*> placed;
  for (const Place& place : places.all()) {
    placed.insert(place.own);
    in_file += std::ssize(place.own->value.elements);
  }
  for (const NamedParameter& p : library.parameters()) in_library += p.parameter->value.size();
  EXPECT_EQ(in_file, in_library);
  const std::vector<one_file::Parameter*> listed = file.parameters();
  EXPECT_EQ(std::set<one_file::Parameter*>(listed.begin(), listed.end()), placed);
  EXPECT_EQ(listed.size(), placed.size());
}

TEST_F(OneFile, LossAndEveryGradientAreTheLibrarys) {
  one_file::Dropout none;
  const double loss = loss_of(file, batch, none, Backward::kYes);
  const double expected = backpropagate(library, batch, dropout_of(0), one_file::epsilon_ls);
  const double tolerance = kIsDouble ? 1e-9 : 2e-3;  // in float the library rounds
  EXPECT_NEAR(loss / expected, 1, kIsDouble ? 1e-9 : 1e-5);
  for (const Place& place : places.all())
    EXPECT_LE(largest_difference(place.own->grad, place.library->grad, place), tolerance) << place.name;
}

TEST_F(OneFile, AdamAndItsScheduleAreTheLibrarys) {
  Adam adam(library.parameters(), AdamOptions());
  const LearningRateSchedule schedule = {.d_model = one_file::d_model,
                                         .warmup_steps = static_cast<Index>(one_file::warmup_steps)};
  for (const Index step : {1, 2, 299, 300, 301, 900})
    EXPECT_NEAR(one_file::learning_rate(static_cast<int>(step)), schedule.at(step), 1e-15) << step;
  for (int step = 1; step <= 3; ++step) {
    // The gradient is any numbers that differ from step to step: here the weights.
    for (const NamedParameter& p : library.parameters()) p.parameter->grad = p.parameter->value;
    for (one_file::Parameter* w : file.parameters()) w->grad = w->value;
    adam.step(library.parameters(), schedule.at(step), 1);
    for (one_file::Parameter* w : file.parameters()) one_file::adam(*w, step);
  }
  for (const Place& place : places.all())
    EXPECT_LE(largest_difference(place.own->value, place.library->value, place), kIsDouble ? 1e-9 : 1e-5)
        << place.name;
}

// Dropout draws other masks than the library's, so its gradients are compared with differences.
TEST_F(OneFile, GradientsWithDropoutAreThoseOfTheLoss) {
  const auto loss = [&](Backward backward) {
    one_file::Dropout dropout = {0.3, std::mt19937(5)};  // the same masks every time
    return loss_of(file, batch, dropout, backward);
  };
  for (one_file::Parameter* w : file.parameters())
    w->grad = one_file::Matrix(w->value.rows, w->value.columns);
  loss(Backward::kYes);
  std::vector<one_file::Matrix> grads;
  for (one_file::Parameter* w : file.parameters()) grads.push_back(w->grad);
  // For each parameter, the slope along a direction in which every element goes up or down.
  std::mt19937 random(7);
  for (std::size_t k = 0; k < grads.size(); ++k) {
    std::vector<double>& elements = file.parameters()[k]->value.elements;
    const std::vector<double> values = elements;
    std::vector<double> direction;
    for (std::size_t e = 0; e < values.size(); ++e) direction.push_back(random() % 2 == 0 ? 1 : -1);
    const auto loss_at = [&](double distance) {
      for (std::size_t e = 0; e < values.size(); ++e) elements[e] = values[e] + distance * direction[e];
      return loss(Backward::kNo);
    };
    const double epsilon = 1e-6, numeric = (loss_at(epsilon) - loss_at(-epsilon)) / (2 * epsilon);
    elements = values;
    double slope = 0;
    for (std::size_t e = 0; e < values.size(); ++e) slope += grads[k].elements[e] * direction[e];
    EXPECT_NEAR(slope, numeric, 1e-5 + 1e-5 * std::abs(numeric)) << k;
  }
}

}  // namespace
}  // namespace plainformer
