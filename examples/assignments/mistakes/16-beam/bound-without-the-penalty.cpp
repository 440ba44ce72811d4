// The bound is log P, without the penalty.
void Beam::drop_hopeless() {
  if (std::ssize(finished_) < options_.n_best) return;
  while (!live_.empty() && live_.back().log_probability <= finished_.back().score) live_.pop_back();
}
