// The hypothesis keeps the log P of its parent.
void Beam::advance(const NextTokens& next, Index first_row) {
  const std::vector<Candidate> all = ranked_candidates(next, first_row);
  std::vector<LiveHypothesis> kept;
  for (Index i = 0; i < std::ssize(all); i++) {
    const Candidate& c = all[i];
    if (c.next.token == kEndId) {
      if (i < options_.beam) finish(live_[c.parent], c.log_probability);
      continue;
    }
    if (std::ssize(kept) >= options_.beam) continue;
    LiveHypothesis h = live_[c.parent];
    h.tokens.push_back(c.next.token);
    h.parent = c.parent;
    kept.push_back(h);
  }
  live_ = kept;
  drop_hopeless();
}
