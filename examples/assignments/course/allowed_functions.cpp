#include "allowed_functions.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "text.h"

namespace plainformer::course {

namespace {

std::set<std::string, std::less<>> words_of(const char* text) {
  std::istringstream input(text);
  std::set<std::string, std::less<>> words;
  for (std::string word; input >> word;) words.insert(word);
  return words;
}

// Each also with the suffixes of float and long double: "expf", "expl".
const auto& mathematics() {
  static const auto words = words_of(
      "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim "
      "floor "
      "fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint "
      "lround modf "
      "nan nearbyint nextafter nexttoward pow remainder remquo rint round scalbln scalbn sin sincos sinh "
      "sqrt tan "
      "tanh tgamma trunc");
  return words;
}

const auto& memory_and_text() {
  static const auto words = words_of(
      "abort abs aligned_alloc atof atoi atol atoll bcmp bsearch calloc clock clock_gettime div fflush "
      "fprintf fputc "
      "fputs free fwrite isalnum isalpha isdigit islower isspace isupper labs ldiv llabs malloc memchr "
      "memcmp memcpy "
      "memmove memset posix_memalign printf putc putchar puts qsort rand realloc snprintf sprintf srand "
      "stderr stdout "
      "strcat strchr strcmp strcpy strlen strncmp strncpy strrchr strstr strtod strtof strtol strtoll "
      "strtoul "
      "strtoull time tolower toupper vfprintf vprintf vsnprintf wmemcpy wmemset");
  return words;
}

const auto& called_by_compilers() {
  static const auto words = words_of(
      "_GLOBAL_OFFSET_TABLE_ _Unwind_Resume __assert_fail __clang_call_terminate __cpu_indicator_init "
      "__cpu_model "
      "__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __dso_handle __dynamic_cast __errno_location "
      "__gcc_personality_v0 __gxx_personality_v0 __stack_chk_fail __stack_chk_guard __tls_get_addr "
      // Windows
      "___chkstk_ms __acrt_iob_func __emutls_get_address __gxx_personality_seh0 _assert _wassert _errno "
      // macOS
      "__assert_rtn __error __maskrune __sincos_stret __stderrp __stdoutp _DefaultRuneLocale "
      "_tlv_bootstrap bzero memset_pattern4 memset_pattern8 memset_pattern16");
  return words;
}

// By std::mutex, std::condition_variable, std::shared_ptr and std::this_thread.
const auto& called_by_standard_library() {
  static const auto words = words_of(
      "__libc_single_threaded __once_proxy nanosleep pthread_cond_clockwait pthread_cond_timedwait "
      "pthread_mutex_clocklock pthread_mutex_lock pthread_mutex_timedlock pthread_mutex_trylock "
      "pthread_mutex_unlock pthread_once pthread_rwlock_rdlock pthread_rwlock_unlock pthread_rwlock_wrlock "
      "pthread_self sched_yield");
  return words;
}

bool is_arithmetic_of_compiler(std::string_view name) {  // "__divti3", "__mulsc3", "__floattidf"
  return starts_with_one_of(name, {"__div", "__mul", "__udiv", "__umod", "__mod", "__float", "__fix",
                                   "__popcount", "__clz", "__ctz", "__powi", "__extend", "__trunc"});
}

// What a compiler calls in the code that it watches, and no more: the same libraries have functions that open files,
// or that look away from an array's end.
const auto& called_by_watched_code() {
  static const auto words = words_of(
      "__asan_init __asan_handle_no_return __asan_register_globals __asan_unregister_globals "
      "__asan_register_elf_globals __asan_unregister_elf_globals __asan_before_dynamic_init "
      "__asan_after_dynamic_init __asan_option_detect_stack_use_after_return __asan_memcpy __asan_memmove "
      "__asan_memset __asan_alloca_poison __asan_allocas_unpoison __asan_poison_stack_memory "
      "__asan_unpoison_stack_memory __asan_shadow_memory_dynamic_address __asan_poison_cxx_array_cookie "
      "__asan_load_cxx_array_cookie __asan_report_load_n __asan_report_store_n __asan_loadN __asan_storeN "
      "__start_asan_globals __stop_asan_globals __sanitizer_ptr_cmp __sanitizer_ptr_sub "
      "__ubsan_vptr_type_cache "
      "__tsan_init __tsan_func_entry __tsan_func_exit __tsan_vptr_update __tsan_vptr_read __tsan_memcpy "
      "__tsan_memmove __tsan_memset __tsan_read_range __tsan_write_range __tsan_ignore_thread_begin "
      "__tsan_ignore_thread_end");
  return words;
}

// "__asan_report_load8", "__tsan_atomic32_fetch_add": the first part, and what may follow it.
bool is_numbered_call_of_watched_code(std::string_view name) {
  const std::string_view stems[] = {
      "__asan_load",          "__asan_store",          "__asan_report_load",
      "__asan_report_store",  "__asan_stack_malloc_",  "__asan_stack_malloc_always_",
      "__asan_stack_free_",   "__asan_set_shadow_",    "__asan_version_mismatch_check_v",
      "__tsan_read",          "__tsan_read_write",     "__tsan_unaligned_read_write",
      "__tsan_write",         "__tsan_unaligned_read", "__tsan_unaligned_write",
      "__tsan_volatile_read", "__tsan_volatile_write"};
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  for (const std::string_view stem : stems) {
    if (!name.starts_with(stem)) continue;
    const std::string_view rest = name.substr(stem.size());
    const std::string_view number = rest.substr(0, rest.ends_with("_pc") ? rest.size() - 3 : rest.size());
    if (!number.empty() && std::all_of(number.begin(), number.end(), is_digit)) return true;
  }
  return name.starts_with("__ubsan_handle_") || name.starts_with("__tsan_atomic");
}

bool is_called_by_exceptions(std::string_view name) {
  static const auto words = words_of(
      "__cxa_allocate_exception __cxa_free_exception __cxa_init_primary_exception __cxa_throw __cxa_rethrow "
      "__cxa_begin_catch __cxa_end_catch __cxa_get_exception_ptr __cxa_call_unexpected __cxa_call_terminate "
      "__cxa_guard_acquire __cxa_guard_release __cxa_guard_abort __cxa_atexit __cxa_thread_atexit "
      "__cxa_pure_virtual __cxa_deleted_virtual __cxa_bad_cast __cxa_bad_typeid __cxa_demangle "
      "__cxa_throw_bad_array_new_length __cxa_throw_bad_array_length");
  return words.contains(name);
}

bool is_atomic_of_arm(std::string_view name) {
  return starts_with_one_of(name, {"__aarch64_cas", "__aarch64_swp", "__aarch64_ldadd", "__aarch64_ldclr",
                                   "__aarch64_ldeor", "__aarch64_ldset", "__aarch64_have_lse_atomics"});
}

// "__printf_chk" -> "printf", "__mingw_vfprintf" -> "vfprintf"
std::string_view without_check(std::string_view name) {
  const std::string_view mingw = "__mingw_";
  if (name.starts_with(mingw)) return name.substr(mingw.size());
  if (!name.starts_with("__") || !name.ends_with("_chk")) return name;
  return name.substr(2, name.size() - 6);
}

bool is_allowed(std::string_view name) {
  if (called_by_compilers().contains(name) || called_by_standard_library().contains(name) ||
      called_by_watched_code().contains(name) || is_numbered_call_of_watched_code(name) ||
      is_called_by_exceptions(name) || is_arithmetic_of_compiler(name) || is_atomic_of_arm(name))
    return true;
  const std::string_view plain = without_check(name);
  if (memory_and_text().contains(plain) || mathematics().contains(plain)) return true;
  const bool has_suffix = plain.ends_with('f') || plain.ends_with('l');
  return has_suffix && mathematics().contains(plain.substr(0, plain.size() - 1));
}

}  // namespace

bool is_of_sanitizer(std::string_view name) {
  return starts_with_one_of(name, {"__asan_", "__ubsan_", "__tsan_", "__lsan_", "__msan_", "__hwasan",
                                   "__sanitizer_", "__interceptor", "__sancov", "___interceptor"});
}

bool is_made_by_compilers(std::string_view name) {
  return starts_with_one_of(
      name, {"DW.ref.", "__clang_call_terminate", "__odr_asan", "__asan_gen", "asan.module_", "tsan.module_",
             "__x86.get_pc_thunk", ".refptr.", "__emutls_", "___asan_globals_registered"});
}

std::string_view rule_against_c_function(std::string_view name) {
  if (is_allowed(name)) return "";
  static const auto ends = words_of(
      "exit _exit _Exit quick_exit at_quick_exit atexit on_exit longjmp _longjmp siglongjmp setjmp _setjmp "
      "pthread_exit raise kill signal sigaction __sysv_signal");
  static const auto files = words_of(
      "open open64 openat creat close read write pread pwrite readv writev lseek dup dup2 fcntl ioctl fopen "
      "fopen64 "
      "freopen fdopen fclose fread fgets fgetc getc getline fseek rewind ftell fscanf opendir readdir stat "
      "lstat unlink "
      "remove rename mkdir mmap dprintf perror tmpfile mkstemp realpath chdir");
  static const auto input = words_of("stdin scanf getchar gets");
  static const auto processes = words_of(
      "fork vfork execv execve execvp execl execlp posix_spawn system popen pclose wait waitpid ptrace "
      "dlopen "
      "dlsym prctl setrlimit socket connect");
  static const auto threads = words_of("pthread_create thrd_create");
  static const auto environment = words_of("getenv secure_getenv setenv putenv unsetenv environ");
  if (is_of_sanitizer(name)) return kNoSanitizer;
  if (ends.contains(name)) return "an exercise may not end the program, only return or throw";
  if (files.contains(name)) return kNoFiles;
  if (input.contains(name)) return kNoInput;
  if (processes.contains(name)) return kNoSystem;
  if (name == "syscall") return kNoSystemCall;
  if (threads.contains(name)) return kNoThreads;
  if (environment.contains(name)) return "an exercise may not look at the environment";
  return "it is not among the C functions that an exercise may call";
}

}  // namespace plainformer::course
