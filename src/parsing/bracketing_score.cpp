#include "parsing/bracketing_score.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/check.h"
#include "core/input_error.h"
#include "core/number_text.h"

namespace plainformer {

namespace {

constexpr std::array<std::string_view, 5> kPunctuation = {",", ":", "``", "''", "."};

// A bracket: the number of counted words before its first one, the number before its end, and its label.
using Bracket = std::tuple<Index, Index, std::string>;

bool is_punctuation(const std::string& label) {
  return std::find(kPunctuation.begin(), kPunctuation.end(), label) != kPunctuation.end();
}

// Appends the brackets of a tree whose first word has the number `first`. Returns the number of the word
// after its last one.
//   counted_before   for each word, and for the end, the number of counted words before it
std::size_t append_brackets(const Tree& tree, std::size_t first, const std::vector<Index>& counted_before,
                            std::vector<Bracket>& brackets) {
  if (tree.is_leaf()) return first + 1;
  std::size_t end = first;
  for (const Tree& child : tree.children) end = append_brackets(child, end, counted_before, brackets);
  const bool has_words = counted_before[first] < counted_before[end];
  if (has_words && !is_root(tree.label) && !is_punctuation(tree.label))
    brackets.emplace_back(counted_before[first], counted_before[end],
                          tree.label == "PRT" ? "ADVP" : tree.label);
  return end;
}

std::vector<Bracket> sorted_brackets(const Tree& tree, const std::vector<Index>& counted_before) {
  std::vector<Bracket> brackets;
  append_brackets(tree, 0, counted_before, brackets);
  std::sort(brackets.begin(), brackets.end());
  return brackets;
}

// Reads the next tree that has words, without traces and function tags. False at the end.
bool next_with_words(TreeReader& reader, Tree& tree) {
  while (reader.next(tree)) {
    tree = without_traces_and_function_tags(tree);
    if (!leaves_of(tree).front()->word.empty()) return true;
  }
  return false;
}

}  // namespace

BracketingCounts& BracketingCounts::operator+=(const BracketingCounts& other) {
  sentences += other.sentences;
  complete += other.complete;
  matched += other.matched;
  gold += other.gold;
  test += other.test;
  words += other.words;
  right_tags += other.right_tags;
  return *this;
}

BracketingCounts bracketing_counts(const Tree& gold, const Tree& test) {
  const std::vector<const Tree*> gold_leaves = leaves_of(gold), test_leaves = leaves_of(test);
  CHECK(gold_leaves.size() == test_leaves.size(), "the trees have ", gold_leaves.size(), " and ",
        test_leaves.size(), " words");
  BracketingCounts counts;
  std::vector<Index> counted_before = {0};
  for (std::size_t i = 0; i < gold_leaves.size(); ++i) {
    const bool counts_word = !gold_leaves[i]->word.empty() && !is_punctuation(gold_leaves[i]->label);
    counts.words += counts_word;
    counts.right_tags += counts_word && gold_leaves[i]->label == test_leaves[i]->label;
    counted_before.push_back(counts.words);
  }
  if (counts.words == 0) return counts;
  const std::vector<Bracket> gold_brackets = sorted_brackets(gold, counted_before),
                             test_brackets = sorted_brackets(test, counted_before);
  // A bracket that occurs twice in one tree matches twice if it occurs twice in the other.
  std::vector<Bracket> matched;
  std::set_intersection(gold_brackets.begin(), gold_brackets.end(), test_brackets.begin(),
                        test_brackets.end(), std::back_inserter(matched));
  counts.sentences = 1;
  counts.matched = std::ssize(matched);
  counts.gold = std::ssize(gold_brackets);
  counts.test = std::ssize(test_brackets);
  counts.complete = counts.matched == counts.gold && counts.matched == counts.test ? 1 : 0;
  return counts;
}

BracketingCounts corpus_bracketing(TreeReader& gold, TreeReader& test) {
  BracketingCounts counts;
  for (Tree gold_tree, test_tree;;) {
    const bool has_gold = next_with_words(gold, gold_tree), has_test = next_with_words(test, test_tree);
    if (has_gold != has_test) {
      throw input_error((has_gold ? gold : test).where(), "a tree without a counterpart in the other file",
                        "give both files one tree for each sentence, in the same order");
    }
    if (!has_gold) break;
    if (sentence_of(gold_tree) != sentence_of(test_tree)) {
      throw input_error(test.where(), "the words differ from those of " + gold.where(),
                        "parse the sentences that 'plainformer treebank sentences' prints for this treebank");
    }
    counts += bracketing_counts(gold_tree, test_tree);
  }
  if (counts.sentences == 0)
    throw input_error(gold.where(), "no tree has a word that counts",
                      "give at least one tree with a word that is not punctuation");
  return counts;
}

std::string to_string(const BracketingCounts& counts) {
  return "F1 = " + fixed_text(counts.f1(), 2) + " (recall = " + fixed_text(counts.recall(), 2) +
         " precision = " + fixed_text(counts.precision(), 2) +
         " complete match = " + fixed_text(percentage(counts.complete, counts.sentences), 1) +
         " % tags = " + fixed_text(percentage(counts.right_tags, counts.words), 1) +
         " % sentences = " + std::to_string(counts.sentences) + ")";
}

}  // namespace plainformer
