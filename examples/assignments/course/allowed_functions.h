// The functions of C and of the standard library that a student's object may call.
#pragma once

#include <string>
#include <string_view>

namespace plainformer::course {

// The rule that a call of this C function breaks: "an exercise may not open files". "" for mathematics, memory,
// text and printf, and for all that the compiler and its sanitizers call by themselves.
//   name   as the linker sees it
std::string_view rule_against_c_function(std::string_view name);

// Is it a global symbol that compilers and their sanitizers define?
bool is_made_by_compilers(std::string_view name);

// Is it a function of a sanitizer's runtime? Compilers call some of them; people have no reason to.
bool is_of_sanitizer(std::string_view name);

inline constexpr std::string_view kNoFiles = "an exercise may not open files";
inline constexpr std::string_view kNoSystem = "an exercise may not talk to the system";
inline constexpr std::string_view kNoSystemCall =
    "an exercise may not talk to the system, as std::atomic's wait, semaphores, latches and barriers do; "
    "wait with a std::condition_variable, or with what the file has for it";
inline constexpr std::string_view kNoThreads = "an exercise may not start threads";
inline constexpr std::string_view kNoInput = "the standard input belongs to the tests";
inline constexpr std::string_view kNoStreams = "<iostream> runs code before main; print with std::printf";
inline constexpr std::string_view kNoHooks =
    "an exercise may not change how the program ends or allocates memory";
inline constexpr std::string_view kNoSanitizer =
    "the sanitizers watch your code, and it may not talk to them";
inline constexpr std::string_view kNoTests = "the tests are out of bounds";
inline constexpr std::string_view kNoKernels = "the library's kernels are another form of the answer";
inline constexpr std::string_view kNoToy =
    "the toy's text comes with its translations, and its training with an answer";
inline constexpr std::string_view kNoWays = "an exercise may not choose between the plain and the fast way";

// Parts of the standard library and of ours that an object may use only if the reference does.
struct GuardedName {
  std::string_view name;  // of a function, class or namespace: "std::filesystem::"
  std::string_view rule;
};
inline constexpr GuardedName kGuardedNames[] = {
    {"std::filesystem::", kNoFiles},
    {"std::basic_ifstream<", kNoFiles},
    {"std::basic_ofstream<", kNoFiles},
    {"std::basic_fstream<", kNoFiles},
    {"std::basic_filebuf<", kNoFiles},
    {"std::__basic_file<", kNoFiles},
    {"__gnu_cxx::stdio_filebuf<", kNoFiles},
    {"__gnu_cxx::stdio_sync_filebuf<", kNoFiles},
    {"std::thread::", kNoThreads},
    {"std::ios_base::Init::", kNoStreams},
    {"std::cout", kNoStreams},
    {"std::cerr", kNoStreams},
    {"std::clog", kNoStreams},
    {"std::cin", kNoInput},
    {"std::set_terminate", kNoHooks},
    {"std::set_new_handler", kNoHooks},
    {"__sanitizer::", kNoSanitizer},
    {"__asan::", kNoSanitizer},
    {"__ubsan::", kNoSanitizer},
    {"__tsan::", kNoSanitizer},
    {"__lsan::", kNoSanitizer},
    {"__interception::", kNoSanitizer},
    {"testing::", kNoTests},
    {"plainformer::course::recorded_", kNoTests},
    {"plainformer::Differentiated", kNoTests},  // in the parameters of gradients_agree, which may be inlined
    {"plainformer::gradient_errors", kNoTests},
    {"plainformer::ways", kNoWays},
    {"plainformer::plain_ways", kNoWays},
    {"plainformer::WaysInScope::", kNoWays},
    {"plainformer::kernels", kNoKernels},
    {"plainformer::default_kernels", kNoKernels},
    {"plainformer::find_kernels", kNoKernels},
    {"plainformer::scalar::", kNoKernels},
    {"plainformer::InputFile::", kNoFiles},
    {"plainformer::AtomicFile::", kNoFiles},
    {"plainformer::FileDescriptor::", kNoFiles},
    {"plainformer::open_to_", kNoFiles},
    {"plainformer::file_", kNoFiles},
    {"plainformer::read_bytes", kNoFiles},
    {"plainformer::write_bytes", kNoFiles},
    {"plainformer::wait_until_readable", kNoFiles},
    {"plainformer::truncate_file", kNoFiles},
    {"plainformer::remove_file", kNoFiles},
    {"plainformer::replace_file", kNoFiles},
    {"plainformer::lock_folder", kNoFiles},
    {"plainformer::sync_", kNoFiles},
    {"plainformer::to_path", kNoFiles},
    {"plainformer::to_text", kNoFiles},
    {"plainformer::start_program", kNoSystem},
    {"plainformer::catch_interrupts", kNoSystem},
    {"plainformer::catch_lost_readers", kNoSystem},
    {"plainformer::interrupt_signal", kNoSystem},
    {"plainformer::usable_processors", kNoSystem},
    {"plainformer::processor_quota", kNoSystem},
    {"plainformer::program_as_called", kNoSystem},
    {"plainformer::usable_memory_bytes", kNoSystem},
    {"plainformer::memory_quota", kNoSystem},
    {"plainformer::quoted_for_shell", kNoSystem},
    {"plainformer::peak_resident_megabytes", kNoSystem},
    {"plainformer::enable_tile_registers", kNoSystem},
    {"plainformer::sleep_while", kNoSystem},
    {"plainformer::wake_sleepers", kNoSystem},
    {"plainformer::at_end_of_thread", kNoSystem},
    {"plainformer::is_terminal", kNoSystem},
    {"plainformer::end_of_input_keys", kNoSystem},
    {"plainformer::terminal_width", kNoSystem},
    {"plainformer::understands_escapes", kNoSystem},
    {"plainformer::FolderLock::", kNoFiles},
    {"plainformer::generate_toy_corpus", kNoToy},
    {"plainformer::random_toy_pair", kNoToy},
    {"plainformer::toy::", kNoToy},
    {"plainformer::load_corpora", kNoToy},
    {"plainformer::encode_corpora", kNoToy},
    {"plainformer::train_model", kNoToy},
    {"plainformer::load_starting_model", kNoFiles},
    {"plainformer::load_model", kNoFiles},
    {"plainformer::load_weights", kNoFiles},
    {"plainformer::read_weights", kNoFiles},
    {"plainformer::read_file", kNoFiles},
    {"plainformer::read_lines", kNoFiles},
    {"plainformer::read_pair_file", kNoFiles},
    {"plainformer::read_tensor_file", kNoFiles},
    {"plainformer::write_tensor_file", kNoFiles},
    {"plainformer::write_file_atomically", kNoFiles},
    {"plainformer::Vocabulary::load", kNoFiles},
    {"plainformer::BytePairEncoding::load", kNoFiles},
    {"plainformer::ParallelCorpus::load", kNoFiles},
};

}  // namespace plainformer::course
