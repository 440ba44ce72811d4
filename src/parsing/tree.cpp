#include "parsing/tree.h"

#include <utility>

namespace plainformer {

namespace {

void append_leaves(const Tree& tree, std::vector<const Tree*>& leaves) {
  if (tree.is_leaf()) leaves.push_back(&tree);
  for (const Tree& child : tree.children) append_leaves(child, leaves);
}

void append_text(const Tree& tree, std::string& text) {
  text += "(" + tree.label;
  if (tree.is_leaf()) text += " " + tree.word;
  for (const Tree& child : tree.children) {
    text += " ";
    append_text(child, text);
  }
  text += ")";
}

bool is_empty(const Tree& tree) {
  return tree.is_leaf() && tree.word.empty();
}

// "NP-SBJ" -> "NP", "NP=2" -> "NP".
std::string without_function_tags(const std::string& label) {
  return label.substr(0, label.find_first_of("-=", 1));
}

Tree cleaned(const Tree& tree) {
  if (tree.is_leaf()) return tree.label == kTraceTag ? Tree() : tree;
  Tree phrase{.label = without_function_tags(tree.label)};
  for (const Tree& child : tree.children) {
    Tree part = cleaned(child);
    if (!is_empty(part)) phrase.children.push_back(std::move(part));
  }
  if (phrase.children.empty()) return {};
  return phrase;
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
    if (c == '(') {
      text += "-LRB-";
    } else if (c == ')') {
      text += "-RRB-";
    } else if (kTreeSpace.find(c) != kTreeSpace.npos) {
      text += ' ';
    } else {
      text += c;
    }
  }
  return text;
}

std::string to_string(const Tree& tree) {
  std::string text;
  append_text(tree, text);
  return text;
}

bool is_root(const std::string& label) {
  return label == "TOP" || label == "ROOT" || label == "S1";
}

Tree without_traces_and_function_tags(const Tree& tree) {
  Tree clean = cleaned(tree);
  if (is_root(clean.label) && clean.children.size() == 1) {
    Tree child = std::move(clean.children[0]);
    return child;
  }
  return clean;
}

}  // namespace plainformer
