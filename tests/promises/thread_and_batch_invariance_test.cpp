// Two promises: results are the same to the bit for any number of threads; and a sentence's result does not
// depend on what else is in its batch. For each table of kernels that runs here, in both precisions.
#include <gtest/gtest.h>

#include "core/strings.h"
#include "core/thread_pool.h"
#include "decoding/decode_all.h"
#include "kernels/kernels.h"
#include "ops/ways.h"
#include "support/small_model.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// Large enough that each kind of loop is shared out, and no extent is a multiple of a vector's length.
ModelConfig config() {
  return {.d_model = 66,
          .d_ff = 210,
          .heads = 3,
          .encoder_layers = 1,
          .decoder_layers = 1,
          .vocab = 307,
          .max_length = 64};
}

std::vector<int> random_sentence(Index length, std::uint64_t seed) {
  Random random(random_stream(seed, 0, 0));
  std::vector<int> sentence(length);
  for (int& id : sentence) id = static_cast<int>(4 + random.below(config().vocab - 4));
  return sentence;
}

std::vector<std::vector<int>> random_sentences(const std::vector<Index>& lengths, std::uint64_t seed) {
  std::vector<std::vector<int>> sentences;
  for (Index length : lengths) sentences.push_back(random_sentence(length, seed++));
  return sentences;
}

class Invariance : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::string& table = GetParam();  // "avx2" or "avx2_bf16"
    const bool in_bf16 = table.find("_bf16") != std::string::npos;
    use_kernels(in_bf16 ? table.substr(0, table.size() - 5) : table);
    product_precision = in_bf16 ? Precision::kBf16 : Precision::kFloat;
  }
  void TearDown() override {
    product_precision = Precision::kFloat;
    use_kernels(kernels_before_);
    set_threads(threads_before_);
  }

 private:
  const std::string kernels_before_ = kernels().name;
  const int threads_before_ = threads();
};

TEST_P(Invariance, LossAndGradientsAreTheSameForAnyNumberOfThreads) {
  const TranslationBatch batch =
      TranslationBatch::from(random_sentences({31, 17, 23, 40, 5, 29, 37, 11, 3}, 1),
                             random_sentences({29, 19, 23, 37, 7, 31, 41, 13, 2}, 100));
  Transformer model(config(), 1);
  set_threads(1);
  const double loss = backpropagate(model, batch, dropout_of(0.1));
  std::vector<Tensor> gradients;
  for (const NamedParameter& p : model.parameters()) gradients.push_back(p.parameter->grad);
  for (int count : {2, 3, 7}) {
    set_threads(count);
    zero_gradients(model.parameters());
    EXPECT_EQ(backpropagate(model, batch, dropout_of(0.1)), loss) << count << " threads";
    const ParameterList parameters = model.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
      EXPECT_TRUE(same_bits(parameters[i].parameter->grad, gradients[i]))
          << parameters[i].name << " with " << count << " threads";
  }
}

// The logits of the first `rows` positions of one element.
std::vector<Real> logits_of(const Tensor& logits, Index element, Index rows) {
  const Index vocab = logits.dim(2);
  const Real* first = logits.data() + element * logits.dim(1) * vocab;
  return std::vector<Real>(first, first + rows * vocab);
}

TEST_P(Invariance, ASentencesLogitsDoNotDependOnItsBatch) {
  const Transformer model(config(), 1);
  const std::vector<int> source = random_sentence(9, 1), target = random_sentence(6, 2);
  const auto logits_among = [&](std::vector<std::vector<int>> sources, std::vector<std::vector<int>> targets,
                                Index place) {
    sources.insert(sources.begin() + place, source);
    targets.insert(targets.begin() + place, target);
    const TranslationBatch batch = TranslationBatch::from(sources, targets);
    Transformer::Cache cache;
    return logits_of(model.forward(batch.source, batch.target_input, dropout_of(0), cache), place, 7);
  };
  const std::vector<Real> alone = logits_among({}, {}, 0);
  // Among shorter ones and among longer ones, so that it is padded itself; at every place.
  const auto shorter_sources = random_sentences({3, 1, 8}, 10),
             shorter_targets = random_sentences({2, 5, 1}, 20);
  const auto longer_sources = random_sentences({23, 40, 10}, 30),
             longer_targets = random_sentences({37, 7, 30}, 40);
  for (Index place = 0; place <= 3; ++place) {
    EXPECT_EQ(logits_among(shorter_sources, shorter_targets, place), alone)
        << "among shorter ones, at " << place;
    EXPECT_EQ(logits_among(longer_sources, longer_targets, place), alone)
        << "among longer ones, at " << place;
  }
}

