// The score is log P times the length penalty, not divided by it.
void Beam::finish(const LiveHypothesis& hypothesis, double log_probability) {
  const Index length = hypothesis.tokens.size();
  const double score = log_probability * length_penalty(length, options_.length_penalty);
  Hypothesis h;
  h.tokens = std::vector<int>(hypothesis.tokens.begin() + 1, hypothesis.tokens.end());
  h.log_probability = log_probability;
  h.score = score;
  std::size_t place = 0;
  while (place < finished_.size() && finished_[place].score >= score) ++place;
  finished_.insert(finished_.begin() + place, h);
  if (std::ssize(finished_) > options_.n_best) finished_.pop_back();
}
