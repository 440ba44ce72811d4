// A fuzzer of libFuzzer for one of the targets, PLAINFORMER_FUZZ_TARGET.
#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t count) {
  plainformer::fuzz::run(plainformer::fuzz::PLAINFORMER_FUZZ_TARGET,
                         {reinterpret_cast<const char*>(bytes), count});
  return 0;
}
