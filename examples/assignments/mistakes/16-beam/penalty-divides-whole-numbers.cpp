// The division by 6 is that of whole numbers.
double length_penalty(Index length, double alpha) {
  return std::pow(static_cast<double>((5 + length) / 6), alpha);
}
