// Memory for tensors: 64-byte aligned, shared by counting, recycled instead of returned to the system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/real.h"

namespace plainformer {

// A counted reference to a block of memory. Copies refer to the same block; the last one gives it back to the
// pool.
class Storage {
 public:
  Storage() = default;
  explicit Storage(std::size_t bytes);  // contents unspecified; std::bad_alloc if the system has no more
  Storage(const Storage& other);
  Storage(Storage&& other) noexcept
      : block_(std::exchange(other.block_, nullptr)), data_(std::exchange(other.data_, nullptr)) {}
  Storage& operator=(Storage other) noexcept;
  ~Storage();

  Real* data() const { return data_; }  // nullptr for an empty storage
  bool is_shared() const;  // does another Storage refer to this block?

  struct Block;  // a header, then the data

 private:
  Block* block_ = nullptr;
  Real* data_ = nullptr;
};

// What the pool has asked of the system so far; a steady training step adds nothing.
struct StorageStatistics {
  std::uint64_t system_allocations;  // calls
  std::uint64_t system_bytes;        // now held, in use or free
};
StorageStatistics storage_statistics();

}  // namespace plainformer
