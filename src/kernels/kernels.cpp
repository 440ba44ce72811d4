#include "kernels/kernels.h"

#include <atomic>
#include <cstdlib>

#include "core/input_error.h"
#include "core/strings.h"
#include "kernels/instruction_sets.h"

namespace plainformer {
namespace {

// The sets of this build, the fastest first.
std::vector<const Kernels*> known_kernel_sets() {
  return {
#ifdef PLAINFORMER_X86
      &avx512::kKernels, &avx2::kKernels,
#endif
#ifdef PLAINFORMER_NEON
      &neon::kKernels,
#endif
#ifdef PLAINFORMER_WASM
      &wasm::kKernels,
#endif
      &scalar::kKernels,
  };
}

// Whether this processor and its operating system support the instructions of the set.
bool is_supported(const Kernels& kernel_set) {
#ifdef PLAINFORMER_X86
  if (&kernel_set == &avx512::kKernels)
    return CPU_SUPPORTS("avx512f") && CPU_SUPPORTS("avx512dq") && CPU_SUPPORTS("avx512bw") &&
           CPU_SUPPORTS("avx512vl") && CPU_SUPPORTS("fma") && CPU_SUPPORTS("bmi2");
  if (&kernel_set == &avx2::kKernels) return CPU_SUPPORTS("avx2") && CPU_SUPPORTS("fma");
#endif
  (void)kernel_set;  // scalar runs everywhere, NEON on every aarch64, wasm where its module loads
  return true;
}

std::atomic<const Kernels*>& kernels_in_use() {
  static std::atomic<const Kernels*> in_use = &default_kernels();
  return in_use;
}

}  // namespace

const Kernels& find_kernels(const std::string& name, const char* asked_by) {
  bool known = false;
  for (const Kernels* kernel_set : known_kernel_sets()) {
    if (name != kernel_set->name) continue;
    if (is_supported(*kernel_set)) return *kernel_set;
    known = true;
  }
  throw input_error(asked_by,
                    known ? "this processor cannot run the kernels \"" + name + "\""
                          : "there are no kernels \"" + name + "\"",
                    "choose from " + join(", ", supported_kernels()));
}

const Kernels& default_kernels() {
  if (const char* name = std::getenv("PLAINFORMER_KERNELS")) return find_kernels(name, "PLAINFORMER_KERNELS");
  return find_kernels(supported_kernels().front());
}

std::vector<std::string> supported_kernels() {
  std::vector<std::string> names;
  for (const Kernels* kernel_set : known_kernel_sets())
    if (is_supported(*kernel_set)) names.push_back(kernel_set->name);
  return names;
}

const Kernels& kernels() {
  return *kernels_in_use().load(std::memory_order_relaxed);
}

void use_kernels(const std::string& name) {
  kernels_in_use().store(&find_kernels(name), std::memory_order_relaxed);
}

}  // namespace plainformer
