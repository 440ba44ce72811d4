// plainformer export and import: weights under the names and in the shapes of torch.nn.Transformer's state
// dict, and back.
//
//   ours: y = x W, W is [in, out]        PyTorch's: y = x W^T + b, W is [out, in]
//   embedding                            embedding.weight: an nn.Embedding beside nn.Transformer
//   position_embedding, if learned       position_embedding.weight: another one
//   {encoder|decoder}.{i}.               {encoder|decoder}.layers.{i}.
//     self_attention.w_q, w_k, w_v         self_attn.in_proj_weight: W^Q^T, W^K^T, W^V^T stacked
//     (no biases in the paper)             self_attn.in_proj_bias, self_attn.out_proj.bias: zeros
//     self_attention.w_o                   self_attn.out_proj.weight: W^O^T
//     encoder_decoder_attention...         multihead_attn...
//     feed_forward.w_1, b_1, w_2, b_2      linear1.weight: W_1^T, linear1.bias; linear2...
//     self_attention_norm.gain, bias       norm1.weight, bias
//     encoder_decoder_attention_norm...    norm2... (of the decoder)
//     feed_forward_norm...                 norm2... of the encoder, norm3... of the decoder
//
// The paper's post-norm stacks end with the norm of their last layer: encoder.norm and decoder.norm, which
// torch.nn.Transformer has by default, must be None.
#include <algorithm>
#include <set>

#include "app/commands.h"
#include "core/check.h"
#include "core/input_error.h"
#include "io/atomic_file.h"
#include "io/safetensors.h"
#include "model_folder/model_folder.h"
#include "model_folder/weights.h"
#include "report/command_line.h"

namespace plainformer {

namespace {

// A tensor of PyTorch's, and the tensors of ours that it consists of.
struct Entry {
  std::string name;
  Shape shape;
  std::vector<std::string> parts;  // ours, stacked along the first axis; none: a bias of zeros
  bool transposed = false;         // each part is [in, out] in our model and [out, in] in PyTorch's
};

// ---- the names

// The entries of a layer. The decoder's layers have the attention to the encoder, too.
void add_layer(std::vector<Entry>& entries, const std::string& stack, Index i, const ModelConfig& config) {
  const std::string ours = stack + "." + std::to_string(i) + ".",
                    theirs = stack + ".layers." + std::to_string(i) + ".";
  const Index d = config.d_model, d_ff = config.d_ff;
  int norms = 0;
  const auto add_norm = [&](const std::string& name) {
    const std::string norm = theirs + "norm" + std::to_string(++norms);
    entries.push_back({norm + ".weight", {d}, {ours + name + ".gain"}});
    entries.push_back({norm + ".bias", {d}, {ours + name + ".bias"}});
  };
  const auto add_attention = [&](const std::string& name, const std::string& their_name) {
    const std::string from = ours + name, to = theirs + their_name;
    entries.push_back(
        {to + ".in_proj_weight", {3 * d, d}, {from + ".w_q", from + ".w_k", from + ".w_v"}, true});
    entries.push_back({to + ".in_proj_bias", {3 * d}, {}});
    entries.push_back({to + ".out_proj.weight", {d, d}, {from + ".w_o"}, true});
    entries.push_back({to + ".out_proj.bias", {d}, {}});
    add_norm(name + "_norm");
  };
  add_attention("self_attention", "self_attn");
  if (stack == "decoder") add_attention("encoder_decoder_attention", "multihead_attn");
  entries.push_back({theirs + "linear1.weight", {d_ff, d}, {ours + "feed_forward.w_1"}, true});
  entries.push_back({theirs + "linear1.bias", {d_ff}, {ours + "feed_forward.b_1"}});
  entries.push_back({theirs + "linear2.weight", {d, d_ff}, {ours + "feed_forward.w_2"}, true});
  entries.push_back({theirs + "linear2.bias", {d}, {ours + "feed_forward.b_2"}});
  add_norm("feed_forward_norm");
}

std::vector<Entry> entries_of(const ModelConfig& config) {
  std::vector<Entry> entries = {{"embedding.weight", {config.vocab, config.d_model}, {"embedding"}}};
  if (config.learns_positions())
    entries.push_back(
        {"position_embedding.weight", {config.max_length, config.d_model}, {"position_embedding"}});
  for (Index i = 0; i < config.encoder_layers; ++i) add_layer(entries, "encoder", i, config);
  for (Index i = 0; i < config.decoder_layers; ++i) add_layer(entries, "decoder", i, config);
  return entries;
}

// ---- from our tensors to PyTorch's

void copy_transposed(const Real* from, Index rows, Index columns, Real* to) {
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
  }
}

std::vector<NamedTensor> to_pytorch_names(const std::vector<NamedTensor>& weights,
                                          const ModelConfig& config) {
  const TensorsByName ours = by_name(weights);
  std::vector<NamedTensor> tensors;
  std::size_t parts = 0;
  for (const Entry& entry : entries_of(config)) {
    Tensor stacked = Tensor::zeros(entry.shape);
    Real* to = stacked.mutable_data();
    for (const std::string& part : entry.parts) {
      const Tensor& weight = *ours.at(part);
      if (entry.transposed)
        copy_transposed(weight.data(), weight.dim(0), weight.dim(1), to);
      else
        std::copy_n(weight.data(), weight.size(), to);
      to += weight.size();
    }
    tensors.push_back({entry.name, std::move(stacked)});
    parts += entry.parts.size();
  }
  CHECK(parts == weights.size(), parts, " weights belong in PyTorch's state dict, of ", weights.size());
  return tensors;
}

// ---- from PyTorch's tensors to ours

constexpr const char* kSeePage = "docs/appendix-pytorch.md lists the tensors of a file";

void require_no_others(const TensorFile& file, const std::vector<Entry>& entries) {
  std::set<std::string> known;
  for (const Entry& entry : entries) known.insert(entry.name);
  for (const NamedTensor& t : file.tensors) {
    if (known.count(t.name)) continue;
    const bool is_last_norm = t.name.starts_with("encoder.norm.") || t.name.starts_with("decoder.norm.");
    throw input_error(file.path, "tensor " + quoted_name(t.name) + " has no place in the paper's model",
                      is_last_norm
                          ? "set encoder.norm and decoder.norm to None before training: post-norm stacks end "
                            "with their last layer's norm"
                          : kSeePage);
  }
}

const Tensor& find(const TensorFile& file, const TensorsByName& tensors, const Entry& entry) {
  const auto found = tensors.find(entry.name);
  if (found == tensors.end()) throw input_error(file.path, "has no tensor \"" + entry.name + "\"", kSeePage);
  const Tensor& tensor = *found->second;
  if (tensor.shape() != entry.shape)
    throw input_error(file.path,
                      entry.name + " is " + tensor.shape().to_string() + ", not " + entry.shape.to_string(),
                      "its configuration (in __metadata__) and its weights do not belong together");
  const auto is_zero = [](Real element) { return element == 0; };
  const Real* const end = tensor.data() + tensor.size();
  if (const Real* other = std::find_if_not(tensor.data(), end, is_zero); entry.parts.empty() && other != end)
    throw input_error(file.path,
                      entry.name + " is not zero (element " + std::to_string(other - tensor.data()) +
                          ", for example), but the paper's attention has no biases",
                      "freeze it at zero while training, as in docs/appendix-pytorch.md");
  return tensor;
}

// Undoes to_pytorch_names for an untrusted file. std::runtime_error that names file and tensor if one is
// missing, unknown or of another shape, or if a bias that the paper's model does not have is not zero.
std::vector<NamedTensor> from_pytorch_names(const TensorFile& file, const ModelConfig& config) {
  const TensorsByName theirs = by_name(file.tensors);
  const std::vector<Entry> entries = entries_of(config);
  require_no_others(file, entries);
  std::vector<NamedTensor> weights;
  for (const Entry& entry : entries) {
    const Tensor& stacked = find(file, theirs, entry);
    const Real* from = stacked.data();
    for (const std::string& part : entry.parts) {
      if (!entry.transposed) {
        weights.push_back({part, stacked});
        continue;
      }
      const Index rows = entry.shape[0] / std::ssize(entry.parts), columns = entry.shape[1];
      Tensor weight({columns, rows});
      copy_transposed(from, rows, columns, weight.mutable_data());
      from += weight.size();
      weights.push_back({part, std::move(weight)});
    }
  }
  return weights;
}

}  // namespace

