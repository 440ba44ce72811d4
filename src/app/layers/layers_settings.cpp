#include "app/layers/layers_settings.h"

#include <algorithm>

#include "app/command_support.h"
#include "core/number_text.h"

namespace plainformer {

namespace {

constexpr Index kLargest = 1 << 20;
const std::vector<std::string> kParts = {"cost", "time", "path", "copy", "recall"};

// In the order of layer_kinds().
const std::vector<std::string> kShortNames = {"self-attention", "recurrent", "convolution", "dilated",
                                              "separable",      "neighbors", "global"};

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// The positions in `known` of the names in "a,b".
std::set<std::size_t> chosen(const std::string& option, const std::string& text,
                             const std::vector<std::string>& known) {
  std::set<std::size_t> places;
  for (const std::string& name : split_at_commas(text)) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      throw UsageError(option + " takes names from " + joined(known) + ", separated by commas; not \"" +
                       name + "\"");
    places.insert(static_cast<std::size_t>(found - known.begin()));
  }
  return places;
}

// Numbers of at least 1, ascending.
std::vector<Index> numbers(const std::string& option, const std::string& text, Index least_count) {
  std::vector<Index> values;
  for (const std::string& part : split_at_commas(text)) {
    const auto value = parse_number<Index>(part);
    if (!value || *value < 1 || *value > kLargest || (!values.empty() && *value <= values.back()))
      throw UsageError(option + " takes ascending whole numbers from 1 to " + std::to_string(kLargest) +
                       ", separated by commas; not \"" + text + "\"");
    values.push_back(*value);
  }
  if (std::ssize(values) < least_count)
    throw UsageError(option + " needs at least " + std::to_string(least_count) +
                     " numbers, to fit an exponent; not \"" + text + "\"");
  return values;
}

void check_range(const std::string& option, Index value, Index least, Index most) {
  if (value < least || value > most)
    throw UsageError(option + " takes " + std::to_string(least) + " to " + std::to_string(most) + ", not " +
                     std::to_string(value));
}

// What the sizes must be for the shortest sequence that they meet.
void check_sizes(const LayersSettings& s) {
  const bool costs = s.parts.count("cost") || s.parts.count("time");
  Index shortest = costs ? std::min(s.n, s.lengths.front()) : kLargest;
  if (s.parts.count("path")) shortest = std::min(shortest, s.path_lengths.front());
  const auto check_fits = [&](const std::string& option, Index value) {
    if (value > shortest)
      throw UsageError(option + " " + std::to_string(value) + " is more than the shortest sequence has, " +
                       std::to_string(shortest) + " positions");
  };
  if (s.sizes.neighbors % 2 == 0)
    throw UsageError("--neighbors must be odd, because the window is centered; not " +
                     std::to_string(s.sizes.neighbors));
  check_fits("--neighbors", s.sizes.neighbors);
  check_fits("--kernel", s.sizes.kernel);
  check_fits("--neighbors plus --global", s.sizes.neighbors + s.sizes.global);
  std::vector<Index> widths = {s.sizes.d};
  if (s.parts.count("time")) widths.insert(widths.end(), s.widths.begin(), s.widths.end());
  for (const Index d : widths)
    if (d % s.head_width != 0)
      throw UsageError("--head-width " + std::to_string(s.head_width) + " does not divide the width " +
                       std::to_string(d));
}

}  // namespace

LayerSizes LayersSettings::sizes_at(Index d) const {
  LayerSizes other = sizes;
  other.d = d;
  other.heads = d / head_width;
  return other;
}

CommandLine bind(LayersOptions& o) {
  CommandLine line(
      "plainformer layers [options]",
      "Measures Table 1: self-attention, recurrent and convolutional layers, and self-attention to r\n"
      "neighbors. Their multiply-adds and waiting operations are counted while they run, their time and\n"
      "memory measured against n and d, and their longest path found by gradients. Beside each stands the\n"
      "formula, or the paper's order. The parts copy and recall train small models on a task over a\n"
      "distance, which takes some minutes.");
  line.option("--only", "NAMES", &o.only, "parts to run: cost, time, path, copy, recall");
  line.option("--kinds", "NAMES", &o.kinds, "layers: all, or some of " + joined(kShortNames));
  line.section("Sizes");
  line.option("--n", "N", &o.n, "length for the counts, and for times against d");
  line.option("--d", "N", &o.d, "width for the counts, for times against n, and of trained models");
  line.option("--head-width", "N", &o.head_width, "width of a head of attention, d_k = d_v");
  line.option("--kernel", "K", &o.kernel, "width of the convolutions' kernels, at least 2");
  line.option("--neighbors", "R", &o.neighbors, "odd size of the window of restricted attention, at least 3");
  line.option("--global", "N", &o.global, "positions that see all and are seen by all");
  line.section("Measurements");
  line.option("--lengths", "LIST", &o.lengths, "n of the times against n");
  line.option("--widths", "LIST", &o.widths, "d of the times against d");
  line.option("--path-lengths", "LIST", &o.path_lengths, "n of the paths");
  line.option("--seconds", "X", &o.seconds, "time for each measurement; slow ones take longer");
  line.section("Tasks");
  line.option("--distances", "LIST", &o.distances, "distances of copy and recall");
  line.option("--steps", "N", &o.steps, "training steps at most");
  line.option("--seed", "N", &o.seed, "seed of weights and data");
  line.section("Output");
  line.option("--svg", "FILE", &o.svg, "also draw time and path against n");
  line.option("--csv", "", &o.csv, "print comma-separated values instead of tables");
  line.option("--threads", "N", &o.threads, "number of threads; 0: all processors that the process may use");
  add_plain_option(line, &o.plain);
  return line;
}

LayersSettings checked_settings(const LayersOptions& o) {
  LayersSettings s;
  for (const std::size_t part : chosen("--only", o.only, kParts)) s.parts.insert(kParts[part]);
  s.kinds = layer_kinds();
  if (o.kinds != "all") {
    s.kinds.clear();
    for (const std::size_t kind : chosen("--kinds", o.kinds, kShortNames))
      s.kinds.push_back(layer_kinds()[kind]);
  }
  check_range("--n", o.n, 2, kLargest);
  check_range("--d", o.d, 1, kLargest);
  check_range("--head-width", o.head_width, 1, kLargest);
  check_range("--kernel", o.kernel, 2, kLargest);
  check_range("--neighbors", o.neighbors, 3, kLargest);
  check_range("--global", o.global, 0, kLargest);
  check_range("--steps", o.steps, 1, kLargest);
  check_range("--seed", o.seed, 0, kLargest);
  if (!(o.seconds > 0 && o.seconds <= 3600))
    throw UsageError("--seconds must be more than 0 and at most 3600");
  s.lengths = numbers("--lengths", o.lengths, 2);
  s.widths = numbers("--widths", o.widths, 2);
  s.path_lengths = numbers("--path-lengths", o.path_lengths, 1);
  s.distances = numbers("--distances", o.distances, 1);
  s.n = o.n;
  s.head_width = o.head_width;
  s.seconds = o.seconds;
  s.sizes = {.d = o.d, .kernel = o.kernel, .neighbors = o.neighbors, .global = o.global};
  check_sizes(s);
  s.sizes = s.sizes_at(o.d);
  s.training = {.sizes = s.sizes, .steps = o.steps, .seed = static_cast<std::uint64_t>(o.seed)};
  if (!o.svg.empty() && !s.parts.count("time") && !s.parts.count("path"))
    throw UsageError("--svg draws the parts time and path; --only has neither");
  return s;
}

}  // namespace plainformer
