// When the list is too long, its first is removed.
void Beam::finish(const LiveHypothesis& hypothesis, double log_probability) {
  const Index length = std::ssize(hypothesis.tokens);
  Hypothesis h;
  h.tokens = std::vector<int>(hypothesis.tokens.begin() + 1, hypothesis.tokens.end());
  h.log_probability = log_probability;
  h.score = log_probability / length_penalty(length, options_.length_penalty);
  std::size_t place = 0;
  while (place < finished_.size() && finished_[place].score >= h.score) ++place;
  finished_.insert(finished_.begin() + place, h);
  if (std::ssize(finished_) > options_.n_best) finished_.erase(finished_.begin());
}
