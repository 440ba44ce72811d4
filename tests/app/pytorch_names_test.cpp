// Which weight is where in PyTorch's state dict; and files that pretend to be one.
#include "app/pytorch_names.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

ModelConfig small_config() {
  ModelConfig config;
  config.d_model = 2;
  config.d_ff = 3;
  config.heads = 1;
  config.encoder_layers = config.decoder_layers = 1;
  config.vocab = 5;
  return config;
}

// Weights 0, 1, 2, ... in the order of the model's list, so that each has a number of its own.
std::vector<NamedTensor> numbered_weights(const ModelConfig& config) {
  Transformer model(config, /*seed=*/0);
  std::vector<NamedTensor> weights;
  Real next = 0;
  for (const NamedParameter& p : model.parameters()) {
    Tensor tensor(p.parameter->value.shape());
    for (Index i = 0; i < tensor.size(); ++i) tensor.mutable_data()[i] = next++;
    weights.push_back({p.name, tensor});
  }
  return weights;
}

class PyTorchNames : public testing::Test {
 protected:
  const ModelConfig config_ = small_config();
  const std::vector<NamedTensor> ours_ = numbered_weights(config_);
  TensorFile theirs_ = {.path = "file", .tensors = to_pytorch_names(ours_, config_), .metadata = {}};

  Tensor& tensor(const std::string& name) { return const_cast<Tensor&>(theirs_.at(name)); }
  std::string error() {
    return error_of([&] { from_pytorch_names(theirs_, config_); });
  }
  void expect_refused(const std::string& message) {
    EXPECT_EQ(error().substr(0, message.size()), message);
    EXPECT_TRUE(contains(error(), " (hint: "));
  }
};

// The embedding has the numbers 0 to 9. In the encoder W^Q, W^K, W^V, W^O follow, of 4 elements each; gain
// and bias; W_1 [2, 3], b_1, W_2 [3, 2], b_2; gain and bias. The decoder begins at 51: self-attention 16,
// norm 4, encoder-decoder attention 16, norm 4, then the same.
TEST_F(PyTorchNames, TransposesAndStacksMatricesAndCopiesTheRest) {
  EXPECT_EQ(theirs_.at("embedding.weight").to_string(), ours_[0].tensor.to_string());
  const std::pair<std::string, Tensor> encoder[] = {
      {"self_attn.in_proj_weight",
       Tensor::from({6, 2}, {10, 12, 11, 13,     // W^Q = [[10, 11], [12, 13]], transposed
                             14, 16, 15, 17,     // W^K
                             18, 20, 19, 21})},  // W^V
      {"self_attn.in_proj_bias", Tensor::zeros({6})},
      {"self_attn.out_proj.weight", Tensor::from({2, 2}, {22, 24, 23, 25})},
      {"self_attn.out_proj.bias", Tensor::zeros({2})},
      {"norm1.weight", Tensor::from({2}, {26, 27})},
      {"norm1.bias", Tensor::from({2}, {28, 29})},
      {"linear1.weight", Tensor::from({3, 2}, {30, 33, 31, 34, 32, 35})},
      {"linear1.bias", Tensor::from({3}, {36, 37, 38})},
      {"linear2.weight", Tensor::from({2, 3}, {39, 41, 43, 40, 42, 44})},
      {"linear2.bias", Tensor::from({2}, {45, 46})},
      {"norm2.weight", Tensor::from({2}, {47, 48})},
      {"norm2.bias", Tensor::from({2}, {49, 50})},
  };
  for (const auto& [name, tensor] : encoder)
    EXPECT_EQ(theirs_.at("encoder.layers.0." + name).to_string(), tensor.to_string()) << name;
  const std::pair<std::string, Real> decoder[] = {{"self_attn.in_proj_weight", 51},
                                                  {"norm1.weight", 67},
                                                  {"multihead_attn.in_proj_weight", 71},
                                                  {"norm2.weight", 87},
                                                  {"linear1.weight", 91},
                                                  {"norm3.weight", 108}};
  for (const auto& [name, first] : decoder)
    EXPECT_EQ(theirs_.at("decoder.layers.0." + name).data()[0], first) << name;
}

TEST_F(PyTorchNames, AndBackIsEveryWeightWhereItWas) {
  const TensorFile back = {.path = "", .tensors = from_pytorch_names(theirs_, config_), .metadata = {}};
  ASSERT_EQ(back.tensors.size(), ours_.size());
  for (const auto& [name, tensor] : ours_) EXPECT_EQ(back.at(name).to_string(), tensor.to_string()) << name;
}

TEST(LearnedPositions, GoToPyTorchAndBack) {
  ModelConfig config = small_config();
  config.positions = Positions::kLearned;
  config.max_length = 3;
  const std::vector<NamedTensor> ours = numbered_weights(config);
  const TensorFile theirs = {.path = "file", .tensors = to_pytorch_names(ours, config), .metadata = {}};
  EXPECT_EQ(theirs.at("position_embedding.weight").to_string(), ours.back().tensor.to_string());
  const TensorFile back = {.path = "", .tensors = from_pytorch_names(theirs, config), .metadata = {}};
  ASSERT_EQ(back.tensors.size(), ours.size());
  for (const auto& [name, tensor] : ours) EXPECT_EQ(back.at(name).to_string(), tensor.to_string()) << name;
}

