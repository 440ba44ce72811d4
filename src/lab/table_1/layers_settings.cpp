#include "lab/table_1/layers_settings.h"

#include <algorithm>
#include <set>

#include "command_line/command_support.h"
#include "core/input_error.h"
#include "core/split.h"

namespace plainformer {

namespace {

constexpr Index kLargest = 1 << 20;
const std::vector<std::string> kPartsOfTable = {"cost", "time", "path", "copy", "recall"};

// The names that --kinds takes, in the order of layer_kinds().
const std::vector<std::string> kShortNames = {"self-attention", "recurrent", "convolution", "dilated",
                                              "separable",      "neighbors", "global"};

// The layers of those names, in the order of layer_kinds().
std::vector<LayerKind> kinds_of(const std::string& names) {
  std::vector<std::string> known = kShortNames;
  known.push_back("all");
  const std::vector<std::string> chosen = chosen_names("--kinds", names, known);
  if (std::find(chosen.begin(), chosen.end(), "all") != chosen.end()) return layer_kinds();
  std::vector<LayerKind> kinds;
  for (std::size_t k = 0; k < kShortNames.size(); ++k) {
    if (std::find(chosen.begin(), chosen.end(), kShortNames[k]) != chosen.end())
      kinds.push_back(layer_kinds()[k]);
  }
  return kinds;
}

std::vector<Index> numbers(const std::string& option, const std::string& text, Index least_count) {
  const std::vector<Index> values = ascending_numbers(option, text, kLargest);
  if (std::ssize(values) < least_count)
    throw UsageError(option + " needs at least " + std::to_string(least_count) +
                     " numbers, to fit an exponent; not \"" + text + "\"");
  return values;
}

bool has_one_of(const LayersSettings& s, std::initializer_list<LayerKind> kinds) {
  return std::find_first_of(s.kinds.begin(), s.kinds.end(), kinds.begin(), kinds.end()) != s.kinds.end();
}

// The shortest sequence of the parts cost, time and path.
Index shortest_sequence(const LayersSettings& s) {
  Index shortest = kLargest;
  if (s.parts.count("cost") || s.parts.count("time")) shortest = s.n;
  if (s.parts.count("time")) shortest = std::min(shortest, s.lengths.front());
  if (s.parts.count("path")) shortest = std::min(shortest, s.path_lengths.front());
  return shortest;
}

// The length that both tasks reach.
Index longest_task_sequence(const LayersSettings& s) {
  Index longest = kLargest;
  for (const auto& [part, task] :
       {std::pair("copy", DistanceTask::kCopy), std::pair("recall", DistanceTask::kRecall)})
    if (s.parts.count(part)) longest = std::min(longest, task_length(task, s.distances.back()));
  return longest;
}

void check_head_width(const LayersSettings& s) {
  std::vector<Index> widths = {s.sizes.d};
  if (s.parts.count("time")) widths.insert(widths.end(), s.widths.begin(), s.widths.end());
  for (const Index d : widths) {
    if (d % s.head_width != 0)
      throw UsageError("--head-width " + std::to_string(s.head_width) + " does not divide the width " +
                       std::to_string(d));
  }
}

// Throws UsageError if a size does not suit the chosen layers.
void check_sizes(const LayersSettings& s) {
  const auto check_at_most = [](Index positions, const std::string& sequence, const std::string& option,
                                Index value) {
    if (value > positions)
      throw UsageError(option + " " + std::to_string(value) + " exceeds the " + sequence + ", which has " +
                       std::to_string(positions) + " positions");
  };
  const auto check_fits = [&](const std::string& option, Index value) {
    check_at_most(shortest_sequence(s), "shortest sequence", option, value);
  };
  const auto check_fits_tasks = [&](const std::string& option, Index value) {
    check_at_most(longest_task_sequence(s), "longest sequence of the tasks", option, value);
  };
  if (has_one_of(s, {LayerKind::kNeighbors, LayerKind::kNeighborsAndGlobal})) {
    if (s.sizes.neighbors % 2 == 0)
      throw UsageError("--neighbors must be odd, because the window is centered; not " +
                       std::to_string(s.sizes.neighbors));
    check_fits("--neighbors", s.sizes.neighbors);
    check_fits_tasks("--neighbors", s.sizes.neighbors);
  }
  if (has_one_of(s, {LayerKind::kNeighborsAndGlobal})) {
    if (s.sizes.global == 0)
      throw UsageError("--global must be at least 1; for none, leave 'global' out of --kinds");
    check_fits("--neighbors plus --global", s.sizes.neighbors + s.sizes.global);
    check_fits_tasks("--neighbors plus --global", s.sizes.neighbors + s.sizes.global);
  }
  if (has_one_of(
          s, {LayerKind::kConvolution, LayerKind::kDilatedConvolution, LayerKind::kSeparableConvolution})) {
    check_fits("--kernel", s.sizes.kernel);
    check_fits_tasks("--kernel", s.sizes.kernel);
  }
  const bool has_widths = s.parts != std::set<std::string>{"path"};  // a path is found with layers of its own
  if (has_widths &&
      has_one_of(s, {LayerKind::kSelfAttention, LayerKind::kNeighbors, LayerKind::kNeighborsAndGlobal}))
    check_head_width(s);
}

// An option of parts that do not run would be ignored.
void check_parts(const LayersSettings& s, const CommandLine& line) {
  const struct {
    std::vector<std::string> options, parts;
  } uses[] = {{{"--n"}, {"cost", "time"}},
              {{"--lengths", "--widths", "--seconds"}, {"time"}},
              {{"--path-lengths"}, {"path"}},
              {{"--distances", "--steps", "--seed"}, {"copy", "recall"}},
              {{"--svg"}, {"time", "path"}}};
  for (const auto& [options, parts] : uses) {
    const std::string given = line.first_given(options);
    const auto runs = [&](const std::string& part) { return s.parts.count(part) > 0; };
    if (!given.empty() && std::none_of(parts.begin(), parts.end(), runs))
      throw UsageError(given + " is an option of " + join(" and ", parts) + ", which --only leaves out");
  }
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
  line.option("--kinds", "NAMES", &o.kinds, "layers: all, or some of " + join(", ", kShortNames));
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
  add_threads_option(line, &o.threads);
  add_plain_option(line, &o.plain);
  return line;
}

LayersSettings checked_settings(const LayersOptions& o, const CommandLine& line) {
  LayersSettings s;
  for (const std::string& part : chosen_names("--only", o.only, kPartsOfTable)) s.parts.insert(part);
  s.kinds = kinds_of(o.kinds);
  require_between("--n", o.n, 2, kLargest);
  require_between("--d", o.d, 1, kLargest);
  require_between("--head-width", o.head_width, 1, kLargest);
  require_between("--kernel", o.kernel, 2, kLargest);
  require_between("--neighbors", o.neighbors, 3, kLargest);
  require_between("--global", o.global, 0, kLargest);
  require_between("--steps", o.steps, 1, kLargest);
  require_between("--seed", o.seed, 0, kLargest);
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
  check_parts(s, line);
  return s;
}

}  // namespace plainformer
