// Section 6.1: a real beam search of the model that fits on a page (docs/page-model), and the path that greedy search
// takes in it.
#include <algorithm>
#include <string>
#include <vector>

#include "decoding/beam.h"
#include "decoding/plain_decoder.h"
#include "lab/pictures/picture.h"
#include "lab/pictures/svg.h"
#include "lab/plot/plots.h"
#include "model_folder/translator.h"
#include "ops/ways.h"
#include "report/number_format.h"
#include "report/terminal.h"

namespace plainformer {

namespace beam_tree_picture {

constexpr const char* kSource = "a the queen";  // no clause of the model's text, so it is unsure
constexpr double kWidth = 480, kLeft = 18, kTop = 112, kColumn = 100, kRow = 46;
constexpr double kCharacter = 7.4;
constexpr int kGreedyColor = 1, kBestColor = 0;

// A prefix that a step of the search keeps, or a translation that it finishes.
struct Node {
  std::vector<int> tokens;  // without <s>; a translation ends with </s>
  double log_probability;
  std::size_t step, rank = 0;
};

// The most probable first, within a step.
void rank_last_step(std::vector<Node>& nodes) {
  const std::size_t step = nodes.back().step;
  const auto first =
      std::find_if(nodes.begin(), nodes.end(), [&](const Node& node) { return node.step == step; });
  std::sort(first, nodes.end(),
            [](const Node& a, const Node& b) { return a.log_probability > b.log_probability; });
  for (auto node = first; node != nodes.end(); ++node) node->rank = static_cast<std::size_t>(node - first);
}

// The steps of beam_search for one sentence.
std::vector<Node> search(const Transformer& model, const std::vector<int>& source, SearchOptions options) {
  const EncodedSources encoded = encode_sources(model, {source});
  options.n_best = options.beam;  // so that finished() has every translation
  Beam beam(options, options.limits.output_limit(std::ssize(source), model.config().max_length));
  std::vector<Node> nodes = {{.tokens = {}, .log_probability = 0, .step = 0}};
  std::vector<double> known;  // log P of the finished translations
  for (std::size_t step = 1; !beam.done(); ++step) {
    std::vector<std::vector<int>> prefixes;
    for (const Beam::LiveHypothesis& hypothesis : beam.live()) prefixes.push_back(hypothesis.tokens);
    const std::vector<Index> sentences(prefixes.size(), 0);
    beam.advance(next_tokens(next_logits(model, encoded, prefixes, sentences), options.beam), 0);
    for (const Hypothesis& finished : beam.finished()) {
      if (std::count(known.begin(), known.end(), finished.log_probability) > 0) continue;
      known.push_back(finished.log_probability);
      nodes.push_back({finished.tokens, finished.log_probability, step});
      nodes.back().tokens.push_back(kEndId);
    }
    for (const Beam::LiveHypothesis& hypothesis : beam.live())
      nodes.push_back(
          {{hypothesis.tokens.begin() + 1, hypothesis.tokens.end()}, hypothesis.log_probability, step});
    if (nodes.back().step == step) rank_last_step(nodes);
  }
  return nodes;
}

bool is_finished(const Node& node) {
  return !node.tokens.empty() && node.tokens.back() == kEndId;
}

// True if the prefix begins the sentence, which ends with </s>.
bool begins(const std::vector<int>& prefix, const std::vector<int>& sentence) {
  return prefix.size() <= sentence.size() && std::equal(prefix.begin(), prefix.end(), sentence.begin());
}

ChartPoint place(const Node& node) {
  return {kLeft + kColumn * static_cast<double>(node.step), kTop + kRow * static_cast<double>(node.rank)};
}

std::string draw_node(const Node& node, const std::string& word, const std::string& color) {
  const ChartPoint at = place(node);
  return svg::text(color.empty() ? "ink name" : "fill name" + color, {at.x, at.y}, "start", word) +
         svg::text("soft small", {at.x, at.y + 15}, "start", format_fixed(node.log_probability, 2));
}

// From the end of the parent's word to the word.
std::string draw_link(const Node& parent, const std::string& word, const Node& node,
                      const std::string& color) {
  const ChartPoint from = place(parent), to = place(node);
  const double width = kCharacter * display_width(word) + 6;
  return svg::path("line " + (color.empty() ? "thin c6" : "marked" + color),
                   svg::command('M', {from.x + width, from.y - 4}) + svg::command('L', {to.x - 6, to.y - 4}));
}

std::string draw_tree(const std::vector<Node>& nodes, const Vocabulary& vocabulary,
                      const std::vector<int>& greedy, const std::vector<int>& best) {
  std::string svg;
  const auto word_of = [&](const Node& node) {
    return node.tokens.empty() ? std::string("<s>") : vocabulary.token(node.tokens.back());
  };
  for (const Node& node : nodes) {
    const std::string color = begins(node.tokens, best)     ? color_class(kBestColor)
                              : begins(node.tokens, greedy) ? color_class(kGreedyColor)
                                                            : "";
    svg += draw_node(node, word_of(node), node.tokens.empty() ? "" : color);
    for (const Node& parent : nodes)
      if (parent.step + 1 == node.step && !is_finished(parent) && begins(parent.tokens, node.tokens))
        svg += draw_link(parent, word_of(parent), node, color);
  }
  return svg;
}

std::string legend(double y, int color, const std::string& text) {
  return svg::path("line marked" + color_class(color), svg::command('M', {kLeft, y - 4}) + "h22") +
         svg::text("ink", {kLeft + 30, y}, "start", text);
}

std::string with_log_probability(const std::string& name, const LoadedModel& model,
                                 const Hypothesis& translation) {
  return name + ": \"" + model.decode(translation.tokens) + "\", log P " +
         format_fixed(translation.log_probability, 2);
}

}  // namespace beam_tree_picture

std::string draw_beam_tree(const std::string& folder) {
  using namespace beam_tree_picture;
  const WaysInScope plain(plain_ways("all", "the picture"));
  LoadedModel model = load_model(folder + "/../page-model");
  const std::vector<int> source = SourceReader(model).read(kSource).ids;
  Translator translator(model);
  const SearchOptions options = {.beam = 3, .length_penalty = 0};
  const Hypothesis greedy = translator.translate({source}, kGreedy)[0][0];
  const Hypothesis best = translator.translate({source}, options)[0][0];
  std::vector<int> greedy_path = greedy.tokens, best_path = best.tokens;
  greedy_path.push_back(kEndId);
  best_path.push_back(kEndId);
  const std::vector<Node> nodes = search(*model.transformer, source, options);
  std::size_t rows = 0;
  for (const Node& node : nodes) rows = std::max(rows, node.rank + 1);
  return framed(
      {.title = "A beam search, and what greedy search misses",
       .description = "A tree of prefixes. " +
                      with_log_probability("Greedy search follows the best first word", model, greedy) +
                      ". A beam of three prefixes also keeps another first word alive. " +
                      with_log_probability("It ends in a more probable translation", model, best) + ".",
       .width = kWidth,
       .height = kTop + kRow * static_cast<double>(rows) - 8},
      legend(52, kGreedyColor, with_log_probability("greedy", model, greedy)) +
          legend(74, kBestColor, with_log_probability("a beam of 3", model, best)) +
          draw_tree(nodes, model.vocabulary, greedy_path, best_path));
}

}  // namespace plainformer
