#include "core/scratch.h"

#include <algorithm>
#include <new>
#include <vector>

#include "core/storage.h"
#include "platform/platform.h"

namespace plainformer {

namespace {

constexpr Index kScratchAlignment = 64 / sizeof(Real);  // elements in a cache line

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

thread_local Arena* arena_of_thread = nullptr;

void free_arena(void* arena) {
  delete static_cast<Arena*>(arena);
  arena_of_thread = nullptr;
}

Arena& arena() {
  if (!arena_of_thread) {
    arena_of_thread = new Arena;
    at_end_of_thread(free_arena, arena_of_thread);
  }
  return *arena_of_thread;
}

}  // namespace

Scratch::Scratch() : chunk_(arena().current), used_(arena().used) {}

Scratch::~Scratch() {
  arena().current = chunk_;
  arena().used = used_;
}

Real* Scratch::take(Index count) {
  Arena& memory = arena();
  const Index size = (count + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
  while (memory.current < memory.chunks.size() && memory.used + size > memory.chunks[memory.current].size) {
    ++memory.current;
    memory.used = 0;
  }
  if (memory.current == memory.chunks.size()) add_chunk(memory, std::max(size, kScratchOfThread));
  Real* piece = memory.chunks[memory.current].storage.data() + memory.used;
  memory.used += size;
  return piece;
}

void reserve_scratch() {
  try {
    if (arena().chunks.empty()) add_chunk(arena(), kScratchOfThread);
  } catch (const std::bad_alloc&) {  // take() tries again, where the failure can be reported
  }
}

}  // namespace plainformer
