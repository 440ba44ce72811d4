#include "lab/table_3/variation.h"

#include <algorithm>
#include <functional>

#include "report/number_format.h"

namespace plainformer {

namespace {

// A share of a size, rounded: 2/3 of 4 layers are 3.
Index share_of(Index size, Index numerator, Index denominator) {
  return (2 * size * numerator + denominator) / (2 * denominator);
}

class VariationList {
 public:
  explicit VariationList(const TrainSettings& base) : base_(base) {}

  // A line of the paper's table.
  void add(const std::string& row, const std::string& name, const PaperFigures& paper,
           const std::function<void(TrainSettings&)>& change) {
    if (add(row, name, change)) variations_.back().paper = paper;
  }

  // Adds a variation of ours. False if the heads do not divide d_model, if an equal variation is listed, or if R-Drop
  // has no dropout.
  bool add(const std::string& row, const std::string& name,
           const std::function<void(TrainSettings&)>& change) {
    Variation variation = {.row = row, .name = name, .settings = base_};
    change(variation.settings);
    ModelConfig& model = variation.settings.model;
    const bool has_widths = model.d_k > 0 && model.d_v > 0;  // else the heads share d_model
    if (model.heads < 1 || (model.d_model % model.heads != 0 && !has_widths)) return false;
    if (variation.settings.r_drop > 0 && !variation.settings.has_dropout()) return false;
    copy_shared_values(variation.settings);
    const Arguments arguments = to_arguments(variation.settings);
    const auto is_same = [&](const Variation& other) { return to_arguments(other.settings) == arguments; };
    if (std::any_of(variations_.begin(), variations_.end(), is_same)) return false;
    variations_.push_back(std::move(variation));
    return true;
  }

  // Varies one size. Skips 0 and the base's value.
  void add_size(const std::string& row, const std::string& name, Index ModelConfig::*size, Index value,
                const PaperFigures& paper) {
    if (value < 1 || value == base_.model.*size) return;
    add(row, name + " " + std::to_string(value), paper, [&](TrainSettings& s) { s.model.*size = value; });
  }

  const ModelConfig& model() const { return base_.model; }
  std::vector<Variation> take() { return std::move(variations_); }

