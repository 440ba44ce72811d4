#include "lab/plot/plots.h"

namespace plainformer {

namespace {

constexpr Plot kPlots[] = {
    {"translators", draw_translators, "three translators learn the same sentences (1)"},
    {"verb-distance", draw_verb_distance, "three translators, long sentences and far verbs (2)"},
    {"architecture", draw_architecture, "Figure 1 with the names and shapes of the code (3)"},
    {"parameters", draw_parameters, "parameters and operations of toy and base (3)"},
    {"gradient-norms", draw_gradient_norms, "gradients of 12 layers, with and without residuals (3.1)"},
    {"attention", draw_attention, "Figure 2 with the names and shapes of the code (3.2)"},
    {"softmax-scaling", draw_softmax_scaling, "attention weights with and without 1 / sqrt(d_k) (3.2.1)"},
    {"positional-encoding", draw_positional_encoding, "the sines and cosines of each position (3.5)"},
    {"positional-similarity", draw_positional_similarity,
     "dot products of PE(p) and PE(q) against p - q (3.5)"},
    {"figure-3", draw_figure_3, "a long-distance dependency, in the encoder of toy (4)"},
    {"figure-4", draw_figure_4, "two heads, two articles, in the encoder of toy (4)"},
    {"figure-5", draw_figure_5, "the structure of a sentence, between decoder and encoder of toy (4)"},
    {"padding", draw_padding, "the padding of a batch of toy sentences (5.1)"},
    {"cost", draw_cost, "multiply-adds, traffic and memory of a training step of base (5.2)"},
    {"learning-rate", draw_learning_rate, "equation (3) for three widths and three warm-ups (5.3)"},
    {"label-smoothing", draw_label_smoothing, "the smoothed target, and the loss against confidence (5.4)"},
    {"break-it", draw_break_it, "learning curves of the toy with bugs on purpose"},
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
