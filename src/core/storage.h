// Memory for tensors: 64-byte aligned, reference-counted, and kept for the next tensor when it is free. And
// the working memory of one thread: taken piece by piece, returned all at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/real.h"

namespace plainformer {

// A counted reference to a block of memory. Copies refer to the same block; the last one returns it to the
// pool.
class Storage {
 public:
  Storage() = default;
  // The contents are unspecified (NaN in debug builds and in the course). std::bad_alloc if memory runs out.
  explicit Storage(std::size_t bytes);
  Storage(const Storage& other);
  Storage(Storage&& other) noexcept
      : block_(std::exchange(other.block_, nullptr)), data_(std::exchange(other.data_, nullptr)) {}
  Storage& operator=(Storage other) noexcept;
  ~Storage();

  Real* data() const { return data_; }  // nullptr for an empty storage
  bool is_shared() const;               // does another Storage refer to this block?

  struct Block;  // a header, then the data

 private:
  Block* block_ = nullptr;
  Real* data_ = nullptr;
};

// The memory that the pool has requested from the system (a steady training step requests none), and the part
// of it that is in use.
struct StorageStatistics {
  std::uint64_t system_allocations;  // calls
  std::uint64_t system_bytes;        // now held, in use or free
  std::uint64_t used_bytes;          // now in use: the sizes that were asked for, a shared block once
  std::uint64_t peak_used_bytes;     // the most since the start, or since restart_storage_peak()
};
StorageStatistics storage_statistics();
void restart_storage_peak();  // from what is in use now

// A thread's first memory, in elements: 16 MiB of floats, more than most operations need. The system backs
// only the touched pages.
inline constexpr Index kScratchOfThread = 1 << 22;

// Memory taken from a Scratch stays valid until the Scratch is destroyed. Scratches of one thread are nested:
// the last one made is destroyed first. The thread keeps the memory for its next Scratch, so a steady state
// allocates nothing.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // `count` elements, aligned to a cache line, contents unspecified.
  Real* take(Index count);

 private:
  std::size_t chunk_;  // the position in the thread's memory when this Scratch began
  Index used_;
};

// Allocates the calling thread's first memory now rather than at its first take(). The threads of the pool do
// this when they start, so memory use does not depend on the distribution of tasks over threads. If the
// allocation fails, nothing happens, and take() tries again.
void reserve_scratch();

}  // namespace plainformer
