#include "system.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
#else
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#endif

#include <new>

namespace plainformer::course {

namespace {

std::size_t rounded_up(std::size_t bytes, std::size_t page) {
  return (bytes + page - 1) / page * page;
}

#ifdef _WIN32

std::size_t page_bytes() {
  SYSTEM_INFO information = {};
  GetSystemInfo(&information);
  return information.dwPageSize;
}

char* new_pages(std::size_t bytes) {
  return static_cast<char*>(VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
}

void close_page(char* page, std::size_t bytes) {
  DWORD before = 0;
  VirtualProtect(page, bytes, PAGE_NOACCESS, &before);
}

void release_pages(char* pages, std::size_t /*bytes*/) {
  VirtualFree(pages, 0, MEM_RELEASE);
}

#else

std::size_t page_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

char* new_pages(std::size_t bytes) {
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<char*>(pages);
}

void close_page(char* page, std::size_t bytes) {
  mprotect(page, bytes, PROT_NONE);
}

void release_pages(char* pages, std::size_t bytes) {
  munmap(pages, bytes);
}

#endif

}  // namespace

double processor_time() {
#ifdef _WIN32
  ULONG64 cycles = 0;  // its times count ticks of 16 ms
  QueryThreadCycleTime(GetCurrentThread(), &cycles);
  return static_cast<double>(cycles);
#else
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
#endif
}

GuardedBytes::GuardedBytes(std::size_t bytes) {
  const std::size_t page = page_bytes();
  size_ = rounded_up(bytes, page);
  pages_ = new_pages(size_ + page);
  if (pages_ == nullptr) throw std::bad_alloc();
  close_page(pages_ + size_, page);
  data_ = pages_ + size_ - bytes;
}

GuardedBytes::~GuardedBytes() {
  release_pages(pages_, size_ + page_bytes());
}

}  // namespace plainformer::course
