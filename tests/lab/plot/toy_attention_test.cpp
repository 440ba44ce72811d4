// The attention weights of figures 3 to 5.
#include "lab/plot/toy_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "lab/attention/recorded_frames.h"
#include "support/program.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

using Strings = std::vector<std::string>;

// One head; two source tokens, one target token. The layer before the last has other weights.
const std::string kEncoder = R"({"name": "Encoder self-attention", "left_text": ["a", "</s>"],
    "right_text": ["a", "</s>"], "attn": [[[[1, 0], [0, 1]]], [[[0.75, 0.25], [0.5, 0.5]]]]})";
const std::string kDecoder =
    R"({"name": "Decoder self-attention", "left_text": [], "right_text": [], "attn": []})";
const std::string kCross = R"({"name": "Encoder-decoder attention", "left_text": ["</s>"],
    "right_text": ["a", "</s>"], "attn": [[[[1, 0]]], [[[0.125, 0.875]]]]})";

ToyAttention read(const std::string& json) {
  const TemporaryFolder folder;
  folder.write("attention.json", json);
  return read_toy_attention(folder.path_of("attention.json"));
}

TEST(ToyAttention, IsTheLastLayerOfTheFile) {
  const ToyAttention attention = read("[" + kEncoder + "," + kDecoder + "," + kCross + "]");
  EXPECT_EQ(attention.source, (Strings{"a", "</s>"}));
  EXPECT_EQ(attention.target, Strings{"</s>"});
  EXPECT_TRUE(same_bits(attention.encoder, tensor({1, 2, 2}, {0.75, 0.25, 0.5, 0.5})));
  EXPECT_TRUE(same_bits(attention.encoder_decoder, tensor({1, 1, 2}, {0.125, 0.875})));
}

TEST(ToyAttention, RefusesAFileThatIsNotItsOwn) {
  const auto expect_error = [](const std::string& json, const std::string& message) {
    try {
      read(json);
      ADD_FAILURE() << "no error: " << message;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("attention.json: " + message), std::string::npos)
          << error.what();
    }
  };
  const auto without = [](std::string text, const std::string& part, const std::string& other = "") {
    return text.replace(text.find(part), part.size(), other);
  };
  expect_error("{}", "the file is no array");
  expect_error("[" + kEncoder + "]", "has no Encoder-decoder attention");
  expect_error("[" + without(kEncoder, ", [0.5, 0.5]") + "," + kCross + "]",
               "a head has not one row for each token of left_text");
  expect_error("[" + without(kEncoder, "0.75, ") + "," + kCross + "]",
               "a row has not one weight for each token of right_text");
  expect_error("[" + without(kEncoder, "0.75", "null") + "," + kCross + "]", "a row is no number");
  expect_error("[" + kEncoder + "," + without(kCross, "\"attn\"", "\"weights\"") + "]", "lacks \"attn\"");
}

// --- the recorded_attention file, and the captions of its pictures

const ToyAttention& recorded_attention() {
  static const ToyAttention attention =
      read_toy_attention(PLAINFORMER_SOURCE_DIR "/docs/pictures/attention.json");
  return attention;
}

Index index_of(const Strings& tokens, const std::string& token) {
  return std::find(tokens.begin(), tokens.end(), token) - tokens.begin();
}

// The source token that a head looks at most.
std::string looks_at(const Tensor& weights, Index head, Index query) {
  const Real* row = weights.data() + (head * weights.dim(1) + query) * weights.dim(2);
  return recorded_attention().source[std::max_element(row, row + weights.dim(2)) - row];
}

// What the captions of figures 3 and 4 say.
TEST(ToyAttention, OfTheEncoderLooksAtTheConjunctionAndTheNoun) {
  const Tensor& weights = recorded_attention().encoder;
  const auto from = [&](Index head, const std::string& word) {
    return looks_at(weights, head, index_of(recorded_attention().source, word));
  };
  EXPECT_EQ(from(0, "buys"), "that");
  EXPECT_EQ(from(2, "buys"), "that");
  EXPECT_EQ(from(3, "the"), "queen");
  EXPECT_EQ(from(3, "this"), "book");
  EXPECT_EQ(from(1, "the"), "that");
  EXPECT_EQ(from(1, "this"), "buys");
}

// What the caption of figure 5 says.
TEST(ToyAttention, OfTheDecoderGoesWordByWordAndToTheNoun) {
  const Tensor& weights = recorded_attention().encoder_decoder;
  const Strings words = {"they",  "know", "that", "that", "the",  "small",
                         "queen", "this", "new",  "book", "buys", "</s>"};
  for (Index i = 0; i < std::ssize(words); ++i) EXPECT_EQ(looks_at(weights, 0, i), words[i]);
  for (const char* word : {"die", "kleine", "Königin"})
    EXPECT_EQ(looks_at(weights, 1, index_of(recorded_attention().target, word)), "queen");
  for (const char* word : {"dieses", "neue", "Buch"})
    EXPECT_EQ(looks_at(weights, 1, index_of(recorded_attention().target, word)), "book");
  EXPECT_EQ(looks_at(weights, 1, index_of(recorded_attention().target, "kauft")), "buys");
}

// What the description of attention-steps says, and README.
TEST(ToyAttention, OfTheStepsBecomesSharp) {
  const RecordedFrames recorded = read_frames(PLAINFORMER_SOURCE_DIR "/docs/pages/frames.jsonl");
  const auto frame_of = [&](Index step) {
    for (const RecordedFrames::Frame& frame : recorded.frames)
      if (frame.step == step) return frame;
    throw std::runtime_error("no such frame");
  };
  const Index queries = std::ssize(recorded.target), keys = std::ssize(recorded.source);
  const auto looks = [&](Index step,
                         Index query) {  // the largest mean weight of the heads, and its source token
    std::pair<double, std::string> most = {0, ""};
    for (Index key = 0; key < keys; ++key) {
      double mean = 0;
      for (Index head = 0; head < recorded.heads; ++head)
        mean += frame_of(step).attention[(head * queries + query) * keys + key] / 1000.0 /
                static_cast<double>(recorded.heads);
      most = std::max(most, {mean, recorded.source[key]});
    }
    return most;
  };
  EXPECT_EQ(frame_of(50).translation, "");
  EXPECT_EQ(frame_of(200).translation, "sie wissen , dass die kleine Königin dieses kleine Buch")
      << "without the verb";
  EXPECT_EQ(frame_of(1500).translation, recorded.target_text);
  for (Index query = 0; query < queries; ++query) {
    EXPECT_LT(looks(50, query).first, 0.15) << "all weights are nearly 1/11";
    EXPECT_LT(looks(100, query).first, 0.3);
  }
  ASSERT_EQ(recorded.target[10], "kauft");
  EXPECT_GT(looks(1500, 10).first, 0.9);
  EXPECT_EQ(looks(1500, 10).second, "buys");
}

}  // namespace
}  // namespace plainformer
