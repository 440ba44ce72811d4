// A hypothesis is dropped if the best finished one is better.
void Beam::drop_hopeless() {
  if (std::ssize(finished_) < options_.n_best) return;
  const double longest = length_penalty(output_limit_ + 1, options_.length_penalty);
  while (!live_.empty() && live_.back().log_probability / longest <= finished_.front().score)
    live_.pop_back();
}
