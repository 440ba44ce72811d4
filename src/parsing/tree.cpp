#include "parsing/tree.h"

#include <algorithm>
#include <utility>

#include "core/input_error.h"

namespace plainformer {

namespace {

constexpr std::string_view kComments = "*%;#";

const char* const kFormatHint = "a tree looks like (S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))";

void append_leaves(const Tree& tree, std::vector<const Tree*>& leaves) {
  if (tree.is_leaf()) leaves.push_back(&tree);
  for (const Tree& child : tree.children) append_leaves(child, leaves);
}

// "NP-SBJ" -> "NP", "NP=2" -> "NP".
std::string without_function_tags(const std::string& label) {
  return label.substr(0, label.find_first_of("-=", 1));
}

// Without traces and function tags. A leaf without a word if nothing is left.
Tree cleaned(const Tree& tree) {
  if (tree.is_leaf()) return tree.label == kTraceTag ? Tree() : tree;
  Tree phrase{.label = without_function_tags(tree.label)};
  for (const Tree& child : tree.children) {
    Tree part = cleaned(child);
    if (!part.is_leaf() || !part.word.empty()) phrase.children.push_back(std::move(part));
  }
  return phrase.children.empty() ? Tree() : phrase;
}

}  // namespace

std::vector<const Tree*> leaves_of(const Tree& tree) {
  std::vector<const Tree*> leaves;
  append_leaves(tree, leaves);
  return leaves;
}

std::string sentence_of(const Tree& tree) {
  std::string sentence;
  for (const Tree* leaf : leaves_of(tree)) sentence += (sentence.empty() ? "" : " ") + leaf->word;
  return sentence;
}

std::string as_words_of_a_tree(const std::string& sentence) {
  std::string text;
  for (const char c : sentence) {
    const bool is_space = kTreeSpace.find(c) != kTreeSpace.npos;
    text += c == '(' ? "-LRB-" : c == ')' ? "-RRB-" : std::string(1, is_space ? ' ' : c);
  }
  return text;
}

std::string to_string(const Tree& tree) {
  std::string text = "(" + tree.label;
  if (tree.is_leaf()) text += " " + tree.word;
  for (const Tree& child : tree.children) text += " " + to_string(child);
  return text + ")";
}

bool is_root(const std::string& label) {
  return label == "TOP" || label == "ROOT" || label == "S1";
}

Tree without_traces_and_function_tags(const Tree& tree) {
  Tree clean = cleaned(tree);
  if (is_root(clean.label) && clean.children.size() == 1) return std::move(clean.children[0]);
  return clean;
}

// ---- reading

TreeReader::TreeReader(std::istream& input, std::string name) : lines_(input, name), name_(std::move(name)) {}

std::string TreeReader::where() const {
  return first_line_ == 0 ? name_ : name_ + ":" + std::to_string(first_line_);
}

std::runtime_error TreeReader::error(const std::string& problem) const {
  return input_error(lines_.where(), problem, kFormatHint);
}

// Moves to the next token, in this line or a later one. False at the end.
bool TreeReader::find_token() {
  while ((at_ = line_.find_first_not_of(kTreeSpace, at_)) == std::string::npos) {
    at_ = 0;
    if (!lines_.next(line_)) {
      line_.clear();
      return false;
    }
  }
  return true;
}

// Moves to the bracket that opens the next tree, past comments. False at the end.
bool TreeReader::find_tree() {
  while (find_token()) {
    if (line_[at_] == '(') return true;
    const bool is_comment =
        line_.find_first_not_of(kTreeSpace) == at_ && kComments.find(line_[at_]) != kComments.npos;
    if (!is_comment)
      throw error(line_[at_] == ')' ? "no bracket is open here" : "a word outside all brackets");
    at_ = line_.size();
  }
  return false;
}

// The next token: a bracket, a label or a word.
std::string TreeReader::take_token() {
  const std::size_t begin = at_++;
  const bool is_bracket = line_[begin] == '(' || line_[begin] == ')';
  if (!is_bracket) at_ = std::min(line_.find_first_of(kEndOfTreeToken, begin), line_.size());
  return line_.substr(begin, at_ - begin);
}

bool TreeReader::next(Tree& tree) {
  if (!find_tree()) return false;
  first_line_ = lines_.line_number();
  std::vector<Tree> open;  // the brackets that are not closed yet, the outermost first
  while (find_token()) {
    std::string token = take_token();
    if (token == "(") {
      if (!open.empty() && !open.back().word.empty()) throw error("a bracket after a word");
      const bool has_outer_bracket = !open.empty() && open.front().label.empty();
      if (std::ssize(open) == kMaxTreeDepth + (has_outer_bracket ? 1 : 0))
        throw input_error(lines_.where(), "a tree deeper than " + std::to_string(kMaxTreeDepth),
                          "is a closing bracket missing?");
      open.emplace_back();
    } else if (token == ")") {
      Tree part = closed(std::move(open.back()));
      open.pop_back();
      if (open.empty()) {
        if (part.label.empty()) part = std::exchange(part.children[0], {});
        tree = std::move(part);
        return true;
      }
      if (part.label.empty()) throw error("a bracket without a label");
      open.back().children.push_back(std::move(part));
    } else {
      add_word(open.back(), std::move(token));
    }
  }
  throw input_error(where(), "the tree that begins here is not closed at the end of the file", kFormatHint);
}

// The first word of a bracket is its label, the second the word of a leaf.
void TreeReader::add_word(Tree& bracket, std::string token) const {
  if (!bracket.children.empty()) throw error("a word after a bracket");
  if (is_blank(token)) throw error("a word of white space alone");
  if (!bracket.word.empty()) throw error("a bracket with two words");
  (bracket.label.empty() ? bracket.label : bracket.word) = std::move(token);
}

// A finished bracket. Without a label it has exactly one child.
Tree TreeReader::closed(Tree bracket) const {
  if (bracket.children.empty() && bracket.word.empty())
    throw error(bracket.label.empty() ? "an empty bracket" : "a bracket with a label, but without a word");
  if (bracket.label.empty() && bracket.children.size() != 1) throw error("a bracket without a label");
  return bracket;
}

}  // namespace plainformer
