#include "app/peak_memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

namespace plainformer {

namespace {

// The number in a line of Linux's /proc/self/status: "VmHWM:\t   13564 kB".
double kilobytes_in(const std::string& line) {
  const std::size_t begin = std::min(line.find_first_of("0123456789"), line.size());
  double kilobytes = 0;
  std::from_chars(line.data() + begin, line.data() + line.size(), kilobytes);
  return kilobytes;
}

}  // namespace

double peak_resident_megabytes() {
  // Linux's getrusage would also count the program that started this one.
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return kilobytes_in(line) / (1 << 10);
  }
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<double>(usage.ru_maxrss) / (1 << 20);  // in bytes there
#else
  return static_cast<double>(usage.ru_maxrss) / (1 << 10);
#endif
}

}  // namespace plainformer