 private:
  const TrainSettings& base_;
  std::vector<Variation> variations_;
};

void add_base(VariationList& table) {
  table.add("base", "", {4.92, 25.8, 65}, [](TrainSettings&) {});
}

// Heads, at constant work.
void add_row_a(VariationList& table) {
  const Index heads = table.model().heads;
  table.add_size("A", "h", &ModelConfig::heads, 1, {5.29, 24.9});
  table.add_size("A", "h", &ModelConfig::heads, share_of(heads, 1, 2), {5.00, 25.5});
  table.add_size("A", "h", &ModelConfig::heads, 2 * heads, {4.91, 25.8});
  table.add_size("A", "h", &ModelConfig::heads, 4 * heads, {5.01, 25.4});
}

// The width of the keys alone.
void add_row_b(VariationList& table) {
  const Index d_k = table.model().head_d_k();
  table.add_size("B", "d_k", &ModelConfig::d_k, share_of(d_k, 1, 4), {5.16, 25.1, 58});
  table.add_size("B", "d_k", &ModelConfig::d_k, share_of(d_k, 1, 2), {5.01, 25.4, 60});
}

// The model's size. Heads widen with d_model, as in the paper.
void add_row_c(VariationList& table) {
  const auto add_layers = [&](Index thirds, const PaperFigures& paper) {
    const ModelConfig& base = table.model();
    const Index encoder = share_of(base.encoder_layers, thirds, 3),
                decoder = share_of(base.decoder_layers, thirds, 3);
    if (encoder < 1 || decoder < 1) return;
    if (encoder == base.encoder_layers && decoder == base.decoder_layers) return;
    const std::string n = std::to_string(encoder) + (encoder == decoder ? "" : "+" + std::to_string(decoder));
    table.add("C", "N " + n, paper, [&](TrainSettings& s) {
      s.model.encoder_layers = encoder;
      s.model.decoder_layers = decoder;
    });
  };
  add_layers(1, {6.11, 23.7, 36});
  add_layers(2, {5.19, 25.3, 50});
  add_layers(4, {4.88, 25.5, 80});
  table.add_size("C", "d_model", &ModelConfig::d_model, share_of(table.model().d_model, 1, 2),
                 {5.75, 24.5, 28});
  table.add_size("C", "d_model", &ModelConfig::d_model, 2 * table.model().d_model, {4.66, 26.0, 168});
  table.add_size("C", "d_ff", &ModelConfig::d_ff, share_of(table.model().d_ff, 1, 2), {5.12, 25.4, 53});
  table.add_size("C", "d_ff", &ModelConfig::d_ff, 2 * table.model().d_ff, {4.75, 26.2, 90});
}

// Regularization, with the paper's own values.
void add_row_d(VariationList& table, const TrainingOptions& base) {
  const auto add = [&](const char* name, double TrainingOptions::*option, double value,
                       const PaperFigures& paper) {
    if (value == base.*option) return;
    table.add("D", name + (" " + format_fixed(value, 1)), paper,
              [&](TrainSettings& s) { s.training.*option = value; });
  };
  add("P_drop", &TrainingOptions::dropout, 0.0, {5.77, 24.6});
  add("P_drop", &TrainingOptions::dropout, 0.2, {4.95, 25.5});
  add("eps_ls", &TrainingOptions::label_smoothing, 0.0, {4.67, 25.3});
  add("eps_ls", &TrainingOptions::label_smoothing, 0.2, {5.47, 25.7});
}

void add_row_e(VariationList& table) {
  table.add("E", "learned positions", {4.92, 25.7}, [](TrainSettings& s) { s.positions = "learned"; });
}

// Twice as wide, with more dropout, and three times as long.
void add_big(VariationList& table) {
  table.add("big", "twice as wide", {4.33, 26.4, 213}, [](TrainSettings& s) {
    s.model.d_model *= 2;
    s.model.d_ff *= 2;
    s.model.heads *= 2;
    s.training.dropout = 0.3;
    s.training.steps *= 3;
  });
}

// 5.4, on the attention weights
void add_attention_rows(VariationList& table) {
  table.add("attention", "dropout 0.1", [](TrainSettings& s) { s.training.attention_dropout = 0.1; });
  table.add("attention", "head dropout 0.1", [](TrainSettings& s) { s.head_dropout = 0.1; });
  table.add("attention", "penalty 0.01", [](TrainSettings& s) { s.attention_penalty = 0.01; });
}

// Regularizers for little text
void add_rows_beyond_the_paper(VariationList& table) {
  const auto add = [&](const std::string& name, const std::function<void(TrainSettings&)>& change) {
    table.add("beyond", name, change);
  };
  add("R-Drop 5", [](TrainSettings& s) { s.r_drop = 5; });
  add("BPE-dropout 0.1", [](TrainSettings& s) { s.bpe_dropout = 0.1; });
  add("word dropout 0.1", [](TrainSettings& s) { s.word_dropout = 0.1; });
  add("layer drop 0.1", [](TrainSettings& s) { s.layer_drop = 0.1; });
  add("eps_ls 0.3", [](TrainSettings& s) { s.training.label_smoothing = 0.3; });
  add("eps_ls 0.5", [](TrainSettings& s) { s.training.label_smoothing = 0.5; });
}

}  // namespace

std::string Variation::title() const {
  return row + (name.empty() ? "" : " " + name);
}

std::string Variation::folder() const {
  std::string folder = title();
  std::replace(folder.begin(), folder.end(), ' ', '-');
  return folder;
}

std::vector<Variation> variations_of(const TrainSettings& base, const std::vector<std::string>& rows) {
  const auto wants = [&](const char* row) { return std::find(rows.begin(), rows.end(), row) != rows.end(); };
  VariationList table(base);
  add_base(table);
  if (wants("A")) add_row_a(table);
  if (wants("B")) add_row_b(table);
  if (wants("C")) add_row_c(table);
  if (wants("D")) add_row_d(table, base.training);
  if (wants("E")) add_row_e(table);
  if (wants("big")) add_big(table);
  if (wants("attention")) add_attention_rows(table);
  if (wants("beyond")) add_rows_beyond_the_paper(table);
  if (wants("bf16")) table.add("bf16", "", [](TrainSettings& s) { s.precision = "bf16"; });
  return table.take();
}

}  // namespace plainformer
