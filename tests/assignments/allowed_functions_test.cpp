#include "allowed_functions.h"

#include <gtest/gtest.h>

namespace plainformer::course {
namespace {

// <cstdio>, <cassert>, exceptions and large arrays call them there.
TEST(AllowedFunctions, AreKnownByTheirNamesOnWindowsAndMacOS) {
  for (const char* const name : {"__mingw_vfprintf", "__mingw_strtod", "__acrt_iob_func", "___chkstk_ms",
                                 "__gxx_personality_seh0", "__stderrp", "__assert_rtn", "__sprintf_chk"})
    EXPECT_EQ(rule_against_c_function(name), "") << name;
  EXPECT_NE(rule_against_c_function("__mingw_fopen"), "");
  EXPECT_EQ(rule_against_c_function("fopen"), kNoFiles);
}

// Mutexes, condition variables, shared pointers, and the atomics of GCC on ARM.
TEST(AllowedFunctions, AreThoseOfTheStandardLibrarysHeaders) {
  for (const char* const name : {"pthread_mutex_lock", "pthread_cond_clockwait", "sched_yield",
                                 "__libc_single_threaded", "__aarch64_ldadd4_acq_rel"})
    EXPECT_EQ(rule_against_c_function(name), "") << name;
  EXPECT_EQ(rule_against_c_function("pthread_create"), kNoThreads);
  EXPECT_EQ(rule_against_c_function("syscall"), kNoSystemCall) << "of std::atomic's wait";
}

TEST(AllowedFunctions, OfTheSanitizersAreThoseThatCompilersCall) {
  for (const char* const name :
       {"__asan_report_load8", "__asan_report_store_n", "__asan_loadN", "__asan_stack_malloc_10",
        "__asan_set_shadow_f8", "__asan_version_mismatch_check_v8", "__ubsan_handle_type_mismatch_v1_abort",
        "__tsan_atomic32_fetch_add", "__tsan_unaligned_read8", "__tsan_read_write4", "__tsan_read1_pc",
        "__cxa_throw", "__cxa_demangle"})
    EXPECT_EQ(rule_against_c_function(name), "") << name;
  for (const char* const name :
       {"__asan_backtrace_open", "__asan_loadN_noabort_of_mine", "__asan_describe_address",
        "__asan_unpoison_memory_region", "__sanitizer_symbolize_pc", "__tsan_acquire",
        "__asan_set_death_callback", "__interceptor_open"})
    EXPECT_EQ(rule_against_c_function(name), kNoSanitizer) << name;
  EXPECT_NE(rule_against_c_function("__cxa_get_globals"), "");
}

}  // namespace
}  // namespace plainformer::course
