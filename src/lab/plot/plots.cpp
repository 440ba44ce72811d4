#include "lab/plot/plots.h"

namespace plainformer {

namespace {

constexpr Plot kPlots[] = {
    {"translators", draw_translators, "three translators learn the same sentences (1)"},
    {"verb-distance", draw_verb_distance, "three translators, long sentences and far verbs (2)"},
    {"architecture", draw_architecture, "Figure 1 with the names and shapes of the code (3)"},
    {"parameters", draw_parameters, "parameters and operations of toy and base (3)"},
    {"gradient-norms", draw_gradient_norms, "gradients of 12 layers, with and without residuals (3.1)"},
    {"layer-norm-plane", draw_layer_norm_plane,
     "layer norm of three numbers: onto a plane, onto a circle (3.1)"},
    {"gradients-meet", draw_gradients_meet,
     "an encoder layer as a graph, with the lengths of its gradients (3.1)"},
    {"scaled-dot-product-attention", draw_scaled_dot_product_attention,
     "Figure 2 (left) with the names and shapes of the code (3.2.1)"},
    {"five-words", draw_five_words, "five words through equation (1), as heat maps (3.2.1)"},
    {"softmax-scaling", draw_softmax_scaling,
     "attention weights, not scaled, over sqrt(d_k) and over d_k (3.2.1)"},
    {"multi-head-attention", draw_multi_head_attention,
     "Figure 2 (right) with the names and shapes of the code (3.2.2)"},
    {"heads-of-columns", draw_heads_of_columns, "the columns of W^Q become eight heads (3.2.2)"},
    {"masks", draw_masks, "padding, the future, and the shift by one (3.2.3)"},
    {"clocks", draw_clocks, "positions as the hands of clocks (3.5)"},
    {"positional-encoding", draw_positional_encoding, "the sines and cosines of each position (3.5)"},
    {"positional-similarity", draw_positional_similarity,
     "dot products of PE(p) and PE(q) against p - q (3.5)"},
    {"paths", draw_paths, "a chain, a tree and a star, with their longest paths (4)"},
    {"attention-steps", draw_attention_steps, "where the toy looks after 50 to 1,500 steps (4)"},
    {"figure-3", draw_figure_3, "a long-distance dependency, in the encoder of toy (4)"},
    {"figure-4", draw_figure_4, "two heads, two articles, in the encoder of toy (4)"},
    {"figure-5", draw_figure_5, "the structure of a sentence, between decoder and encoder of toy (4)"},
    {"merges", draw_merges, "two words and the merges that make their pieces (5.1)"},
    {"padding", draw_padding, "the padding of a batch of toy sentences (5.1)"},
    {"cost", draw_cost, "multiply-adds, traffic and memory of a training step of base (5.2)"},
    {"adam", draw_adam, "one weight of nano in 60 steps: gradient, moments, step (5.3)"},
    {"learning-rate", draw_learning_rate, "equation (3) for three widths and three warm-ups (5.3)"},
    {"label-smoothing", draw_label_smoothing, "the smoothed target, and the loss against confidence (5.4)"},
    {"beam-tree", draw_beam_tree, "a beam search, and what greedy search misses (6.1)"},
    {"kept-keys", draw_kept_keys, "keys and values kept, and the work that this saves (6.1)"},
    {"bleu-ngrams", draw_bleu_ngrams, "the n-grams that BLEU counts (6.1)"},
    {"gpu-hours", draw_gpu_hours, "where the hours of the paper's GPUs go (6.1)"},
    {"parse-trees", draw_parse_trees, "two sentences, their trees and lines (6.3)"},
    {"break-it", draw_break_it, "learning curves of the toy with bugs on purpose"},
    {"matmul-ladder", draw_matmul_ladder, "from three loops to a tile in registers"},
    {"running-softmax", draw_running_softmax, "a softmax over tiles, corrected as larger scores come"},
    {"linear-memory", draw_linear_memory, "the sum of linear attention as a memory with d_k places"},
    {"float-bits", draw_float_bits, "the bits of 0.1 in three formats"},
    {"bootstrap", draw_bootstrap, "the BLEU of resampled texts, and its interval"},
};

}  // namespace

std::string Plot::draw(const std::string& folder) const {
  if (const auto* recorded = std::get_if<RecordedPicture>(&picture)) return (*recorded)(folder);
  return std::get<ComputedPicture>(picture)();
}

std::span<const Plot> plots() {
  return kPlots;
}

}  // namespace plainformer
