// The extensions of GCC and Clang to C++. Nothing else in src/ uses an attribute, a pragma or a builtin of a
// compiler.
//
// These macros would reach every program that uses the library, so no public header includes this file.
#pragma once

#if !defined(__GNUC__)
#error "plainformer needs GCC or Clang: on Windows, the compiler of MSYS2 or w64devkit"
#endif

// Switches instruction sets on for one function: TARGET("avx2,fma").
#define TARGET(instruction_sets) __attribute__((target(instruction_sets)))

// Does this processor, under this operating system, run the instruction set? CPU_SUPPORTS("avx2")
#define CPU_SUPPORTS(instruction_set) static_cast<bool>(__builtin_cpu_supports(instruction_set))

#define ALWAYS_INLINE __attribute__((always_inline)) inline

// The next loop is unrolled `count` times.
#define UNROLL(count) PLAINFORMER_PRAGMA(GCC unroll count)
#define PLAINFORMER_PRAGMA(text) _Pragma(#text)

// A vector of `bytes` bytes of numbers of one type, with + and * element by element.
#define VECTOR_OF(type, bytes) type __attribute__((vector_size(bytes)))

// GCC 12 sees the deliberately undefined operands inside its own AVX-512 intrinsics as a mistake of ours (PR
// 105593).
#if defined(__clang__)
#define ALLOW_UNDEFINED_OPERANDS
#else
#define ALLOW_UNDEFINED_OPERANDS                                     \
  PLAINFORMER_PRAGMA(GCC diagnostic ignored "-Wmaybe-uninitialized") \
  PLAINFORMER_PRAGMA(GCC diagnostic ignored "-Wuninitialized")
#endif

namespace plainformer {

// Asks for the cache line of `address` ahead of its use. The address need not be a valid one.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
}

// Tells the processor that a loop only waits.
inline void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace plainformer
