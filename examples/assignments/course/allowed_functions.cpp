#include "allowed_functions.h"

#include <algorithm>
#include <set>
#include <sstream>

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

template <typename Names>
bool starts_with_one_of(const Names& prefixes, std::string_view name) {
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](auto prefix) { return name.starts_with(prefix); });
}

bool is_arithmetic_of_compiler(std::string_view name) {  // "__divti3", "__mulsc3", "__floattidf"
  const std::string_view stems[] = {"__div",      "__mul", "__udiv", "__umod", "__mod",    "__float", "__fix",
                                    "__popcount", "__clz", "__ctz",  "__powi", "__extend", "__trunc"};
  return starts_with_one_of(stems, name);
}

// Through these, a sanitizer calls functions of its user.
bool changes_sanitizer(std::string_view name) {
  const std::string_view parts[] = {"callback", "report_path", "report_fd", "on_error"};
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](auto part) { return name.find(part) != std::string_view::npos; });
}

// "__printf_chk" -> "printf", "__mingw_vfprintf" -> "vfprintf"
std::string_view without_check(std::string_view name) {
  const std::string_view mingw = "__mingw_";
  if (name.starts_with(mingw)) return name.substr(mingw.size());
  if (!name.starts_with("__") || !name.ends_with("_chk")) return name;
  return name.substr(2, name.size() - 6);
}

bool is_allowed(std::string_view name) {
  if (changes_sanitizer(name)) return false;
  if (called_by_compilers().contains(name) || called_by_standard_library().contains(name) ||
      is_arithmetic_of_compiler(name))
    return true;
  const std::string_view prefixes[] = {"__cxa_",   "__asan_", "__start_asan_globals", "__stop_asan_globals",
                                       "__ubsan_", "__tsan_", "__sanitizer_",         "__aarch64_"};
  if (starts_with_one_of(prefixes, name)) return true;
  const std::string_view plain = without_check(name);
  if (memory_and_text().contains(plain) || mathematics().contains(plain)) return true;
  const bool has_suffix = plain.ends_with('f') || plain.ends_with('l');
  return has_suffix && mathematics().contains(plain.substr(0, plain.size() - 1));
}

}  // namespace

bool is_made_by_compilers(std::string_view name) {
  const std::string_view prefixes[] = {
      "DW.ref.",      "__clang_call_terminate", "__odr_asan", "__asan_gen", "asan.module_",
      "tsan.module_", "__x86.get_pc_thunk",     ".refptr.",   "__emutls_",  "___asan_globals_registered"};
  return starts_with_one_of(prefixes, name);
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
