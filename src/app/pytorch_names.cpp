#include "app/pytorch_names.h"

#include <algorithm>

#include "core/check.h"
#include "core/input_error.h"
#include "io/safetensors.h"

namespace plainformer {

namespace {

// A tensor of PyTorch's, and the tensors of ours that it consists of.
struct Entry {
  std::string name;
  Shape shape;
  std::vector<std::string> parts;  // ours, stacked along the first axis; none: a bias of zeros
  bool transposed = false;         // each part is [in, out] in our model and [out, in] in PyTorch's
};

// ---- the names of PyTorch

void add_attention(std::vector<Entry>& entries, const std::string& ours, const std::string& theirs, Index d) {
  entries.push_back(
      {theirs + ".in_proj_weight", {3 * d, d}, {ours + ".w_q", ours + ".w_k", ours + ".w_v"}, true});
  entries.push_back({theirs + ".in_proj_bias", {3 * d}, {}});
  entries.push_back({theirs + ".out_proj.weight", {d, d}, {ours + ".w_o"}, true});
  entries.push_back({theirs + ".out_proj.bias", {d}, {}});
}

void add_norm(std::vector<Entry>& entries, const std::string& ours, const std::string& theirs, Index d) {
  entries.push_back({theirs + ".weight", {d}, {ours + ".gain"}});
  entries.push_back({theirs + ".bias", {d}, {ours + ".bias"}});
}

void add_feed_forward(std::vector<Entry>& entries, const std::string& ours, const std::string& theirs,
                      const ModelConfig& config) {
  const Index d_model = config.d_model, d_ff = config.d_ff;
  entries.push_back({theirs + ".linear1.weight", {d_ff, d_model}, {ours + ".w_1"}, true});
  entries.push_back({theirs + ".linear1.bias", {d_ff}, {ours + ".b_1"}});
  entries.push_back({theirs + ".linear2.weight", {d_model, d_ff}, {ours + ".w_2"}, true});
  entries.push_back({theirs + ".linear2.bias", {d_model}, {ours + ".b_2"}});
}

std::vector<Entry> entries_of(const ModelConfig& config) {
  const Index d = config.d_model;
  std::vector<Entry> entries = {{"embedding.weight", {config.vocab, d}, {"embedding"}}};
  if (config.learns_positions())
    entries.push_back({"position_embedding.weight", {config.max_length, d}, {"position_embedding"}});
  for (Index i = 0; i < config.encoder_layers; ++i) {
    const std::string ours = "encoder." + std::to_string(i), theirs = "encoder.layers." + std::to_string(i);
    add_attention(entries, ours + ".self_attention", theirs + ".self_attn", d);
    add_norm(entries, ours + ".self_attention_norm", theirs + ".norm1", d);
    add_feed_forward(entries, ours + ".feed_forward", theirs, config);
    add_norm(entries, ours + ".feed_forward_norm", theirs + ".norm2", d);
  }
  for (Index i = 0; i < config.decoder_layers; ++i) {
    const std::string ours = "decoder." + std::to_string(i), theirs = "decoder.layers." + std::to_string(i);
    add_attention(entries, ours + ".self_attention", theirs + ".self_attn", d);
    add_norm(entries, ours + ".self_attention_norm", theirs + ".norm1", d);
    add_attention(entries, ours + ".encoder_decoder_attention", theirs + ".multihead_attn", d);
    add_norm(entries, ours + ".encoder_decoder_attention_norm", theirs + ".norm2", d);
    add_feed_forward(entries, ours + ".feed_forward", theirs, config);
    add_norm(entries, ours + ".feed_forward_norm", theirs + ".norm3", d);
  }
  return entries;
}

// ---- from our tensors to PyTorch's

void copy_transposed(const Real* from, Index rows, Index columns, Real* to) {
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
  }
}

Tensor stack(const Entry& entry, const TensorsByName& weights) {
  if (entry.parts.empty()) return Tensor::zeros(entry.shape);
  Tensor stacked(entry.shape);
  Real* to = stacked.mutable_data();
  for (const std::string& part : entry.parts) {
    const auto found = weights.find(part);
    CHECK(found != weights.end(), "no weight ", part);
    const Tensor& weight = *found->second;
    if (entry.transposed) {
      copy_transposed(weight.data(), weight.dim(0), weight.dim(1), to);
    } else {
      std::copy_n(weight.data(), weight.size(), to);
    }
    to += weight.size();
  }
  return stacked;
}

// ---- from PyTorch's tensors to ours

const Tensor& find(const TensorFile& file, const TensorsByName& tensors, const Entry& entry) {
  const auto found = tensors.find(entry.name);
  if (found == tensors.end()) {
    throw input_error(file.path, "has no tensor \"" + entry.name + "\"",
                      "docs/appendix-pytorch.md lists the tensors of a file");
  }
  const Tensor& tensor = *found->second;
  if (tensor.shape() != entry.shape) {
    throw input_error(file.path,
                      entry.name + " is " + tensor.shape().to_string() + ", not " + entry.shape.to_string(),
                      "its configuration (in __metadata__) and its weights do not belong together");
  }
  return tensor;
}

void require_zeros(const TensorFile& file, const std::string& name, const Tensor& bias) {
  for (Index i = 0; i < bias.size(); ++i) {
    if (bias.data()[i] == 0) continue;
    throw input_error(file.path,
                      name + " is not zero (element " + std::to_string(i) +
                          ", for example), but the paper's attention has no biases",
                      "freeze it at zero while training, as in docs/appendix-pytorch.md");
  }
}

void require_no_others(const TensorFile& file, const std::vector<Entry>& entries) {
  std::unordered_map<std::string, const Entry*> known;
  for (const Entry& entry : entries) known.emplace(entry.name, &entry);
  for (const NamedTensor& t : file.tensors) {
    if (known.count(t.name)) continue;
    const bool is_last_norm = t.name.starts_with("encoder.norm.") || t.name.starts_with("decoder.norm.");
    throw input_error(file.path, "tensor " + quoted_name(t.name) + " has no place in the paper's model",
                      is_last_norm
                          ? "set encoder.norm and decoder.norm to None before training: post-norm stacks end "
                            "with their last layer's norm"
                          : "docs/appendix-pytorch.md lists the tensors of a file");
  }
}

void unstack(const Entry& entry, const Tensor& stacked, std::vector<NamedTensor>& weights) {
  const Index rows = entry.shape[0] / std::max<Index>(1, std::ssize(entry.parts));
  const Real* from = stacked.data();
  for (const std::string& part : entry.parts) {
    if (!entry.transposed) {
      weights.push_back({part, stacked});
      continue;
    }
    Tensor weight({entry.shape[1], rows});
    copy_transposed(from, rows, entry.shape[1], weight.mutable_data());
    from += weight.size();
    weights.push_back({part, std::move(weight)});
  }
}

}  // namespace

std::vector<NamedTensor> to_pytorch_names(const std::vector<NamedTensor>& weights,
                                          const ModelConfig& config) {
  const TensorsByName index = by_name(weights);
  std::vector<NamedTensor> tensors;
  std::size_t parts = 0;
  for (const Entry& entry : entries_of(config)) {
    tensors.push_back({entry.name, stack(entry, index)});
    parts += entry.parts.size();
  }
  CHECK(parts == weights.size(), parts, " weights belong in PyTorch's state dict, of ", weights.size());
  return tensors;
}

std::vector<NamedTensor> from_pytorch_names(const TensorFile& file, const ModelConfig& config) {
  const TensorsByName index = by_name(file.tensors);
  const std::vector<Entry> entries = entries_of(config);
  require_no_others(file, entries);
  for (const Entry& entry : entries) {
    const Tensor& tensor = find(file, index, entry);
    if (entry.parts.empty()) require_zeros(file, entry.name, tensor);
  }
  std::vector<NamedTensor> weights;
  for (const Entry& entry : entries) unstack(entry, *index.at(entry.name), weights);
  return weights;
}

}  // namespace plainformer
