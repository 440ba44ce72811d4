// Of equal continuations, the higher token id comes first.
std::vector<Beam::Candidate> Beam::ranked_candidates(const NextTokens& next, Index first_row) const {
  std::vector<Candidate> all;
  for (Index h = 0; h < std::ssize(live_); h++) {
    const double before = live_[h].log_probability;
    const Index row = first_row + h;
    all.push_back({h, {kEndId, next.end[row]}, before + next.end[row]});
    if (std::ssize(live_[h].tokens) - 1 == output_limit_) continue;
    for (Index k = 0; k < next.per_row; k++) {
      const NextToken t = next.best[row * next.per_row + k];
      all.push_back({h, t, before + t.log_probability});
    }
  }
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    if (a.log_probability != b.log_probability) return a.log_probability > b.log_probability;
    if (a.parent != b.parent) return a.parent < b.parent;
    return a.next.token > b.next.token;
  });
  return all;
}
