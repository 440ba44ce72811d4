// It goes through all continuations, and compares them criterion by criterion.
double length_penalty(Index length, double alpha) {
  return std::exp(alpha * std::log((5.0 + length) / 6.0));
}

void Beam::advance(const NextTokens& next, Index first_row) {
  std::vector<LiveHypothesis> next_live;
  Index rank = 0;
  for (const Candidate& candidate : ranked_candidates(next, first_row)) {
    if (candidate.next.token == kEndId && rank < options_.beam && std::ssize(next_live) < options_.beam)
      finish(live_[candidate.parent], candidate.log_probability);
    if (candidate.next.token != kEndId && std::ssize(next_live) < options_.beam) {
      LiveHypothesis child;
      child.tokens = live_[candidate.parent].tokens;
      child.tokens.push_back(candidate.next.token);
      child.log_probability = candidate.log_probability;
      child.parent = candidate.parent;
      next_live.push_back(child);
    }
    ++rank;
  }
  live_ = next_live;
  drop_hopeless();
}

std::vector<Beam::Candidate> Beam::ranked_candidates(const NextTokens& next, Index first_row) const {
  std::vector<Candidate> all;
  for (Index parent = 0; parent < std::ssize(live_); ++parent) {
    const double so_far = live_[parent].log_probability;
    const Index row = first_row + parent;
    all.push_back({parent, {kEndId, next.end[row]}, so_far + next.end[row]});
    if (std::ssize(live_[parent].tokens) > output_limit_) continue;
    for (Index i = row * next.per_row; i < (row + 1) * next.per_row; ++i) {
      all.push_back({parent, next.best[i], so_far + next.best[i].log_probability});
    }
  }
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    if (a.log_probability != b.log_probability) return a.log_probability > b.log_probability;
    if (a.parent != b.parent) return a.parent < b.parent;
    return a.next.token < b.next.token;
  });
  return all;
}

void Beam::finish(const LiveHypothesis& hypothesis, double log_probability) {
  Hypothesis finished;
  finished.tokens = std::vector<int>(hypothesis.tokens.begin() + 1, hypothesis.tokens.end());
  finished.log_probability = log_probability;
  finished.score = log_probability / length_penalty(finished.tokens.size() + 1, options_.length_penalty);
  auto place = finished_.begin();
  while (place != finished_.end() && place->score >= finished.score) ++place;
  finished_.insert(place, finished);
  if (std::ssize(finished_) > options_.n_best) finished_.pop_back();
}

void Beam::drop_hopeless() {
  const double longest = length_penalty(output_limit_ + 1, options_.length_penalty);
  for (Index i = std::ssize(live_) - 1; i >= 0 && std::ssize(finished_) >= options_.n_best; --i) {
    if (live_[i].log_probability / longest <= finished_.back().score) live_.pop_back();
  }
}
