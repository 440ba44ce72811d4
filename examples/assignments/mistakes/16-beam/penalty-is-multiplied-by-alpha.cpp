// Alpha is a factor, not a power.
double length_penalty(Index length, double alpha) {
  return alpha * (5.0 + static_cast<double>(length)) / 6.0;
}
