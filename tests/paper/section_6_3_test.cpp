// Paper: 6.3 English Constituency Parsing. A test for each sentence about decoding.
#include <gtest/gtest.h>

#include "core/special_symbols.h"
#include "data/text.h"
#include "model_folder/model_folder.h"
#include "support/small_model.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// The words that a model of these tests reads, and the tokens that it writes.
const std::string kWords = "the cat sleeps dog sees a king opens door key that with";
const std::string kTokens = "(S (NP DT NN JJ )NP (VP VBZ )VP (PP IN )PP )S";

class Section63 : public testing::Test {
 protected:
  // Each word is one token.
  static LoadedModel small_model(Index max_length) {
    const ParallelCorpus corpus = ParallelCorpus::from_lines({kWords, kWords}, {kTokens, kTokens}, "text");
    BytePairEncoding byte_pairs = BytePairEncoding::learn(corpus.word_counts(), 1000);
    Vocabulary vocabulary = corpus.build_vocabulary(byte_pairs);
    ModelConfig config = small_config();
    config.vocab = vocabulary.size();
    config.max_length = max_length;
    auto transformer = std::make_unique<Transformer>(config, 1);
    return {{std::move(byte_pairs), std::move(vocabulary)}, std::move(transformer), /*parses=*/true};
  }

  // What `parse` prints for the sentences.
  std::string parse(const std::vector<std::string>& options,
                    const std::vector<std::string>& sentences) const {
    std::vector<std::string> arguments = {"parse", "--model", model_};
    arguments.insert(arguments.end(), options.begin(), options.end());
    std::string input;
    for (const std::string& sentence : sentences) input += sentence + "\n";
    const ProgramResult result = run_program(arguments, {.input = input});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  const TemporaryFolder folder_;
  std::string model_ = folder_.path_of("model");
};

// "During inference, we increased the maximum output length to input length + 300": a model that opens one
// phrase after another, and never ends, opens 1 + 300 over a sentence of one token.
TEST_F(Section63, WeIncreasedTheMaximumOutputLengthToInputLengthPlus300) {
  LoadedModel model = small_model(/*max_length=*/400);
  const Index d_model = small_config().d_model;
  ResidualLayerNorm& last = model.transformer->decoder.layers.back().feed_forward_norm;
  last.gain = Parameter(Tensor::zeros({d_model}));  // so the decoder gives (1, 0, ...) at every position
  last.bias.value.mutable_data()[0] = 1;
  Real* embedding = model.transformer->embedding.value.mutable_data();
  embedding[model.vocabulary.id("(S") * d_model] = 20;
  embedding[kEndId * d_model] = -20;
  save_model(model, ModelFolder(model_));

  const auto phrases = [](const std::string& tree) {
    Index count = 0;
    for (std::size_t at = tree.find("(S"); at != tree.npos; at = tree.find("(S", at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(phrases(parse({}, {"key"})), 301);
  EXPECT_EQ(phrases(parse({"--extra-length", "50"}, {"key"})), 51);
}

// A random model. The sharper it is, the less a search changes its mind; the later it ends, the longer its
// lines.
void randomize(LoadedModel& model, double sharpness, double lateness) {
  randomize(model.transformer->parameters(), 500);
  const Index d_model = small_config().d_model;
  ResidualLayerNorm& last = model.transformer->decoder.layers.back().feed_forward_norm;
  Real *gain = last.gain.value.mutable_data(), *bias = last.bias.value.mutable_data();
  Real* embedding = model.transformer->embedding.value.mutable_data();
  for (Index j = 1; j < d_model; ++j) gain[j] *= static_cast<Real>(sharpness);
  // The first column is 1 at every position, and </s> alone looks at it.
  gain[0] = 0;
  bias[0] = 1;
  for (Index token = 0; token < model.vocabulary.size(); ++token) embedding[token * d_model] = 0;
  std::fill_n(embedding + kEndId * d_model, d_model, Real{0});
  embedding[kEndId * d_model] = static_cast<Real>(-lateness);
}

// "We used a beam size of 21 and alpha = 0.3 for both WSJ only and the semi-supervised setting": the trees
// are those of this search, and not those of others.
TEST_F(Section63, WeUsedABeamSizeOf21AndAlpha03) {
  std::vector<std::string> sentences;
  const std::vector<std::string_view> words = split_words(kWords);
  for (const std::string_view first : words)
    for (const std::string_view second : words)
      sentences.push_back(std::string(first) + " " + std::string(second) + " that with");
  const auto trees = [&](const char* beam, const char* alpha) {
    return parse({"--beam", beam, "--length-penalty", alpha}, sentences);
  };
  const auto write_model = [&](double sharpness, double lateness, const std::string& name) {
    LoadedModel model = small_model(/*max_length=*/64);
    randomize(model, sharpness, lateness);
    model_ = folder_.path_of(name);
    save_model(model, ModelFolder(model_));
  };

  write_model(/*sharpness=*/1, /*lateness=*/2, "sensitive to the beam");
  std::string by_default = parse({}, sentences);
  EXPECT_EQ(by_default, trees("21", "0.3"));
  for (const char* other : {"4", "20"}) EXPECT_NE(by_default, trees(other, "0.3")) << other;

  write_model(/*sharpness=*/2, /*lateness=*/0, "sensitive to alpha");
  by_default = parse({}, sentences);
  EXPECT_EQ(by_default, trees("21", "0.3"));
  for (const char* other : {"0", "0.6"}) EXPECT_NE(by_default, trees("21", other)) << other;
}

}  // namespace
}  // namespace plainformer
