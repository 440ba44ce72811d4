// Paper: 4 Why Self-Attention (why the length of a path matters)
//
// Two tasks in which a symbol must cross a distance. Each sequence begins with a token of its own, which
// carries nothing; a global position can stand there.
//   copy     at each position t, name the symbol at t - distance
//   recall   one symbol of the sequence is marked; name it at the end
#pragma once

#include <string>
#include <vector>

#include "core/random.h"
#include "transformer/token_batch.h"

namespace plainformer {

enum class DistanceTask { kCopy, kRecall };

inline constexpr Index kTaskSymbols = 16;                  // 0 .. 15
inline constexpr int kTaskMark = 16;                       // a marked symbol is larger by this
inline constexpr int kTaskBegin = 32, kTaskQuestion = 33;  // the first token; recall's last token
inline constexpr Index kTaskVocabulary = 34;
inline constexpr Index kCopiedSymbols = 16;  // in each sequence of the task `copy`

struct TaskBatch {
  TokenBatch tokens;         // [batch, len]
  std::vector<int> targets;  // [batch * len]: a symbol, or kNoTarget
};

// Tokens of a sequence.
Index task_length(DistanceTask task, Index distance);

// Sequences drawn at random. In recall the marked symbol is exactly `distance` before the question; or, if
// `nearer_too`, 1 to `distance` before it, so that a model can begin with what is near.
TaskBatch draw_task(DistanceTask task, Index distance, Index batch, bool nearer_too, Random& random);

}  // namespace plainformer
