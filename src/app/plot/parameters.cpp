#include "app/plot/parameters.h"

#include <algorithm>

#include "app/plot/plots.h"
#include "app/plot/toy_text.h"
#include "app/train/train_settings.h"
#include "report/bar_chart.h"
#include "report/number_format.h"
#include "report/picture.h"
#include "transformer/decoder_layer.h"
#include "transformer/encoder_layer.h"

namespace plainformer {

namespace {

constexpr Index kLen = 32;
constexpr double kWidth = 480, kBetween = 18;

// The elements of the parameters whose name has this part.
Index elements(const ParameterList& parameters, const std::string& part) {
  Index count = 0;
  for (const NamedParameter& each : parameters) {
    if (each.name.find(part) != std::string::npos) count += each.parameter->value.size();
  }
  return count;
}

// A layer's parameters, times the number of layers.
template <typename Layer>
void add_layers(const ModelConfig& config, Index layers, ParameterCounts& counts) {
  Layer layer(config, /*first_site=*/0);
  ParameterList parameters;
  layer.append_parameters("layer", parameters);
  counts.attention += layers * elements(parameters, "attention.");
  counts.feed_forward += layers * elements(parameters, "feed_forward.");
  counts.norms += layers * elements(parameters, "_norm.");
}

struct Part {
  const char* name;
  Index count;
  int color;
};

std::string percent(double share) {
  return share < 0.01 ? "< 1 %" : format_fixed(100 * share, 0) + " %";
}

BarChart bars_of(const std::string& heading, const std::vector<Part>& parts) {
  Index total = 0, longest = 0;
  for (const Part& part : parts) {
    total += part.count;
    longest = std::max(longest, part.count);
  }
  BarChart chart = {.heading = heading + ": " + format_count(static_cast<double>(total)),
                    .longest = static_cast<double>(longest)};
  for (const Part& part : parts) {
    const double share = static_cast<double>(part.count) / static_cast<double>(total);
    chart.bars.push_back(
        {.name = part.name,
         .length = static_cast<double>(part.count),
         .value = format_count(static_cast<double>(part.count)) + " (" + percent(share) + ")",
         .color = part.color});
  }
  return chart;
}

std::vector<BarChart> charts_of(const std::string& preset, Index vocab) {
  ModelConfig config = preset_settings(preset).model;
  config.vocab = vocab;
  const ParameterCounts parameters = count_parameters(config);
  const ProductCounts products = count_products(config, kLen);
  return {bars_of(preset + ", parameters", {{"embedding", parameters.embedding, 4},
                                            {"attention", parameters.attention, 1},
                                            {"feed-forward", parameters.feed_forward, 0},
                                            {"norms", parameters.norms, 5}}),
          bars_of(preset + ", operations", {{"output projection", products.output_projection, 4},
                                            {"attention: w_q to w_o", products.projections, 1},
                                            {"attention: scores, sums", products.scores_and_sums, 1},
                                            {"feed-forward", products.feed_forward, 0}})};
}

}  // namespace

ParameterCounts count_parameters(const ModelConfig& config) {
  ParameterCounts counts = {.embedding = config.vocab * config.d_model};
  add_layers<EncoderLayer>(config, config.encoder_layers, counts);
  add_layers<DecoderLayer>(config, config.decoder_layers, counts);
  return counts;
}

ProductCounts count_products(const ModelConfig& config, Index len) {
  const Index attentions = config.encoder_layers + 2 * config.decoder_layers;
  const Index layers = config.encoder_layers + config.decoder_layers;
  return {.output_projection = len * config.d_model * config.vocab,
          .projections = attentions * 4 * len * config.d_model * config.d_model,
          .scores_and_sums = attentions * 2 * len * len * config.d_model,
          .feed_forward = layers * 2 * len * config.d_model * config.d_ff};
}

std::string draw_parameters() {
  std::vector<BarChart> charts = charts_of("toy", toy_text(5000).vocab);
  for (BarChart& chart : charts_of("base", preset_settings("base").merges))
    charts.push_back(std::move(chart));
  std::string svg = svg::text("soft", {16, 50}, "start",
                              "Operations: multiply-adds of matrix products, forward, " +
                                  std::to_string(kLen) + " tokens in and out");
  std::string description;
  double top = 66;
  for (const BarChart& chart : charts) {
    svg += draw_bars(chart, {.left = 16, .top = top, .axis = 190, .longest_end = 372, .right = 464});
    top += height_of(chart) + kBetween;
    description += (description.empty() ? "" : " ") + chart.heading;
    for (const ChartBar& bar : chart.bars) description += "; " + bar.name + " " + bar.value;
    description += ".";
  }
  return framed(
      {.title = "Parameters and operations", .description = description, .width = kWidth, .height = top},
      svg);
}

}  // namespace plainformer
