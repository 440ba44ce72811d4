#include "kernels/kernels.h"

#include <atomic>
#include <cstdlib>

#include "core/check.h"
#include "kernels/instruction_sets.h"

namespace plainformer {
namespace {

// Fastest first.
std::vector<const Kernels*> known_tables() {
  return {
#ifdef PLAINFORMER_X86
      &avx512::kTable,
      &avx2::kTable,
#endif
#ifdef PLAINFORMER_NEON
      &neon::kTable,
#endif
      &scalar::kTable,
  };
}

// Does this processor, under this operating system, have what the table's functions are compiled for?
bool runs_here(const Kernels& table) {
#ifdef PLAINFORMER_X86
  if (&table == &avx512::kTable)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  if (&table == &avx2::kTable) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  (void)table;  // scalar runs everywhere, and NEON is part of every aarch64
  return true;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

const Kernels& find_table(const std::string& name, const std::string& asked_by) {
  bool known = false;
  for (const Kernels* table : known_tables()) {
    if (name != table->name) continue;
    if (runs_here(*table)) return *table;
    known = true;
  }
  throw input_error(asked_by,
                    known ? "this processor cannot run the kernels \"" + name + "\""
                          : "there are no kernels \"" + name + "\"",
                    "choose from " + joined(supported_kernels()));
}

std::atomic<const Kernels*>& table_in_use() {
  static std::atomic<const Kernels*> table = &default_kernels();
  return table;
}

}  // namespace

const Kernels& kernels() {
  return *table_in_use().load(std::memory_order_relaxed);
}

const Kernels& default_kernels() {
  if (const char* wish = std::getenv("PLAINFORMER_KERNELS")) return find_table(wish, "PLAINFORMER_KERNELS");
  return find_table(supported_kernels().front(), "kernels");
}

std::vector<std::string> known_kernels() {
  std::vector<std::string> names;
  for (const Kernels* table : known_tables()) names.push_back(table->name);
  return names;
}

std::vector<std::string> supported_kernels() {
  std::vector<std::string> names;
  for (const Kernels* table : known_tables())
    if (runs_here(*table)) names.push_back(table->name);
  return names;
}

const Kernels& find_kernels(const std::string& name) {
  return find_table(name, "kernels");
}

void use_kernels(const std::string& name) {
  table_in_use().store(&find_kernels(name), std::memory_order_relaxed);
}

}  // namespace plainformer
