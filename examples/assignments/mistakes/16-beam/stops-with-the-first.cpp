// All are dropped as soon as enough have finished.
void Beam::drop_hopeless() {
  if (std::ssize(finished_) < options_.n_best) return;
  live_.clear();
}
