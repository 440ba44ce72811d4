#include "show/attention/attention_links.h"

#include <algorithm>
#include <cmath>

#include "command_line/command_line.h"
#include "data/text.h"

namespace plainformer {

namespace {

bool is_causal(const AttentionOfKind& attention) {
  return attention.kind == AttentionKind::kDecoderSelf;
}

// The keys that at least one row of the word sees. Causality hides those after its last row.
std::vector<PiecedWord> visible_words(const AttentionOfKind& attention, const PiecedWord& query) {
  std::vector<PiecedWord> visible;
  for (const PiecedWord& key : words_of_pieces(attention.keys)) {
    if (!is_causal(attention) || key.first < query.first + query.pieces) visible.push_back(key);
  }
  return visible;
}

// The sum over the pieces of the key, the mean over those of the query.    weights [heads, query_len, key_len]
double weight_between(const Tensor& weights, Index head, const PiecedWord& query, const PiecedWord& key) {
  double sum = 0;
  for (Index i = query.first; i < query.first + query.pieces; ++i)
    for (Index j = key.first; j < key.first + key.pieces; ++j)
      sum += static_cast<double>(weights.at({head, i, j}));
  return sum / static_cast<double>(query.pieces);
}

// The weight between two words if each row had equal weights on all keys that it sees.
double equal_weight_between(const AttentionOfKind& attention, const PiecedWord& query,
                            const PiecedWord& key) {
  double sum = 0;
  for (Index i = query.first; i < query.first + query.pieces; ++i) {
    const Index seen = is_causal(attention) ? i + 1 : std::ssize(attention.keys);
    const Index of_key = std::clamp<Index>(seen - key.first, 0, key.pieces);
    sum += static_cast<double>(of_key) / static_cast<double>(seen);
  }
  return sum / static_cast<double>(query.pieces);
}

// Adds one case to the counts of a head.
void count_case(const Tensor& weights, Index head, const PiecedWord& query,
                const std::vector<PiecedWord>& visible, const std::string& to, LinksOfHead& links) {
  double largest = -1;
  bool is_linked = false;
  for (const PiecedWord& key : visible) {
    const double weight = weight_between(weights, head, query, key);
    if (weight > largest) {
      largest = weight;
      is_linked = key.text == to;
    }
    if (key.text == to && !std::isnan(weight)) links.weight_sum += weight;
  }
  links.largest += is_linked;
}

std::vector<LinksOfHead> no_links(const AttentionOfKind& attention) {
  std::vector<LinksOfHead> heads;
  for (const Index layer : attention.layers)
    for (const Index head : attention.heads) heads.push_back({.layer = layer, .head = head});
  return heads;
}

}  // namespace

WordLink WordLink::parse(const std::string& text) {
  const std::size_t arrow = text.find("->");
  if (arrow != std::string::npos) {
    const auto from = split_words(std::string_view(text).substr(0, arrow)),
               to = split_words(std::string_view(text).substr(arrow + 2));
    if (from.size() == 1 && to.size() == 1) return {std::string(from.front()), std::string(to.front())};
  }
  throw UsageError("--find takes two words, such as \"kauft->buys\", not \"" + text + "\"");
}

std::pair<Index, Index> LinksOfKind::commonest_distance() const {
  std::pair<Index, Index> commonest;
  for (const auto& [distance, count] : distances) {
    const bool nearer = std::abs(distance) < std::abs(commonest.first);
    if (count > commonest.second || (count == commonest.second && nearer)) commonest = {distance, count};
  }
  return commonest;
}

void LinkCounter::add(const std::vector<AttentionOfKind>& pair) {
  if (kinds_.empty()) {
    for (const AttentionOfKind& attention : pair)
      kinds_.push_back({.kind = attention.kind, .heads = no_links(attention)});
  }
  for (std::size_t i = 0; i < pair.size(); ++i) add(pair[i], kinds_[i]);
}

void LinkCounter::add(const AttentionOfKind& attention, LinksOfKind& links) const {
  const std::vector<PiecedWord> queries = words_of_pieces(attention.queries),
                                keys = words_of_pieces(attention.keys);
  const auto is_to = [&](const PiecedWord& word) { return word.text == link_.to; };
  const Index before = links.cases;
  for (Index place = 0; place < std::ssize(queries); ++place) {
    const PiecedWord& query = queries[static_cast<std::size_t>(place)];
    if (query.text != link_.from || std::none_of(keys.begin(), keys.end(), is_to)) continue;
    const std::vector<PiecedWord> visible = visible_words(attention, query);
    if (std::none_of(visible.begin(), visible.end(), is_to)) {
      ++links.hidden;
      continue;
    }
    ++links.cases;
    for (Index other = 0; other < std::ssize(visible); ++other) {
      const PiecedWord& key = visible[static_cast<std::size_t>(other)];
      if (!is_to(key)) continue;
      ++links.distances[(other - attention.first_key_word) - (place - attention.first_query_word)];
      links.words_share += 1 / static_cast<double>(visible.size());
      links.equal_weights += equal_weight_between(attention, query, key);
    }
    auto head_links = links.heads.begin();
    for (const Tensor& weights : attention.weights)
      for (Index head = 0; head < weights.dim(0); ++head)
        count_case(weights, head, query, visible, link_.to, *head_links++);
  }
  links.pairs += links.cases > before;
}

std::vector<LinksOfKind> LinkCounter::result() const {
  std::vector<LinksOfKind> kinds = kinds_;
  for (LinksOfKind& links : kinds) {
    std::stable_sort(links.heads.begin(), links.heads.end(), [](const LinksOfHead& a, const LinksOfHead& b) {
      return std::pair(a.largest, a.weight_sum) > std::pair(b.largest, b.weight_sum);
    });
  }
  return kinds;
}

}  // namespace plainformer
