#include "lab/table_1/distance_task.h"

#include "core/check.h"
#include "ops/cross_entropy.h"

namespace plainformer {

namespace {

int draw_symbol(Random& random) {
  return static_cast<int>(random.below(kTaskSymbols));
}

}  // namespace

Index task_length(DistanceTask task, Index distance) {
  return task == DistanceTask::kCopy ? 1 + distance + kCopiedSymbols : distance + 2;
}

TaskBatch draw_task(DistanceTask task, Index distance, Index batch, bool nearer_too, Random& random) {
  CHECK(distance >= 1 && batch >= 1, "distance ", distance, ", batch ", batch);
  const bool is_copy = task == DistanceTask::kCopy;
  const Index len = task_length(task, distance);
  std::vector<std::vector<int>> sequences;
  std::vector<int> targets;
  for (Index element = 0; element < batch; ++element) {
    std::vector<int> sequence = {kTaskBegin}, answers(len, kNoTarget);
    while (static_cast<Index>(sequence.size()) < len) sequence.push_back(draw_symbol(random));
    if (is_copy) {
      for (Index t = 1 + distance; t < len; ++t) answers[t] = sequence[t - distance];
    } else {
      int& marked = sequence[len - 1 - (nearer_too ? 1 + random.below(distance) : distance)];
      answers[len - 1] = marked;
      marked += kTaskMark;
      sequence[len - 1] = kTaskQuestion;
    }
    sequences.push_back(std::move(sequence));
    targets.insert(targets.end(), answers.begin(), answers.end());
  }
  return {.tokens = TokenBatch::from(sequences), .targets = targets};
}

}  // namespace plainformer
