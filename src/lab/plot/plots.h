// The pictures of the documentation (docs/pictures/NAME.svg), by name. Computed by the library, or recorded (break-it,
// attention-steps, figures 3 to 5, translators, verb-distance, matmul-ladder). Every machine draws the same picture,
// apart from the rounding.
#pragma once

#include <span>
#include <string>
#include <variant>

namespace plainformer {

// The functions that draw return the SVG document.
using ComputedPicture = std::string (*)();
// The folder is docs/pictures, which holds break-it.json and attention.json. Some find the model docs/page-model, a
// record, a page or a test's text from there.
using RecordedPicture = std::string (*)(const std::string& folder);

struct Plot {
  const char* name;
  std::variant<ComputedPicture, RecordedPicture> picture;
  const char* summary;

  std::string draw(const std::string& folder) const;
};

// All pictures, in the order of the paper, then of the other pages.
std::span<const Plot> plots();

std::string draw_adam();
std::string draw_architecture();
std::string draw_attention_steps(const std::string& folder);
std::string draw_beam_tree(const std::string& folder);
std::string draw_bleu_ngrams();
std::string draw_bootstrap(const std::string& folder);
std::string draw_break_it(const std::string& folder);
std::string draw_clocks();
std::string draw_cost();
std::string draw_figure_3(const std::string& folder);
std::string draw_figure_4(const std::string& folder);
std::string draw_figure_5(const std::string& folder);
std::string draw_five_words();
std::string draw_float_bits();
std::string draw_gpu_hours();
std::string draw_gradient_norms();
std::string draw_gradients_meet();
std::string draw_heads_of_columns();
std::string draw_kept_keys();
std::string draw_label_smoothing();
std::string draw_layer_norm_plane();
std::string draw_learning_rate();
std::string draw_linear_memory();
std::string draw_masks();
std::string draw_matmul_ladder(const std::string& folder);
std::string draw_merges();
std::string draw_multi_head_attention();
std::string draw_padding();
std::string draw_parameters();
std::string draw_parse_trees();
std::string draw_paths();
std::string draw_positional_encoding();
std::string draw_positional_similarity();
std::string draw_running_softmax();
std::string draw_scaled_dot_product_attention();
std::string draw_softmax_scaling();
std::string draw_translators(const std::string& folder);
std::string draw_verb_distance(const std::string& folder);

}  // namespace plainformer
