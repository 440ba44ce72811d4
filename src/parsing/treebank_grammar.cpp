#include "parsing/treebank_grammar.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/check.h"
#include "core/random.h"

namespace plainformer {

namespace {

// --- The words

using Words = std::vector<std::string_view>;

// Nouns, and their accessories: "the man with the hat", "the house with the roof", "the door with the
// handle".
struct Nouns {
  Words words, accessories;
};

const Nouns kLiving = {{"man", "woman", "king", "queen", "girl", "boy", "cat", "dog", "farmer"},
                       {"hat", "crown", "beard", "coat"}};
const Nouns kPlaces = {{"house", "garden", "castle", "village"}, {"roof", "fence", "tower", "gate"}};
const Nouns kThings = {{"box", "door", "bread", "soup", "book", "picture"},
                       {"cover", "handle", "price", "label"}};

// A verb takes its instrument to itself ("opens the door with the key"); any other "with" belongs to a noun.
struct Verb {
  std::string_view singular, plural;
  std::string_view instrument;  // or none
};

const std::vector<Verb> kTransitive = {{"opens", "open", "key"},     {"locks", "lock", "key"},
                                       {"sees", "see", "telescope"}, {"watches", "watch", "telescope"},
                                       {"cuts", "cut", "knife"},     {"paints", "paint", "brush"},
                                       {"cleans", "clean", "brush"}, {"likes", "like", ""},
                                       {"finds", "find", ""},        {"buys", "buy", ""}};
const std::vector<Verb> kIntransitive = {
    {"sleeps", "sleep", ""}, {"laughs", "laugh", ""}, {"dances", "dance", ""}, {"works", "work", ""}};
const std::vector<Verb> kOfSaying = {{"says", "say", ""}, {"thinks", "think", ""}, {"knows", "know", ""}};

const Words kAdjectives = {"small", "tall", "red", "happy", "new"};
const Words kDeterminers = {"the", "a", "this", "every"};
const Words kPrepositions = {"in", "near", "behind"};
const Words kTimes = {"dinner", "lunch", "winter"};

// --- Phrases. Each draw is a statement of its own, because compilers evaluate arguments in different orders.

Tree leaf(std::string_view tag, std::string_view word) {
  return {.label = std::string(tag), .word = std::string(word)};
}

Tree phrase(std::string_view label, std::vector<Tree> children) {
  return {.label = std::string(label), .children = std::move(children)};
}

enum class Role { kSubject, kObject };  // a subject lives

// A subject, and the form of the verb that agrees with it: two nouns joined by "and" are plural.
struct NounPhrase {
  Tree tree;
  bool is_plural = false;
};

class Grammar {
 public:
  explicit Grammar(Random& random) : random_(random) {}

  // "the cat sees the dog .", with clauses nested at most `depth` deep
  Tree sentence(Index depth) {
    // A verb of saying in the first statement could take the second one into its clause.
    if (depth > 1 && random_.happens(25)) {
      Tree first = clause(depth - 1, false), second = clause(depth - 1, true);
      return phrase("S", {std::move(first), leaf("CC", "and"), std::move(second), leaf(".", ".")});
    }
    Tree statement = clause(depth, true);
    statement.children.push_back(leaf(".", "."));
    return statement;
  }

 private:
  // "the cat sees the dog"
  Tree clause(Index depth, bool may_say) {
    NounPhrase subject = noun_phrase(depth - 1, Role::kSubject);
    Tree predicate = verb_phrase(depth - 1, subject.is_plural, may_say);
    return phrase("S", {std::move(subject.tree), std::move(predicate)});
  }

  // "sees the dog", "sees the dog and sleeps", "says that the cat sleeps"
  Tree verb_phrase(Index depth, bool is_plural, bool may_say) {
    if (may_say && depth > 0 && random_.happens(30)) {
      Tree verb = verb_of(random_.any_of(kOfSaying), is_plural);
      Tree statement = clause(depth, true);
      return phrase("VP", {std::move(verb), phrase("SBAR", {leaf("IN", "that"), std::move(statement)})});
    }
    if (random_.happens(15)) {
      Tree first = simple_verb_phrase(0, is_plural), second = simple_verb_phrase(depth, is_plural);
      return phrase("VP", {std::move(first), leaf("CC", "and"), std::move(second)});
    }
    return simple_verb_phrase(depth, is_plural);
  }

  // "sleeps", "sees the dog", "sees the dog with the telescope", "sleeps after dinner"
  Tree simple_verb_phrase(Index depth, bool is_plural) {
    const bool is_transitive = !random_.happens(25);
    const Verb& verb = random_.any_of(is_transitive ? kTransitive : kIntransitive);
    Tree predicate = phrase("VP", {verb_of(verb, is_plural)});
    if (is_transitive) predicate.children.push_back(noun_phrase(depth, Role::kObject).tree);
    // After an object with a clause of its own, "with the telescope" would belong to that clause's verb.
    if (clause_depth(predicate) > 0) return predicate;
    if (!verb.instrument.empty() && random_.happens(40)) {
      predicate.children.push_back(prepositional_phrase("with", bare_noun_phrase(verb.instrument)));
    }
    if (random_.happens(15)) {
      const std::string_view time = random_.any_of(kTimes);
      predicate.children.push_back(prepositional_phrase("after", phrase("NP", {leaf("NN", time)})));
    }
    return predicate;
  }

