// A position at a time, and two columns at a time.
Tensor sines_and_cosines(Index max_length, Index d_model) {
  WritableTensor pe({max_length, d_model});
  for (Index pos = 0; pos < max_length; ++pos) {
    for (Index i = 0; 2 * i < d_model; ++i) {
      const double exponent = 2.0 * static_cast<double>(i) / static_cast<double>(d_model);
      const double angle = static_cast<double>(pos) / std::pow(10000.0, exponent);
      pe(pos, 2 * i) = static_cast<Real>(std::sin(angle));
      if (2 * i + 1 < d_model) pe(pos, 2 * i + 1) = static_cast<Real>(std::cos(angle));
    }
  }
  return pe;
}