int export_command(const Arguments& arguments) {
  std::string model_path, out;
  CommandLine line("plainformer export --model DIR --out FILE",
                   "Writes a model's weights as a safetensors file with the names and shapes of the state "
                   "dict of torch.nn.Transformer (docs/appendix-pytorch.md).");
  line.required("--model", "DIR", &model_path, "the model folder");
  line.required("--out", "FILE", &out, "the safetensors file to write");
  if (!line.read(arguments)) return finish_output();

  const ModelFolder folder(model_path);
  const LoadedModel model = load_model(folder);
  require_no_input(out, folder.model_files());
  const ModelConfig& config = model.transformer->config();
  if (config.heads * config.head_d_k() != config.d_model ||
      config.heads * config.head_d_v() != config.d_model)
    throw input_error(folder.weights(),
                      "its heads have d_k = " + std::to_string(config.head_d_k()) + " and d_v = " +
                          std::to_string(config.head_d_v()) + ", but PyTorch's have d_model / heads columns",
                      "train it without --d-k and --d-v");
  write_tensor_file(out, to_pytorch_names(weights_of(*model.transformer), config),
                    metadata_of_weights(config, model, model.parses));
  return finish_output();
}

int import_command(const Arguments& arguments) {
  std::string source, out;
  TextFiles text;
  CommandLine line("plainformer import --source FILE --bpe CODES --vocabulary FILE --out DIR",
                   "Makes a model folder from weights in the format of 'plainformer export', for "
                   "example after further training in PyTorch (docs/appendix-pytorch.md).");
  line.required("--source", "FILE", &source, "a safetensors file, with the configuration in its metadata");
  line.required("--bpe", "CODES", &text.codes, "the bpe.codes of the model that was exported");
  line.required("--vocabulary", "FILE", &text.vocabulary, "its vocabulary.txt");
  line.required("--out", "DIR", &out, "the model folder to make");
  if (!line.read(arguments)) return finish_output();

  TensorFile file = read_tensor_file(source);
  if (!find_text(file.metadata, "d_model"))
    throw input_error(source, "has no configuration (d_model, heads, ...) in its metadata",
                      "save it with the metadata of the exported file, as in docs/appendix-pytorch.md");
  file.tensors = from_pytorch_names(file, config_from(file.metadata, source));
  save_model(assemble_model(file, text), ModelFolder(out));
  return finish_output();
}

}  // namespace plainformer