  Tree verb_of(const Verb& verb, bool is_plural) {
    return is_plural ? leaf("VBP", verb.plural) : leaf("VBZ", verb.singular);
  }

  // "the cat", "the cat and the dog", "the man in the house with the hat", "the cat that the dog sees"
  NounPhrase noun_phrase(Index depth, Role role) {
    if (random_.happens(12)) {
      Tree first = bare_noun_phrase(random_.any_of(kLiving.words));
      Tree second = single_noun_phrase(depth, role);
      return {phrase("NP", {std::move(first), leaf("CC", "and"), std::move(second)}), true};
    }
    return {single_noun_phrase(depth, role), false};
  }

  Tree single_noun_phrase(Index depth, Role role) {
    const bool is_living = role == Role::kSubject || random_.happens(50);
    const Nouns& nouns = is_living ? kLiving : kThings;
    Tree tree = bare_noun_phrase(random_.any_of(nouns.words));
    if (depth > 0 && random_.happens(45)) {
      Tree modifier = relative_clause(depth, is_living);
      return phrase("NP", {std::move(tree), std::move(modifier)});
    }
    if (random_.happens(25)) {
      Tree place = place_phrase();
      tree = phrase("NP", {std::move(tree), std::move(place)});
    }
    if (random_.happens(20)) tree = with_accessory(std::move(tree), nouns);
    return tree;
  }

  // "in the house", "near the castle with the tower"
  Tree place_phrase() {
    const std::string_view preposition = random_.any_of(kPrepositions);
    Tree place = bare_noun_phrase(random_.any_of(kPlaces.words));
    if (random_.happens(25)) place = with_accessory(std::move(place), kPlaces);
    return prepositional_phrase(preposition, std::move(place));
  }

  Tree with_accessory(Tree tree, const Nouns& nouns) {
    Tree accessory = bare_noun_phrase(random_.any_of(nouns.accessories));
    return phrase("NP", {std::move(tree), prepositional_phrase("with", std::move(accessory))});
  }

  // "that sleeps", "that sees the dog", "that the dog sees"
  Tree relative_clause(Index depth, bool may_act) {
    Tree that = phrase("WHNP", {leaf("WDT", "that")});
    if (may_act && random_.happens(50)) {
      Tree predicate = simple_verb_phrase(depth - 1, false);
      return phrase("SBAR", {std::move(that), phrase("S", {std::move(predicate)})});
    }
    NounPhrase subject = noun_phrase(depth - 1, Role::kSubject);
    Tree verb = verb_of(random_.any_of(kTransitive), subject.is_plural);
    Tree statement = phrase("S", {std::move(subject.tree), phrase("VP", {std::move(verb)})});
    return phrase("SBAR", {std::move(that), std::move(statement)});
  }

  Tree prepositional_phrase(std::string_view preposition, Tree noun) {
    return phrase("PP", {leaf("IN", preposition), std::move(noun)});
  }

  // "the small cat"
  Tree bare_noun_phrase(std::string_view noun) {
    Tree tree = phrase("NP", {leaf("DT", random_.any_of(kDeterminers))});
    if (random_.happens(25)) tree.children.push_back(leaf("JJ", random_.any_of(kAdjectives)));
    tree.children.push_back(leaf("NN", noun));
    return tree;
  }

  Random& random_;
};

}  // namespace

Index clause_depth(const Tree& tree) {
  Index inside = 0;
  for (const Tree& child : tree.children) inside = std::max(inside, clause_depth(child));
  return inside + (tree.label == "S" ? 1 : 0);
}

Tree random_tree(Random& random, Index max_depth) {
  return Grammar(random).sentence(max_depth);
}

Treebank generate_treebank(std::uint64_t seed, Index train, Index held_out) {
  for (const Index trees : {train, held_out})
    CHECK(0 <= trees && trees <= kMaxTreebankTrees, trees, " trees of the built-in treebank");
  CHECK(train + 3 * held_out <= kMaxTreebankTrees, train + 3 * held_out, " trees of the built-in treebank");
  Random random(random_stream(seed, 0, random_site::kGrammar));
  std::unordered_set<std::string> seen;
  // Draws trees of a clause depth from `least` to `most` whose sentences are new.
  const auto draw = [&](Index count, Index least, Index most) {
    std::vector<Tree> trees;
    while (std::ssize(trees) < count) {
      Tree tree = random_tree(random, most);
      if (clause_depth(tree) < least || std::ssize(leaves_of(tree)) > kMaxTreebankWords) continue;
      if (seen.insert(sentence_of(tree)).second) trees.push_back(std::move(tree));
    }
    return trees;
  };
  // The trees are shuffled before they are split, because short sentences soon repeat and later draws are
  // longer.
  std::vector<Tree> trees = draw(train + 2 * held_out, 1, kTrainedDepth);
  shuffle(trees, random);
  const auto valid = trees.begin() + train, test = valid + held_out;
  return {.train = {trees.begin(), valid},
          .valid = {valid, test},
          .test = {test, trees.end()},
          .deeper = draw(held_out, kTrainedDepth + 1, kTrainedDepth + 2)};
}

}  // namespace plainformer
