#include "decoding/fast/key_value_cache.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace plainformer {

namespace {

constexpr Index kFirstCapacity = 32;

// The nodes that lie on some path, ascending.
std::vector<Index> nodes_on(std::span<const std::vector<Index>> paths) {
  std::vector<Index> nodes;
  for (const auto& path : paths) nodes.insert(nodes.end(), path.begin(), path.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

KeyValueCache::KeyValueCache(Index layers, Index sentences, Index key_width, Index value_width)
    : layers_(layers), key_width_(key_width), value_width_(value_width), trees_(sentences) {}

void KeyValueCache::extend(std::span<const GrownHypothesis> hypotheses) {
  // Step 1. Each new path begins as a copy of its parent's.
  std::vector<std::vector<Index>> paths;
  std::vector<Index> rows(trees_.size());
  Index last_sentence = 0;
  for (const auto& [sentence, parent, token] : hypotheses) {
    CHECK(sentence >= last_sentence && sentence < std::ssize(trees_), "sentence ", sentence, " after ",
          last_sentence);
    const Tree& tree = trees_[sentence];
    const bool is_known = parent >= tree.first_row && parent < tree.first_row + tree.rows;
    CHECK(parent == kNoParent || is_known, "parent ", parent, " of sentence ", sentence);
    last_sentence = sentence;
    ++rows[sentence];
    paths.push_back(parent == kNoParent ? std::vector<Index>() : paths_[parent]);
  }
  paths_ = std::move(paths);

  // Step 2. Each path grows by its own new node.
  Index first_row = 0;
  for (std::size_t sentence = 0; sentence < trees_.size(); ++sentence) {
    Tree& tree = trees_[sentence];
    tree.first_row = std::exchange(first_row, first_row + rows[sentence]);
    tree.rows = rows[sentence];
    if (tree.rows == 0) {
      tree = Tree();
      continue;
    }
    if (tree.nodes + tree.rows > tree.capacity) make_room(tree);
    for (auto& path : paths_of(tree)) path.push_back(tree.nodes++);
  }
}

std::span<std::vector<Index>> KeyValueCache::paths_of(const Tree& tree) {
  return std::span(paths_).subspan(tree.first_row, tree.rows);
}

// Removes the nodes that lie on no path, then doubles the room until at least half of it is free.
void KeyValueCache::make_room(Tree& tree) {
  // Step 1. List the nodes to keep, and find the new room.
  const std::vector<Index> kept = nodes_on(paths_of(tree));
  Index capacity = std::max(kFirstCapacity, tree.capacity);
  while (2 * (std::ssize(kept) + tree.rows) > capacity) capacity *= 2;

  // Step 2. Move their keys and values.
  tree.keys.resize(layers_);
  tree.values.resize(layers_);
  for (Index layer = 0; layer < layers_; ++layer) {
    Tensor keys({key_width_, capacity}), values({capacity, value_width_});
    Real* new_keys = keys.mutable_data();
    Real* new_values = values.mutable_data();
    for (Index p = 0; p < key_width_; ++p) {
      const Real* old_keys = tree.keys[layer].data() + p * tree.capacity;
      for (Index i = 0; i < std::ssize(kept); ++i) new_keys[p * capacity + i] = old_keys[kept[i]];
    }
    for (const Index node : kept)
      new_values = std::copy_n(tree.values[layer].data() + node * value_width_, value_width_, new_values);
    tree.keys[layer] = std::move(keys);
    tree.values[layer] = std::move(values);
  }

  // Step 3. Renumber the nodes of the paths.
  std::vector<Index> new_number(tree.nodes);
  for (Index i = 0; i < std::ssize(kept); ++i) new_number[kept[i]] = i;
  for (auto& path : paths_of(tree))
    for (Index& node : path) node = new_number[node];
  tree.nodes = std::ssize(kept);
  tree.capacity = capacity;
}

void KeyValueCache::store(Index layer, const Tensor& k, const Tensor& v) {
  CHECK_SHAPE(k, rows(), 1, key_width_);
  CHECK_SHAPE(v, rows(), 1, value_width_);
  for (Tree& tree : trees_) {
    if (tree.rows == 0) continue;
    // The newest nodes are the last ones, in the order of the rows.
    const Index first_node = tree.nodes - tree.rows;
    const Real* from = k.data() + tree.first_row * key_width_;
    Real* keys = tree.keys[layer].mutable_data() + first_node;
    for (Index p = 0; p < key_width_; ++p) {
      for (Index i = 0; i < tree.rows; ++i) keys[p * tree.capacity + i] = from[i * key_width_ + p];
    }
    std::copy_n(v.data() + tree.first_row * value_width_, tree.rows * value_width_,
                tree.values[layer].mutable_data() + first_node * value_width_);
  }
}

std::vector<QueryGroup> KeyValueCache::groups(Index layer) const {
  std::vector<QueryGroup> groups;
  for (const Tree& tree : trees_) {
    if (tree.rows == 0) continue;
    groups.push_back({.first_row = tree.first_row,
                      .rows = tree.rows,
                      .keys = {tree.keys[layer].data(), key_width_, tree.nodes, tree.capacity},
                      .values = {tree.values[layer].data(), tree.nodes, value_width_, value_width_}});
  }
  return groups;
}

}  // namespace plainformer
