// Compiles and runs a student's files, within limits.
#pragma once

#include <string>
#include <vector>

#include "grading.h"

namespace plainformer::course {

constexpr std::size_t kMostCompilerBytes = 2'000;  // of the compiler's output in a message

// A student's files of one exercise: in a folder like 03-attention, or in the submission itself. A link is not followed: it
// might lead to another student's.
fs::path files_of(const fs::path& submission, const Exercise& exercise);

// Compiles a student's file for an exercise.    The problem; empty if there is none.
//   more_flags   of the compiler
//   warnings     if not null: what the compiler said to a file that compiles
std::string compile_file(const Toolchain& tools, const Exercise& exercise, const fs::path& file,
                         const fs::path& object, const std::vector<std::string>& more_flags = {},
                         std::string* warnings = nullptr);

// What is wrong with a student's file before it is compiled: it is missing, too large, or its text breaks a rule.
std::string problem_of_file(const Toolchain& tools, const Exercise& exercise, const fs::path& file);

struct TestRun {
  bool passed = false;  // all tests that match the filter passed, and there was one
  ProcessResult process;
};

// Did it end as a program may that nothing is wrong with, on a machine that is too busy, too full, or keeps the sanitizers
// from starting? (A student's code can imitate that: it costs a second try.)
bool may_be_the_machine(const ProcessResult& process);

// May the machine be the cause of a compiler's or a linker's message?
bool may_be_the_machine(const std::string& problem);

// "softmax.cpp: the compiler did not end within 240 s, ...", of a compiler that was stopped.
std::string unfinished_compilation(const std::string& file, const ProcessResult& compiled);

// Why a program does not link; empty if it does.
std::string link_problem(const ProcessResult& linked);

// Does a message of unfinished_compilation or link_problem say that it had to wait for a processor?
bool says_busy(const std::string& problem);

// Runs a program of tests that has support/test_main.cpp. Its verdict comes with a random number, which the
// student's code cannot read.
TestRun run_tests(const Toolchain& tools, const Exercise& exercise, const fs::path& program,
                  const std::string& filter, const GradingOptions& options);

// A word as a shell reads it: between quotes if it holds a space, a * or the like.
std::string shell_word(const std::string& word);

// "ASAN_OPTIONS=... gdb -q -x .debugger/plainformer_gdb.py --args build/course/check/01-softmax/tests", from the
// folder we are in.
std::string debugger_command(const Toolchain& tools, const fs::path& program);

// Runs any other program of the student's code.
ProcessResult run_limited(const Toolchain& tools, const Exercise& exercise,
                          const std::vector<std::string>& command, const std::string& input,
                          const GradingOptions& options);

// If the gate failed, what passed does not count.
void apply_gate(Grade& grade);

}  // namespace plainformer::course
