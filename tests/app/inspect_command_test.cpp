// plainformer inspect: a model, its embedding, and the batches of a text.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// Every word is one token. Lengths with </s>: sources 3, 2, 5 and targets 3, 2, 4.
class InspectBatches : public testing::Test {
 protected:
  ProgramResult inspect(const std::vector<std::string>& more) {
    return run_program(
        joined({"inspect", "--model", model_, "--source", source_, "--target", target_}, more));
  }

  const TemporaryFolder folder_;
  const std::string model_ = write_model(folder_);
  const std::string source_ = folder_.write("source", "the cat\nsleeps\na table not cat\n");
  const std::string target_ = folder_.write("target", "die Katze\nnicht\ndem Tisch nicht\n");
};

TEST_F(InspectBatches, ShowsTheTokensOfOne) {
  const ProgramResult result = inspect({"--batch-tokens", "15"});  // 3 pairs of 5 positions
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "Batch 1 of 1 (epoch 0, seed 1)\n"
            "\nsource: the input of the encoder\n"
            " sleeps </s> <pad> <pad> <pad>\n"
            " the cat </s> <pad> <pad>\n"
            " a table not cat </s>\n"
            "\ntarget_input: the input of the decoder\n"
            " <s> nicht <pad> <pad>\n"
            " <s> die Katze <pad>\n"
            " <s> dem Tisch nicht\n"
            "\ntarget_output: the tokens to predict\n"
            " nicht </s> <pad> <pad>\n"
            " die Katze </s> <pad>\n"
            " dem Tisch nicht </s>\n");
  const std::string pairs = folder_.write(
      "pairs", "1\tdie Katze\tthe cat\n2\tnicht\tsleeps\n3\tdem Tisch nicht\ta table not cat\n");
  EXPECT_EQ(run_program({"inspect", "--model", model_, "--pairs", pairs, "--columns", "3,2"}).out,
            result.out);
}

TEST_F(InspectBatches, RefusesWhatDoesNotFit) {
  EXPECT_TRUE(contains(inspect({"--batch-tokens", "1"}).out, "Batch 1 of 3 "));
  EXPECT_TRUE(refused(inspect({"--batch", "2"}), {"--batch: 2", "choose 1 to 1"}));
  EXPECT_TRUE(refused(inspect({"--batch-tokens", "0"}), {"--batch-tokens: 0"}));
  EXPECT_TRUE(refused(run_program({"inspect", "--model", model_, "--source", source_}),
                      {"--source and --target belong together"}, 2));
  EXPECT_TRUE(refused(inspect({"--nearest", "cat"}), {"exclude each other"}, 2));
}

// Rows of the embedding: "the" is twice as long as "cat" in the same direction, "on" is opposite, all others
// are zeros.
TEST(InspectNearest, RanksByTheAngleAndNotByTheLength) {
  const TemporaryFolder folder;
  const ModelFolder path(write_model(folder));
  LoadedModel model = load_model(path);
  Tensor& embedding = model.transformer->embedding.value;
  embedding = Tensor::zeros(embedding.shape());
  const auto set = [&](const std::string& word, Real value) {
    embedding.mutable_data()[model.vocabulary.id(word) * embedding.dim(1)] = value;
  };
  set("cat", 1);
  set("the", 2);
  set("on", -1);
  write_tensor_file(path.weights(), weights_of(*model.transformer),
                    metadata_of_weights(model.transformer->config(), model, /*parses=*/false));

  const ProgramResult result = run_program({"inspect", "--model", path.path, "--nearest", "cat,on,<unk>"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::istringstream lines(result.out);
  std::string titles, word, nearest, cosine;
  std::getline(lines, titles);
  lines >> word >> nearest >> cosine;
  EXPECT_EQ(word + " " + nearest + " " + cosine, "cat the 1.00") << result.out;
  EXPECT_TRUE(contains(result.out, " 0.00\n")) << "a row of zeros has no direction\n" << result.out;
  EXPECT_FALSE(contains(result.out, "1.00  on")) << result.out;
  EXPECT_EQ(count_lines(result.out), 4);
  EXPECT_TRUE(refused(run_program({"inspect", "--model", path.path, "--nearest", "cat,zebra"}),
                      {"--nearest: \"zebra\" is no token of the model (hint: "}));
}

TEST(InspectCommand, ListsConfigurationParametersAndKernels) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_program({"inspect", "--model", write_model(folder)},
                  {.environment = {{"PLAINFORMER_KERNELS", "scalar"}, {"PLAINFORMER_THREADS", "3"}}});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const std::string text = with_single_blanks(result.out);
  for (const char* words :
       {"d_model 16", "d_ff 24", "heads 2", "vocab 19", "max_length 64", "embedding [19, 16] 304",
        "encoder.0.self_attention.w_q [16, 16] 256", "encoder.0.feed_forward.w_1 [16, 24] 384",
        "decoder.0.feed_forward.b_1 [24] 24", "decoder.0.encoder_decoder_attention_norm.gain [16] 16",
        "total 5152", "kernels in use scalar", "threads 3"})
    EXPECT_TRUE(contains(text, std::string(words) + "\n")) << words << " in\n" << result.out;
}

TEST(Environment, MistakesAreOneLineToo) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder);
  for (const auto& [variable, value] :
       {std::pair("PLAINFORMER_KERNELS", "sse9"), std::pair("PLAINFORMER_THREADS", "many")}) {
    const ProgramSetup setup = {.environment = {{variable, value}}};
    EXPECT_TRUE(refused(run_program({"inspect", "--model", model}, setup),
                        {variable, "\"" + std::string(value) + "\""}));
    EXPECT_EQ(run_program({"inspect", "--help"}, setup).exit_code, 0);
  }
}

}  // namespace
}  // namespace plainformer
