#include "core/storage.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "platform/platform.h"

namespace plainformer {

namespace {

constexpr std::size_t kAlignment = 64;      // a cache line, and the widest vector
constexpr std::size_t kStepsPerDouble = 8;  // from 512 bytes on, size classes grow by an eighth at most
constexpr std::size_t kClasses = 64 * kStepsPerDouble;
constexpr std::size_t kLargest = std::size_t{1} << (sizeof(std::size_t) == 8 ? 60 : 30);  // far from overflow
constexpr std::size_t kClassesToSearch = 9;  // a free block up to twice as large is better than a new one

// The capacities are 64 * {8, 9, ..., 15} / 8 * 2^i, rounded up to the alignment.
std::size_t capacity_of_class(std::size_t size_class) {
  const std::size_t doubling = size_class / kStepsPerDouble;
  const std::size_t eighths = kStepsPerDouble + size_class % kStepsPerDouble;
  const std::size_t capacity = (kAlignment << doubling) / kStepsPerDouble * eighths;
  return (capacity + kAlignment - 1) / kAlignment * kAlignment;
}

std::size_t class_of_size(std::size_t bytes) {
  const std::size_t units = std::max<std::size_t>(1, (bytes + kAlignment - 1) / kAlignment);
  const std::size_t doubling = std::bit_width(units) - 1;
  std::size_t size_class = doubling * kStepsPerDouble;
  while (capacity_of_class(size_class) < bytes) ++size_class;
  return size_class;
}

}  // namespace

struct alignas(kAlignment) Storage::Block {
  std::atomic<std::uint32_t> references;
  std::size_t size_class;
  std::size_t used_bytes;  // asked for by the present user, at most the capacity
  Block* next_free;
};

namespace {

// Free blocks by size class. One lock is enough: to take a block is short compared with filling it.
class Pool {
 public:
  Storage::Block* take(std::size_t bytes) {
    if (bytes > kLargest) throw std::bad_alloc();
    const std::size_t size_class = class_of_size(bytes);
    {
      std::lock_guard<std::mutex> lock(mutex_);
      for (std::size_t c = size_class; c < size_class + kClassesToSearch && c < kClasses; ++c) {
        if (Storage::Block* block = free_[c]) {
          free_[c] = block->next_free;
          use(*block, bytes);
          return block;
        }
      }
    }
    return allocate(size_class, bytes);
  }

  void give_back(Storage::Block* block) {
    std::lock_guard<std::mutex> lock(mutex_);
    statistics_.used_bytes -= block->used_bytes;
    block->next_free = free_[block->size_class];
    free_[block->size_class] = block;
  }

  StorageStatistics statistics() {
    std::lock_guard<std::mutex> lock(mutex_);
    return statistics_;
  }

  void restart_peak() {
    std::lock_guard<std::mutex> lock(mutex_);
    statistics_.peak_used_bytes = statistics_.used_bytes;
  }

 private:
  // The caller holds the lock.
  void use(Storage::Block& block, std::size_t bytes) {
    block.used_bytes = bytes;
    statistics_.used_bytes += bytes;
    statistics_.peak_used_bytes = std::max(statistics_.peak_used_bytes, statistics_.used_bytes);
  }

  Storage::Block* allocate(std::size_t size_class, std::size_t used_bytes) {
    const std::size_t bytes = bytes_of_block(size_class);
    void* memory = ::operator new(bytes, std::align_val_t(kAlignment), std::nothrow);
    if (!memory) {
      return_free_blocks();
      memory = ::operator new(bytes, std::align_val_t(kAlignment));
    }
    std::lock_guard<std::mutex> lock(mutex_);
    statistics_.system_allocations += 1;
    statistics_.system_bytes += bytes;
    auto* block = new (memory) Storage::Block;
    block->size_class = size_class;
    use(*block, used_bytes);
    return block;
  }

  // Returns free blocks to the system, so that blocks of other sizes can be allocated.
  void return_free_blocks() {
    std::lock_guard<std::mutex> lock(mutex_);
    for (Storage::Block*& list : free_) {
      while (Storage::Block* block = list) {
        list = block->next_free;
        statistics_.system_bytes -= bytes_of_block(block->size_class);
        block->~Block();
        ::operator delete(block, std::align_val_t(kAlignment));
      }
    }
  }

  static std::size_t bytes_of_block(std::size_t size_class) {
    return sizeof(Storage::Block) + capacity_of_class(size_class);
  }

  std::mutex mutex_;
  std::array<Storage::Block*, kClasses> free_ = {};
  StorageStatistics statistics_ = {0, 0, 0, 0};
};

// The pool is never destroyed: tensors of static lifetime may outlive any other static object.
Pool& storage_pool() {
  static Pool* const instance = new Pool;
  return *instance;
}

}  // namespace

Storage::Storage(std::size_t bytes)
    : block_(storage_pool().take(bytes)), data_(reinterpret_cast<Real*>(block_ + 1)) {
  block_->references.store(1, std::memory_order_relaxed);
#if defined(PLAINFORMER_UNWRITTEN_IS_NAN) || !defined(NDEBUG)  // an element that was forgotten shows
  std::fill_n(data_, bytes / sizeof(Real), std::numeric_limits<Real>::quiet_NaN());
#endif
}

Storage::Storage(const Storage& other) : block_(other.block_), data_(other.data_) {
  if (block_) block_->references.fetch_add(1, std::memory_order_relaxed);
}

Storage& Storage::operator=(Storage other) noexcept {
  std::swap(block_, other.block_);
  std::swap(data_, other.data_);
  return *this;
}

Storage::~Storage() {
  if (block_ && block_->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    storage_pool().give_back(block_);
}

bool Storage::is_shared() const {
  return block_ && block_->references.load(std::memory_order_acquire) > 1;
}

StorageStatistics storage_statistics() {
  return storage_pool().statistics();
}

void restart_storage_peak() {
  storage_pool().restart_peak();
}

// --- working memory ---

namespace {

constexpr Index kScratchAlignment = kAlignment / sizeof(Real);  // elements in a cache line

struct Chunk {
  Storage storage;
  Index size;
};

// The chunks that this thread has allocated so far; they are freed when it ends. Pieces are taken from the
// current chunk, then from the next one that is large enough.
struct Arena {
  std::vector<Chunk> chunks;
  std::size_t current = 0;
  Index used = 0;  // the used elements of the current chunk
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
