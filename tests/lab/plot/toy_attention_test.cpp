// The attention weights of figures 3 to 5.
#include "lab/plot/toy_attention.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "io/atomic_file.h"
#include "io/json.h"

namespace plainformer {
namespace {

using Strings = std::vector<std::string>;

JsonValue kept_weights() {
  return parse_json(read_file(PLAINFORMER_SOURCE_DIR "/docs/pictures/attention.json", 1 << 20), "attention");
}

const JsonValue& member(const JsonValue& object, const char* name) {
  return *object.find(name);
}

Strings strings_of(const JsonValue& array) {
  Strings strings;
  for (const JsonValue& each : *array.array()) strings.push_back(*each.string());
  return strings;
}

// The weights are those of the file, [layer][head][query][key], in the last layer, for the first heads.
void expect_kept(const Tensor& weights, const JsonValue& kind) {
  const JsonArray& heads = *member(kind, "attn").array()->back().array();
  for (Index h = 0; h < weights.dim(0); ++h) {
    const JsonArray& rows = *heads.at(h).array();
    ASSERT_EQ(std::ssize(rows), weights.dim(1));
    for (Index i = 0; i < weights.dim(1); ++i) {
      const JsonArray& row = *rows.at(i).array();
      ASSERT_EQ(std::ssize(row), weights.dim(2));
      for (Index j = 0; j < weights.dim(2); ++j)
        EXPECT_NEAR(weights(h, i, j), *row.at(j).number(), 1e-6) << h << " " << i << " " << j;
    }
  }
}

TEST(ToyAttention, IsKeptInThePictures) {
  const JsonValue kept = kept_weights();
  const JsonValue &encoder = kept.array()->at(0), &cross = kept.array()->at(2);
  EXPECT_EQ(*member(encoder, "name").string(), "Encoder self-attention");
  EXPECT_EQ(*member(cross, "name").string(), "Encoder-decoder attention");
  EXPECT_EQ(toy_source(), strings_of(member(encoder, "left_text")));
  EXPECT_EQ(toy_source(), strings_of(member(cross, "right_text")));
  EXPECT_EQ(toy_target(), strings_of(member(cross, "left_text")));
  expect_kept(toy_encoder_weights(), encoder);
  expect_kept(toy_encoder_decoder_weights(), cross);
}

Index index_of(const Strings& tokens, const std::string& token) {
  return std::find(tokens.begin(), tokens.end(), token) - tokens.begin();
}

// The source token that a head looks at most.
std::string looks_at(const Tensor& weights, Index head, Index query) {
  const Real* row = weights.data() + (head * weights.dim(1) + query) * weights.dim(2);
  return toy_source()[std::max_element(row, row + weights.dim(2)) - row];
}

// What the captions of figures 3 and 4 say.
TEST(ToyAttention, OfTheEncoderLooksAtTheConjunctionAndTheNoun) {
  const Tensor weights = toy_encoder_weights();
  const auto from = [&](Index head, const std::string& word) {
    return looks_at(weights, head, index_of(toy_source(), word));
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
  const Tensor weights = toy_encoder_decoder_weights();
  const Strings words = {"they",  "know", "that", "that", "the",  "small",
                         "queen", "this", "new",  "book", "buys", "</s>"};
  for (Index i = 0; i < std::ssize(words); ++i) EXPECT_EQ(looks_at(weights, 0, i), words[i]);
  for (const char* word : {"die", "kleine", "Königin"})
    EXPECT_EQ(looks_at(weights, 1, index_of(toy_target(), word)), "queen");
  for (const char* word : {"dieses", "neue", "Buch"})
    EXPECT_EQ(looks_at(weights, 1, index_of(toy_target(), word)), "book");
  EXPECT_EQ(looks_at(weights, 1, index_of(toy_target(), "kauft")), "buys");
}

}  // namespace
}  // namespace plainformer
