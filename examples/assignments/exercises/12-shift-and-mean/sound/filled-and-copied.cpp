// All targets are missing at first, and the tokens are copied.
std::vector<int> TranslationBatch::targets() const {
  std::vector<int> targets(target_output.ids.size(), kNoTarget);
  for (Index b = 0; b < target_output.batch; ++b) {
    for (Index t = 0; t < target_output.lengths[b]; ++t) {
      const Index at = b * target_output.len + t;
      targets[at] = target_output.ids[at];
    }
  }
  return targets;
}
