#include "parsing/linear_tree.h"

#include <iterator>
#include <utility>

#include "core/check.h"
#include "data/text.h"

namespace plainformer {

namespace {

bool is_label(std::string_view text) {
  return !text.empty() && text.find_first_of(kEndOfTreeToken) == text.npos && text != kTraceTag;
}

// Builds a tree from the tokens of its linear form, which may be wrong.
class TreeBuilder {
 public:
  explicit TreeBuilder(const std::vector<std::string>& words) : words_(words) { open_.emplace_back(); }

  void open_phrase(std::string_view label) {
    if (is_label(label) && std::ssize(open_) < kMaxTreeDepth - 1)
      open_.push_back({.label = std::string(label)});
  }

  void add_word(std::string_view tag) {
    if (next_word_ == words_.size()) return;
    const std::string_view label = is_label(tag) ? tag : "XX";
    open_.back().children.push_back({.label = std::string(label), .word = words_[next_word_++]});
  }

  void close_phrase(std::string_view label) {
    std::size_t match = open_.size() - 1;
    while (match > 0 && open_[match].label != label) --match;
    if (match > 0) close_down_to(match);
  }

  Tree finish() {
    if (next_word_ < words_.size()) reopen_last_root();
    while (next_word_ < words_.size()) add_word("XX");
    close_down_to(1);
    Tree root = std::move(open_[0]);
    if (root.children.size() == 1) return std::move(root.children[0]);
    root.label = "S";
    return root;
  }

 private:
  void reopen_last_root() {
    std::vector<Tree>& roots = open_[0].children;
    if (open_.size() > 1 || roots.empty() || roots.back().is_leaf()) return;
    Tree root = std::move(roots.back());
    roots.pop_back();
    open_.push_back(std::move(root));
  }

  // Closes the phrases from the innermost one to number `last`.
  void close_down_to(std::size_t last) {
    while (open_.size() > last) {
      Tree phrase = std::move(open_.back());
      open_.pop_back();
      if (!phrase.children.empty()) open_.back().children.push_back(std::move(phrase));
    }
  }

  const std::vector<std::string>& words_;
  std::size_t next_word_ = 0;
  std::vector<Tree> open_;  // the phrases that are not closed yet, the outermost first; [0] holds the roots
};

}  // namespace

std::string linearize(const Tree& tree) {
  if (tree.is_leaf()) return tree.label;
  std::string line = "(" + tree.label;
  for (const Tree& child : tree.children) line += " " + linearize(child);
  return line + " )" + tree.label;
}

ParsedSentence tree_of_line(std::string_view line, const std::vector<std::string>& words) {
  CHECK(!words.empty(), "a sentence without words has no tree");
  for (const std::string& word : words)
    CHECK(!word.empty() && word.find_first_of(kEndOfTreeToken) == word.npos, "\"", word, "\" in a tree");
  TreeBuilder builder(words);
  const std::vector<std::string_view> tokens = split_words(line);
  for (const std::string_view token : tokens) {
    const char first = token[0];
    if (first == '(') {
      builder.open_phrase(token.substr(1));
    } else if (first == ')') {
      builder.close_phrase(token.substr(1));
    } else {
      builder.add_word(token);
    }
  }
  Tree tree = builder.finish();
  const bool is_repaired = tokens != split_words(linearize(tree));
  return {std::move(tree), is_repaired};
}

}  // namespace plainformer