TEST_F(PyTorchNames, ABiasThatThePaperDoesNotHaveMustBeZero) {
  for (const std::string name :
       {"encoder.layers.0.self_attn.in_proj_bias", "encoder.layers.0.self_attn.out_proj.bias",
        "decoder.layers.0.multihead_attn.in_proj_bias"}) {
    for (const Real bad : {Real(0.25), Real(-1e-30), std::numeric_limits<Real>::quiet_NaN()}) {
      tensor(name).mutable_data()[1] = bad;
      expect_refused("file: " + name +
                     " is not zero (element 1, for example), but the paper's attention has no biases");
    }
    tensor(name).mutable_data()[1] = Real(-0.0);
    EXPECT_EQ(error(), "");
  }
}

TEST_F(PyTorchNames, EachTensorIsThereInItsShape) {
  const std::vector<NamedTensor> all = theirs_.tensors;
  for (std::size_t i = 0; i < all.size(); ++i) {
    theirs_.tensors = all;
    theirs_.tensors.erase(theirs_.tensors.begin() + static_cast<std::ptrdiff_t>(i));
    expect_refused("file: has no tensor \"" + all[i].name + "\"");

    theirs_.tensors = all;
    const Shape other = {1, all[i].tensor.size()};
    theirs_.tensors[i].tensor = all[i].tensor.reshaped(other);
    expect_refused("file: " + all[i].name + " is " + other.to_string() + ", not " +
                   all[i].tensor.shape().to_string());
  }
}

TEST_F(PyTorchNames, NothingElseIsThere) {
  theirs_.tensors.push_back({"encoder.norm.weight", Tensor::zeros({2})});
  expect_refused(
      "file: tensor \"encoder.norm.weight\" has no place in the paper's model (hint: set encoder.norm");
  theirs_.tensors.back().name = "generator\n\x1b[31m";
  expect_refused("file: tensor \"generator");
  EXPECT_EQ(count_lines(error()), 0);
  EXPECT_FALSE(contains(error(), "\x1b"));
}

// --- the command, on hostile files

class HostileImport : public testing::Test {
 protected:
  HostileImport() {
    EXPECT_EQ(run_program({"export", "--to", "pytorch", "--model", model_.path, "--out", file_}).exit_code,
              0);
  }

  void expect_refused(const std::vector<std::string>& parts, const std::string& codes,
                      const std::string& vocabulary) {
    const ProgramResult result =
        run_program({"import", "--from", "pytorch", "--source", file_, "--bpe", codes, "--vocabulary",
                     vocabulary, "--out", folder_.path_of("out")});
    EXPECT_TRUE(failed_with_one_line(result, "import", parts));
    EXPECT_FALSE(std::filesystem::exists(folder_.path_of("out")));
  }
  void expect_refused(const std::vector<std::string>& parts) {
    expect_refused(parts, model_.codes(), model_.vocabulary());
  }
  void write(std::vector<NamedTensor> tensors, Metadata metadata) {
    write_tensor_file(file_, tensors, metadata);
  }

  const TemporaryFolder folder_;
  const ModelFolder model_ = ModelFolder(write_model(folder_));
  const std::string file_ = folder_.path_of("exported");
};

TEST_F(HostileImport, NotAStateDict) {
  const TensorFile good = read_tensor_file(file_);
  write(good.tensors, {});
  expect_refused({file_ + ": has no configuration (d_model, heads, ...) in its metadata"});

  Metadata metadata = good.metadata;
  metadata[0].second = "65536";  // d_model
  write(good.tensors, metadata);
  expect_refused({file_ + ": embedding.weight is [19, 16], not [19, 65536]"});
  metadata[0].second = "-1";
  write(good.tensors, metadata);
  expect_refused({file_ + ": d_model: -1 is out of range"});

  write(read_tensor_file(model_.weights()).tensors, good.metadata);
  expect_refused({file_ + ": tensor \"embedding\" has no place"});

  std::vector<NamedTensor> tensors = good.tensors;
  tensors[0].tensor.mutable_data()[3] = std::numeric_limits<Real>::infinity();
  write(tensors, good.metadata);
  expect_refused({file_ + ": embedding holds NaN or infinite values"});

  folder_.write("exported", "PK\x03\x04 and so on, as torch.save writes it");
  expect_refused({file_ + ": "});
}

TEST_F(HostileImport, TextFilesOfAnotherModel) {
  const std::string vocabulary = folder_.read("model/vocabulary.txt");
  const std::string longer = folder_.write("longer", vocabulary + "more\n");
  expect_refused({longer + ": 20 tokens, but the model knows 19"}, model_.codes(), longer);
  const std::string codes = folder_.write("codes", "#version: 0.2\n");
  expect_refused({codes + ": is not the file that the model was trained with"}, codes, model_.vocabulary());
  expect_refused({folder_.path_of("none")}, folder_.path_of("none"), model_.vocabulary());
}

TEST_F(HostileImport, AFolderThatHoldsAModel) {
  const auto before = snapshot(model_.path);
  EXPECT_TRUE(failed_with_one_line(
      run_program({"import", "--from", "pytorch", "--source", file_, "--bpe", model_.codes(), "--vocabulary",
                   model_.vocabulary(), "--out", model_.path}),
      "import", {model_.path + ": already holds files of a model"}));
  EXPECT_EQ(snapshot(model_.path), before);
}

}  // namespace
}  // namespace plainformer
