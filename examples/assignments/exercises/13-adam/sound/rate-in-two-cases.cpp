// The rate in two cases, and roots in the place of powers.
double LearningRateSchedule::at(Index step) const {
  const double s = static_cast<double>(step), warmup = static_cast<double>(warmup_steps);
  double rate = 1 / std::sqrt(s);
  if (step < warmup_steps) rate = s / (warmup * std::sqrt(warmup));
  return scale * rate / std::sqrt(static_cast<double>(d_model));
}
