// The penalty is the length to the power of alpha.
double length_penalty(Index length, double alpha) {
  return std::pow(static_cast<double>(length), alpha);
}
