#include "system.h"

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <new>

namespace plainformer::course {

namespace {

std::size_t page_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

double processor_time() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

GuardedBytes::GuardedBytes(std::size_t bytes) {
  const std::size_t page = page_bytes();
  size_ = (bytes + page - 1) / page * page;
  void* const pages = mmap(nullptr, size_ + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<char*>(pages);
  mprotect(pages_ + size_, page, PROT_NONE);
  data_ = pages_ + size_ - bytes;
}

GuardedBytes::~GuardedBytes() {
  munmap(pages_, size_ + page_bytes());
}

}  // namespace plainformer::course
