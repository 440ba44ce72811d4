// Section 4: a sentence through a chain, two trees and a star, with the paths from two words to the end.
#include <algorithm>
#include <string>
#include <vector>

#include "core/check.h"
#include "lab/pictures/picture.h"
#include "lab/pictures/svg.h"
#include "lab/plot/plots.h"
#include "lab/table_1/layer_path.h"

namespace plainformer {

namespace paths_picture {

using Path = std::vector<ChartPoint>;

const std::vector<std::string> kWords = {"they", "know", "that", "the",  "small", "queen",
                                         "buys", "this", "new",  "book", "</s>"};
const Index kLen = std::ssize(kWords), kLast = kLen - 1;
constexpr Index kFirst = 0, kVerb = 6;  // the words whose paths are drawn
constexpr int kFirstColor = 1, kVerbColor = 0;
constexpr double kWidth = 480, kLeft = 30, kStep = 42, kRow = 32, kHighRow = 56, kBetween = 44;
constexpr const char* kNode = "m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0z";

// A stack of layers over the words. heard[layer][t]: the positions below that position t hears.
struct Stack {
  std::vector<std::vector<std::vector<bool>>> heard;

  Index layers() const { return std::ssize(heard); }
};

// As many layers as it takes until the last position hears all words.
Stack stack_of(LayerKind kind) {
  const LayerSizes sizes = {.d = 4, .heads = 2};
  Stack stack;
  const Index layers = layers_until_all_is_heard(kind, sizes, kLen, kLen);
  for (Index depth = 0; depth < layers; ++depth) {
    stack.heard.emplace_back();
    for (Index t = 0; t < kLen; ++t) {
      std::vector<bool> by(kLen, false);
      by[t] = true;
      stack.heard.back().push_back(positions_heard(kind, sizes, by, depth));
    }
  }
  return stack;
}

// The positions from a word up to the last one, by as few layers as possible.
std::vector<Index> shortest_path(const Stack& stack, Index word) {
  std::vector<std::vector<Index>> from(1, std::vector<Index>(kLen, -1));  // [level][t]: the position below
  std::vector<bool> reached(kLen, false);
  reached[word] = true;
  for (Index level = 0; !reached[kLast]; ++level) {
    CHECK(level < stack.layers(), "no path from ", word);
    std::vector<bool> above(kLen, false);
    from.emplace_back(kLen, -1);
    for (Index t = 0; t < kLen; ++t) {
      for (Index s = 0; s < kLen; ++s) {
        if (!reached[s] || !stack.heard[level][t][s]) continue;
        above[t] = true;
        from.back()[t] = s;
      }
    }
    reached = above;
  }
  std::vector<Index> path = {kLast};
  for (std::size_t level = from.size() - 1; level > 0; --level) path.push_back(from[level][path.back()]);
  std::reverse(path.begin(), path.end());
  return path;
}

double x_of(Index position) {
  return kLeft + kStep * static_cast<double>(position);
}

std::string draw_words(double y) {
  std::string svg;
  for (Index t = 0; t < kLen; ++t) svg += svg::text("ink", {x_of(t), y}, "middle", kWords[t]);
  return svg;
}

std::string draw_path(const Path& path, int color) {
  std::string commands;
  for (const ChartPoint point : path) commands += svg::command(commands.empty() ? 'M' : 'L', point);
  return svg::path("line marked" + color_class(color), commands);
}

std::string heading(const std::string& name, std::size_t from_first, std::size_t from_verb, double y) {
  return svg::text("ink heading", {16, y}, "start", name) +
         svg::text("fill" + color_class(kFirstColor), {kWidth - 116, y}, "end",
                   "from " + kWords[kFirst] + ": " + std::to_string(from_first)) +
         svg::text("fill" + color_class(kVerbColor), {kWidth - 16, y}, "end",
                   "from " + kWords[kVerb] + ": " + std::to_string(from_verb));
}

// A node for each state, with its word above.
std::string draw_chain(double& top) {
  const double words = top + 22, y = words + kRow;
  std::string thin, nodes;
  for (Index t = 0; t < kLen; ++t) {
    thin += svg::command('M', {x_of(t), words + 6}) + svg::command('L', {x_of(t), y});
    nodes += svg::command('M', {x_of(t), y}) + kNode;
  }
  const auto path_from = [&](Index word, double below) {
    return Path{{x_of(word), words + 6}, {x_of(word), y + below}, {x_of(kLast), y + below}};
  };
  const std::string svg = heading("Recurrent: a chain of states", kLast - kFirst, kLast - kVerb, top) +
                          draw_words(words) + svg::path("arrow c6", thin) +
                          draw_path(path_from(kFirst, -1.5), kFirstColor) +
                          draw_path(path_from(kVerb, 1.5), kVerbColor) + svg::path("fill c6", nodes);
  top = y + kBetween;
  return svg;
}

// The edges below the last position of the highest layer, and the two paths on them.
std::string draw_stack(const std::string& name, LayerKind kind, double& top) {
  const Stack stack = stack_of(kind);
  const double words = top + 22, row = stack.layers() == 1 ? kHighRow : kRow;
  const auto at = [&](Index level, Index t) {
    return ChartPoint{x_of(t), words + row * static_cast<double>(level) + (level == 0 ? 6 : 0)};
  };
  std::string thin, nodes;
  std::vector<bool> needed(kLen, false);
  needed[kLast] = true;
  for (Index level = stack.layers(); level > 0; --level) {
    std::vector<bool> below(kLen, false);
    for (Index t = 0; t < kLen; ++t) {
      if (!needed[t]) continue;
      nodes += svg::command('M', at(level, t)) + kNode;
      for (Index s = 0; s < kLen; ++s) {
        if (!stack.heard[level - 1][t][s]) continue;
        below[s] = true;
        thin += svg::command('M', at(level - 1, s)) + svg::command('L', at(level, t));
      }
    }
    needed = below;
  }
  const auto points = [&](const std::vector<Index>& path) {
    Path result;
    for (std::size_t level = 0; level < path.size(); ++level)
      result.push_back(at(static_cast<Index>(level), path[level]));
    return result;
  };
  const std::vector<Index> first = shortest_path(stack, kFirst), verb = shortest_path(stack, kVerb);
  const std::string svg = heading(name, first.size() - 1, verb.size() - 1, top) + draw_words(words) +
                          svg::path("line thin c6", thin) + draw_path(points(first), kFirstColor) +
                          draw_path(points(verb), kVerbColor) + svg::path("fill c6", nodes);
  top = words + row * static_cast<double>(stack.layers()) + kBetween;
  return svg;
}

}  // namespace paths_picture

std::string draw_paths() {
  using namespace paths_picture;
  double top = 78;
  std::string svg = svg::text("soft", {16, 50}, "start",
                              "Steps from a word to the end of the sentence, where its verb is written");
  svg += draw_chain(top);
  svg += draw_stack("Convolution of 3: a tree", LayerKind::kConvolution, top);
  svg += draw_stack("Dilated: a wider tree", LayerKind::kDilatedConvolution, top);
  svg += draw_stack("Self-attention: a star", LayerKind::kSelfAttention, top);
  return framed({.title = "A chain, a tree and a star",
                 .description = "Four drawings of the same eleven tokens, with the steps from the first word "
                                "and from buys to the last token. In the chain of states these are ten and "
                                "four. In a stack of convolutions over three positions, five and two layers. "
                                "With gaps that grow by three in each layer, three and two. In "
                                "self-attention each word is one step away.",
                 .width = kWidth,
                 .height = top - 20},
                svg);
}

}  // namespace plainformer
