#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t count) {
  plainformer::fuzz::run(plainformer::fuzz::words, {reinterpret_cast<const char*>(bytes), count});
  return 0;
}
