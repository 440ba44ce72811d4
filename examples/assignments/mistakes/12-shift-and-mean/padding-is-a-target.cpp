// The padding is a target like any other.
std::vector<int> TranslationBatch::targets() const {
  std::vector<int> result(target_output.ids.size(), kNoTarget);
  for (Index b = 0; b < target_output.batch; b++)
    for (Index t = 0; t < target_output.len; t++) {
      const Index at = b * target_output.len + t;
      result[at] = target_output.ids[at];
    }
  return result;
}
