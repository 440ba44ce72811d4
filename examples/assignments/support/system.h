// What the tests of the exercises ask of the operating system.
#pragma once

#include <cstddef>

namespace plainformer::course {

// The time that this thread has spent on the processor, in a unit of the system's: for ratios.
double processor_time();

// Memory behind whose last byte nothing can be read or written.
class GuardedBytes {
 public:
  explicit GuardedBytes(std::size_t bytes);
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;
  ~GuardedBytes();

  void* data() const { return data_; }

 private:
  std::size_t size_ = 0;  // of the pages, without the one behind
  char* pages_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace plainformer::course
