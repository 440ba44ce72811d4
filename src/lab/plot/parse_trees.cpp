// Section 6.3: two sentences that differ in one word, their trees, and the lines that a parser writes.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "core/check.h"
#include "lab/pictures/picture.h"
#include "lab/pictures/svg.h"
#include "lab/plot/plots.h"
#include "parsing/linear_tree.h"
#include "parsing/tree_reader.h"

namespace plainformer {

namespace parse_trees_picture {

constexpr double kWidth = 480, kLeft = 36, kStep = 51, kRow = 38;
constexpr int kMarked = 1;                  // the color of the phrase that moves
constexpr const char* kMarkedLabel = "PP";  // with the key, with the handle
constexpr std::size_t kLongestLine = 58;

// From the built-in treebank (docs/6.3-english-constituency-parsing.md).
constexpr const char* kTrees[] = {
    "(S (NP (DT the) (NN king)) (VP (VBZ opens) (NP (DT the) (NN door)) (PP (IN with) (NP (DT the) (NN "
    "key)))) (. .))",
    "(S (NP (DT the) (NN king)) (VP (VBZ opens) (NP (NP (DT the) (NN door)) (PP (IN with) (NP (DT the) (NN "
    "handle))))) "
    "(. .))"};

Tree tree_of(const std::string& text) {
  std::istringstream stream(text);
  TreeReader reader(stream, "the picture");
  Tree tree;
  CHECK(reader.next(tree), "no tree");
  return tree;
}

int depth_of(const Tree& tree) {
  int deepest = 0;
  for (const Tree& child : tree.children) deepest = std::max(deepest, depth_of(child));
  return deepest + 1;
}

// Draws a tree from its root at `top`. The words stand in one row.
class TreePicture {
 public:
  TreePicture(const Tree& tree, double top) : top_(top), words_(top + kRow * depth_of(tree) - 8) {
    draw(tree, 0, false);
  }

  std::string svg() const {
    return svg::path("arrow c6", lines_) + svg::path("line marked" + color_class(kMarked), marked_) + texts_;
  }
  double bottom() const { return words_; }

 private:
  // Returns the middle of the part. `inside`: below the marked phrase.
  double draw(const Tree& tree, int level, bool inside) {
    const double y = top_ + kRow * level;
    const bool is_marked = tree.label == kMarkedLabel;
    double x = kLeft + kStep * next_word_;
    if (tree.is_leaf()) {
      ++next_word_;
      connect({x, y + 5}, {x, words_ - 12}, inside);
      texts_ += svg::text("ink", {x, words_}, "middle", tree.word);
    } else {
      std::vector<double> children;
      for (const Tree& child : tree.children) children.push_back(draw(child, level + 1, inside || is_marked));
      x = (children.front() + children.back()) / 2;
      for (const double child : children) connect({x, y + 5}, {child, y + kRow - 12}, inside || is_marked);
    }
    const std::string color = is_marked        ? "fill code name" + color_class(kMarked)
                              : tree.is_leaf() ? "soft code"
                                               : "ink code name";
    texts_ += svg::text(color, {x, y}, "middle", tree.label);
    return x;
  }

  void connect(ChartPoint from, ChartPoint to, bool inside) {
    (inside ? marked_ : lines_) += svg::command('M', from) + svg::command('L', to);
  }

  double top_, words_;
  int next_word_ = 0;
  std::string lines_, marked_, texts_;
};

// The linear form, in lines of whole tokens. Moves `y` below them.
std::string draw_line(const Tree& tree, double& y) {
  std::istringstream tokens(linearize(tree));
  std::string token, line, svg;
  const auto end_line = [&] {
    svg += svg::text("soft code", {16, y}, "start", line);
    y += 15;
    line.clear();
  };
  while (tokens >> token) {
    if (line.size() + 1 + token.size() > kLongestLine) end_line();
    line += (line.empty() ? "" : " ") + token;
  }
  end_line();
  return svg;
}

}  // namespace parse_trees_picture

std::string draw_parse_trees() {
  using namespace parse_trees_picture;
  double top = 84;
  std::string svg = svg::text("soft", {16, 50}, "start",
                              "Below each tree: the line that the model is to write for its words");
  for (const char* text : kTrees) {
    const Tree tree = tree_of(text);
    const TreePicture picture(tree, top);
    svg += picture.svg();
    double y = picture.bottom() + 26;
    svg += draw_line(tree, y);
    top = y + 30;
  }
  return framed(
      {.title = "A tree, and its line",
       .description =
           "The trees of two sentences. In the king opens the door with the key, the phrase with the "
           "key is a part of the verb phrase. In the king opens the door with the handle, the phrase "
           "with the handle is a part of the noun phrase of the door. Below each tree is its linear "
           "form, brackets and tags without the words.",
       .width = kWidth,
       .height = top - 28},
      svg);
}

}  // namespace plainformer
