#include "core/scratch.h"

#include <algorithm>
#include <new>
#include <vector>

#include "core/storage.h"

namespace plainformer {

namespace {

constexpr Index kAlignment = 64 / sizeof(Real);  // elements in a cache line

// In elements: 16 MiB of floats, more than most operations need. The system backs only the touched pages.
constexpr Index kChunk = 1 << 22;

struct Chunk {
  Storage storage;
  Index size;
};

// The chunks that this thread has allocated so far; they are freed when it ends. Pieces are taken from the
// current chunk, then from the next one that is large enough.
struct Arena {
  std::vector<Chunk> chunks;
  std::size_t current = 0;
  Index used = 0;  // of the current chunk
};

void add_chunk(Arena& memory, Index size) {
  memory.chunks.push_back({Storage(static_cast<std::size_t>(size) * sizeof(Real)), size});
}

Arena& arena() {
  thread_local Arena instance;
  return instance;
}

}  // namespace

Scratch::Scratch() : chunk_(arena().current), used_(arena().used) {}

Scratch::~Scratch() {
  arena().current = chunk_;
  arena().used = used_;
}

Real* Scratch::take(Index count) {
  Arena& memory = arena();
  const Index size = (count + kAlignment - 1) / kAlignment * kAlignment;
  while (memory.current < memory.chunks.size() && memory.used + size > memory.chunks[memory.current].size) {
    ++memory.current;
    memory.used = 0;
  }
  if (memory.current == memory.chunks.size()) add_chunk(memory, std::max(size, kChunk));
  Real* piece = memory.chunks[memory.current].storage.data() + memory.used;
  memory.used += size;
  return piece;
}

void reserve_scratch() {
  try {
    if (arena().chunks.empty()) add_chunk(arena(), kChunk);
  } catch (const std::bad_alloc&) {  // take() tries again, where the failure can be reported
  }
}

}  // namespace plainformer
