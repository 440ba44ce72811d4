// The continuations are sorted with the least probable first.
std::vector<Beam::Candidate> Beam::ranked_candidates(const NextTokens& next, Index first_row) const {
  std::vector<Candidate> all;
  for (Index h = 0; h < std::ssize(live_); h++) {
    all.push_back({h, {kEndId, next.end[first_row + h]}, live_[h].log_probability + next.end[first_row + h]});
    if (std::ssize(live_[h].tokens) - 1 == output_limit_) continue;
    for (Index k = 0; k < next.per_row; k++) {
      const NextToken t = next.best[(first_row + h) * next.per_row + k];
      all.push_back({h, t, live_[h].log_probability + t.log_probability});
    }
  }
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    if (a.log_probability != b.log_probability) return a.log_probability < b.log_probability;
    if (a.parent != b.parent) return a.parent < b.parent;
    return a.next.token < b.next.token;
  });
  return all;
}