// As `translate` does it: the whole beam, alone and in batches of all sizes.
TEST_P(Invariance, ATranslationDependsNeitherOnItsBatchNorOnTheThreads) {
  const Transformer model(config(), 1);
  const auto sources = random_sentences({9, 1, 17, 30, 5, 12, 9}, 50);
  SearchOptions options = {.n_best = 4, .limits = {.extra_length = 6}, .batch = 1};
  set_threads(1);
  const std::vector<Hypotheses> alone = decode_all(model, sources, options);
  for (int count : {1, 2, 3, 7}) {
    for (Index batch : {1, 2, 3, 7}) {
      set_threads(count);
      options.batch = batch;
      const std::vector<Hypotheses> found = decode_all(model, sources, options);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        ASSERT_EQ(found[i].size(), 4u);
        for (std::size_t rank = 0; rank < 4; ++rank) {
          EXPECT_EQ(found[i][rank].tokens, alone[i][rank].tokens);
          EXPECT_EQ(found[i][rank].log_probability, alone[i][rank].log_probability)
              << "sentence " << i << ", rank " << rank << ", batches of " << batch << ", " << count
              << " threads";
        }
      }
    }
  }
}

// If the precision were ignored, the tests above would compare float with float; and another seed gives other
// bits everywhere.
TEST_P(Invariance, TheComparisonSeesADifference) {
  const TranslationBatch batch = small_batch();
  Transformer model(config(), 1), other(config(), 2);
  const double loss = backpropagate(model, batch, dropout_of(0.1));
  EXPECT_NE(backpropagate(other, batch, dropout_of(0.1)), loss);
  const ParameterList parameters = model.parameters(), others = other.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    EXPECT_FALSE(same_bits(parameters[i].parameter->grad, others[i].parameter->grad)) << parameters[i].name;
  product_precision = product_precision == Precision::kFloat ? Precision::kBf16 : Precision::kFloat;
  const double rounded = backpropagate(model, batch, dropout_of(0.1));
  EXPECT_NE(rounded, loss);
  EXPECT_NEAR(rounded, loss, 0.01 * loss);
}

// The whole program: weights, moments and progress, through dropout, accumulated batches and an average.
void expect_the_same_files(const std::string& precision, const std::string& told) {
  const TemporaryFolder folder;
  write_text(folder);
  std::vector<std::vector<std::pair<std::string, std::string>>> files;
  for (const std::string count : {"1", "2", "3", "7"}) {
    const std::string out = "model_" + count, threads = count + (count == "1" ? " thread" : " threads");
    const ProgramResult result = run_program(train_arguments(
        folder, out,
        joined(split_at(' ',
                        "--d-model 66 --d-ff 210 --heads 3 --dropout 0.2 --batch-tokens 700 --accumulate 2 "
                        "--steps 5 --checkpoint-every 2"),
               {"--precision", precision, "--threads", count})));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(contains(result.err, ", " + threads + ", plain operations: none" + told + "\n"))
        << result.err;
    files.push_back(snapshot(folder.path_of(out + "/checkpoints")));
    files.back().emplace_back("model.safetensors", folder.read(out + "/model.safetensors"));
    ASSERT_EQ(files.back().size(), files.front().size());
    for (std::size_t i = 0; i < files.front().size(); ++i) {
      EXPECT_TRUE(files.back()[i].second == files.front()[i].second) << files.back()[i].first;
    }
  }
  EXPECT_EQ(files.front().size(), 4u);
}

TEST(ThreadInvariance, ATrainingLeavesTheSameFilesForAnyNumberOfThreads) {
  expect_the_same_files("float", "");
  expect_the_same_files("bf16", ", precision bf16");
}

std::vector<std::string> tables_in_both_precisions() {
  std::vector<std::string> tables = supported_kernels();
  for (const std::string& name : supported_kernels()) tables.push_back(name + "_bf16");
  return tables;
}

INSTANTIATE_TEST_SUITE_P(Tables, Invariance, testing::ValuesIn(tables_in_both_precisions()),
                         [](const auto& table) { return table.param; });

}  // namespace
}  // namespace plainformer
