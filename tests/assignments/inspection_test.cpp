#include "inspection.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "compiler.h"
#include "io/temporary_folder.h"
#include "text_inspection.h"

namespace plainformer::course {
namespace {

// A small repository: the exercise is src/half.cpp, the rest of the library src/library.cpp.
class Repository {
 public:
  explicit Repository(const std::string& compiler) : tools_(settings(compiler)) {
    for (const char* const name :
         {"src", "tests/support", "examples/assignments/support", "homework", "build"})
      fs::create_directories(folder_.path_of(name));
    folder_.write("src/half.h", R"(
      #pragma once
      namespace plainformer {
      struct Number {
        double value;
        double absolute() const { return value < 0 ? -value : value; }
      };
      double half(double x);
      double quarter(const double& x);
      struct Differentiated {};
      double twice(double x);
      namespace fast { double half(double x); }
      })");
    folder_.write("src/library.cpp", R"(
      #include "half.h"
      namespace plainformer {
      double twice(double x) { return 2 * x; }
      double fast::half(double x) { return x / 2; }
      })");
    folder_.write("tests/support/gradient_check.h", R"(
namespace plainformer {
inline bool gradients_agree(double x) { return x == 3; }
})");
    folder_.write("tests/half_test.cpp", R"(
      #include "support/gradient_check.h"
      #include "half.h"
      bool (*const volatile check)(double) = plainformer::gradients_agree;
      bool result = check(plainformer::half(6) + plainformer::Number{1}.absolute());)");
    folder_.write("examples/assignments/support/not_written.h", kNotWritten);
    folder_.write("examples/assignments/support/not_written.cpp", "#include \"not_written.h\"");
    folder_.write("examples/assignments/support/test_main.cpp", "int main() {}");
    folder_.write("examples/assignments/support/system.cpp", "");
    folder_.write("src/half.cpp", kReference);
    exercise_.sources = {{.file = "half.cpp"}};
    exercise_.tests = {{.file = "half_test.cpp", .name = "Half.IsHalf", .points = 1}};
    exercise_.forbid = {"plainformer::fast::"};
    compile(folder_.path_of("src/library.cpp"), tools_.settings().library);
  }

  // The problems of this source as the student's half.cpp, one a line.
  std::string problems_of(const std::string& source, const std::string& name = "homework/half.cpp") {
    const fs::path object = folder_.path_of("build/student.o");
    const fs::path file = folder_.write(name, source);
    std::string text;
    for (const std::string& problem : inspect_text(tools_, exercise_, file)) text += problem + "\n";
    if (!text.empty()) return text;
    compile(file, object);
    const fs::path reference = tools_.kept_object(exercise_, folder_.path_of("src/half.cpp"));
    for (const std::string& problem : inspect(tools_, exercise_, folder_.path_of(name), object, reference))
      text += problem + "\n";
    return text;
  }

  const TemporaryFolder& folder() const { return folder_; }
  Exercise& exercise() { return exercise_; }

  static constexpr const char* kReference = R"(
    #include "half.h"
    namespace plainformer {
    double half(double x) { return x / 2; }
    double quarter(const double& x) { return half(half(x)); }
    })";

 private:
  static constexpr const char* kNotWritten = R"(
    #pragma once
    namespace plainformer { [[noreturn]] void not_written(const char* function); }
    inline void plainformer::not_written(const char*) { throw 1; })";

  Settings settings(const std::string& compiler) const {
    Settings settings;
    settings.source_dir = folder_.path();
    settings.binary_dir = folder_.path_of("build");
    settings.library = folder_.path_of("build/library.o");
    settings.compiler = compiler;
    settings.sanitizers = settings.thread_sanitizer = has_sanitizers();
    return settings;
  }

  void compile(const fs::path& source, const fs::path& object) const {
    const ProcessResult result = tools_.compile_submission(exercise_, source, object);
    if (!result.succeeded()) throw std::runtime_error(result.output);
  }

  TemporaryFolder folder_;
  Exercise exercise_;
  Toolchain tools_;
};

// Of the two usual compilers, those that are installed and are not the build's.
std::vector<std::string> other_compilers() {
  std::vector<std::string> others;
  for (const char* path : {"/usr/bin/g++", "/usr/bin/clang++"})
    if (fs::weakly_canonical(path) != fs::weakly_canonical(test_compiler()) && runs_here(path))
      others.emplace_back(path);
  return others;
}

class Inspection : public testing::TestWithParam<std::string> {
 protected:
  // The reference's text with more in its body or before it.
  static std::string with(const std::string& before, const std::string& in_half = "") {
    return before + R"(
    #include "half.h"
    namespace plainformer {
    double half(double x) { )" +
           in_half + R"( return x / 2; }
    double quarter(const double& x) { return half(half(x)); }
    })";
  }

  void expect_problem(const std::string& source, const std::string& problem) {
    const std::string found = repository_->problems_of(source);
    EXPECT_NE(found.find(problem), std::string::npos) << source << "\n" << found;
  }

  void SetUp() override {
    if (!runs_here(GetParam())) GTEST_SKIP() << kNoCompiler;
    repository_ = std::make_unique<Repository>(GetParam());
  }

  std::unique_ptr<Repository> repository_;
};

std::string name_of_compiler(const testing::TestParamInfo<std::string>& tested) {
  return (tested.param.find("clang") != std::string::npos ? "Clang" : "Gcc") + std::to_string(tested.index);
}

INSTANTIATE_TEST_SUITE_P(, Inspection, testing::Values(test_compiler()), name_of_compiler);
INSTANTIATE_TEST_SUITE_P(SlowWithOtherCompilers, Inspection, testing::ValuesIn(other_compilers()),
                         name_of_compiler);

TEST_P(Inspection, AcceptsHonestWork) {
  EXPECT_EQ(repository_->problems_of(Repository::kReference), "");
  EXPECT_EQ(repository_->problems_of(R"(
    #include "half.h"
    #include <algorithm>
    #include <cmath>
    #include <cstdio>
    #include <map>
    #include <memory>
    #include <stdexcept>
    #include <string>
    #include <vector>
    namespace plainformer {
    namespace {
    constexpr double kTwo = 2;
    double divided(double x) { return std::floor(x) + std::exp(0.0) - 1 + x - std::floor(x); }
    struct Sum { double value = 0; };
    }
    double helper_of_mine(double x) { return divided(x) / kTwo; }
    template <typename T> T generic_helper(T x) { return std::max(x, x); }
    double half(double x) {
      static int calls = 0;
      std::printf("half of %g: call %d\n", x, ++calls);
      std::fprintf(stderr, "half\n");
      if (std::isnan(x)) throw std::logic_error("asm exit(0) of " + std::to_string(x));  // no asm, no ##
      return generic_helper(helper_of_mine(x)) + Number{0}.absolute() + 0 * twice(x);
    }
    double quarter(const double& x) {
      std::vector<double> numbers = {x, 1, 2};
      std::map<std::string, int> counts = {{"x", 1}};
      std::sort(numbers.begin(), numbers.end(), [](double a, double b) { return a > b; });
      numbers.insert(numbers.begin(), numbers[1] + counts["x"]);
      return half(half(x));
    }
    })"),
            "");
}

TEST_P(Inspection, ReportsMissingFunctions) {
  const auto with_half = [](const std::string& quarter) {
    return "#include \"half.h\"\nnamespace plainformer { double half(double x) { return x; }\n" + quarter;
  };
  EXPECT_EQ(repository_->problems_of(with_half("}")), "plainformer::quarter is missing\n");
  expect_problem(with_half("double quarter(float x) { return x; } }"),
                 "plainformer::quarter is missing: yours does not have the header's parameters");
  expect_problem(
      with_half("namespace { double quarter(float x) { return x; } auto* const used = &quarter; }\n"
                "auto* user() { return used; } }"),
      "plainformer::quarter is missing: yours is static or in an unnamed namespace");
  expect_problem(with_half("} double quarter(const double& x) { return x; }"),
                 "plainformer::quarter is missing: yours is outside namespace plainformer");
}

TEST_P(Inspection, RecognizesTheWrongFile) {
  EXPECT_EQ(repository_->problems_of("double something_else() { return 1; }"),
            "it defines none of the functions of this exercise: is this the right file?\n");
  EXPECT_EQ(repository_->problems_of(""),
            "it defines none of the functions of this exercise: is this the right file?\n");
}

// As src/kernels/neon_matmul.cpp on another processor.
TEST_P(Inspection, AcceptsAnEmptyFileIfTheReferenceIsEmptyToo) {
  repository_->folder().write("src/half.cpp", "#include \"half.h\"");
  EXPECT_EQ(repository_->problems_of("#include \"half.h\""), "");
}

TEST_P(Inspection, RefusesFunctionsOfOthers) {
  expect_problem(with("namespace plainformer { bool gradients_agree(double) { return true; } }"),
                 "it defines plainformer::gradients_agree, which belongs to the tests");
  expect_problem(with("namespace plainformer { __attribute__((used)) inline bool gradients_agree(double) { "
                      "return true; } }"),
                 "it defines plainformer::gradients_agree, which belongs to the tests");
  expect_problem(with("#include \"half.h\"\nnamespace plainformer { bool gradients_agree(Differentiated) { "
                      "return true; } }"),
                 "it uses plainformer::Differentiated: the tests are out of bounds");
  expect_problem(with("namespace plainformer { double twice(double) { return 1; } }"),
                 "it defines plainformer::twice, which belongs to the library");
  expect_problem(with("namespace testing { int failures() { return 0; } }"), "which belongs to the tests");
  expect_problem(with("extern \"C\" int write(int, const void*, unsigned long) { return 0; }"),
                 "it defines write, which belongs to C");
  expect_problem(with("int main() {}"), "it defines main, which belongs to C");
  expect_problem(with("extern \"C\" const char* __asan_default_options() { return \"\"; }"),
                 "names a function of the sanitizers, __asan_default_options");
  expect_problem(with("#include <new>\nvoid* operator new(std::size_t) { return nullptr; }"),
                 "it defines operator new, which belongs to the standard library");
  EXPECT_EQ(repository_->problems_of(
                with("namespace plainformer { bool gradients_agree(int, int) { return true; } }")),
            "");
}

TEST_P(Inspection, RefusesToEndTheProgram) {
  EXPECT_EQ(repository_->problems_of(with("#include <stdlib.h>", "exit(0);")),
            "it uses exit: an exercise may not end the program, only return or throw\n");
  EXPECT_EQ(repository_->problems_of(with("#include <stdlib.h>", "_Exit(0);")),
            "it uses _Exit: an exercise may not end the program, only return or throw\n");
}

TEST_P(Inspection, RefusesTheFastWay) {
  EXPECT_EQ(repository_->problems_of(with("", "return fast::half(x);")),
            "it uses plainformer::fast::half: this exercise asks you to write that yourself\n");
  EXPECT_EQ(repository_->problems_of(with("namespace plainformer { extern int ways; }", "return ways = 1;")),
            "it uses plainformer::ways: an exercise may not choose between the plain and the fast way\n");
}

// The runtimes that watch the code have functions that read files, or that look away.
TEST_P(Inspection, RefusesToTalkToTheSanitizers) {
  expect_problem(
      with("extern \"C\" int __asan_backtrace_open(const char*);", "__asan_backtrace_open(\"answers\");"),
      "line 1 names a function of the sanitizers, __asan_backtrace_open");
  expect_problem(with("extern \"C\" void __sanitizer_set_report_fd(void*);"),
                 "names a function of the sanitizers");
  expect_problem(
      with("namespace __sanitizer { int ReadFile(const char*); }", "return __sanitizer::ReadFile(\"x\");"),
      "it uses __sanitizer: the sanitizers watch your code");
  expect_problem(with("static void end(int) __attribute__((weakref(\"exit\")));", "end(0);"),
                 "gives a function another name: weakref");
  expect_problem(with("#pragma redefine_extname twice exit"),
                 "gives a function another name: redefine_extname");
}

TEST_P(Inspection, RefusesFilesAndTheSystem) {
  EXPECT_EQ(repository_->problems_of(with("#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>", R"(
      fclose(fopen("results", "w"));
      if (write(3, "1", 1) + system("true") + getchar() > 0 && getenv("SEED")) usleep(1);)")),
            "it uses getenv: an exercise may not look at the environment\n"
            "it uses fclose, fopen, write: an exercise may not open files\n"
            "it uses system: an exercise may not talk to the system\n"
            "it uses usleep: it is not among the C functions that an exercise may call\n"
            "it uses getchar: the standard input belongs to the tests\n");
}

TEST_P(Inspection, RefusesStreamsAndThreads) {
  const std::string found = repository_->problems_of(
      with("#include <filesystem>\n#include <fstream>\n#include <iostream>\n#include <thread>",
           "std::ofstream(\"results\") << std::filesystem::exists(\"golden\");\n"
           "std::cout << x; std::thread([] {}).join();"));
  for (const char* const problem :
       {"it uses std::basic_ofstream, std::filesystem: an exercise may not open files\n", "std::cout",
        ": <iostream> runs code before main; print with std::printf\n",
        "it uses std::thread: an exercise may not start threads\n"})
    EXPECT_NE(found.find(problem), std::string::npos) << found;
}

TEST_P(Inspection, AllowsTheCallsOfTheReference) {
  repository_->folder().write("src/half.cpp", with("#include <stdlib.h>", "if (getenv(\"A\")) abort();"));
  EXPECT_EQ(repository_->problems_of(with("#include <stdlib.h>", "if (getenv(\"B\")) return 1;")), "");
}

TEST_P(Inspection, RefusesCodeBeforeMain) {
  const std::string problem = "it runs code before main";
  expect_problem(
      with("int counted(); struct Early { Early() { counted(); } } early; int counted() { return 1; }"),
      problem);
  expect_problem(with("__attribute__((constructor)) static void early() {}"), problem);
  expect_problem(with("static void early() {}\n__attribute__((section(\".init_array\"), used)) static void "
                      "(*hook)() = early;"),
                 problem);
  EXPECT_EQ(repository_->problems_of(with("static int kCount = 3; const char* const kName = \"x\";",
                                          "if (kCount++ > 5) return *kName;")),
            "");
}

TEST_P(Inspection, KnowsObjectsWithoutSanitizers) {
  repository_->exercise().sanitizers = "";
  EXPECT_EQ(repository_->problems_of(Repository::kReference), "");
  expect_problem(with("__attribute__((constructor)) static void early() {}"), "it runs code before main");
  repository_->exercise().sanitizers = "thread";
  EXPECT_EQ(repository_->problems_of(Repository::kReference), "");
  expect_problem(with("__attribute__((constructor)) static void early() {}"), "it runs code before main");
}

TEST_P(Inspection, RefusesAssembler) {
  expect_problem(with("", "\n/* a comment\n*/ asm(\"nop\");"), "line 5 contains assembler");
  expect_problem(with("", "__asm__ volatile(\"nop\");"), "contains assembler");
  expect_problem(with("#define JOINED(a, b) a##b", "JOINED(as, m)(\"nop\");"), "joins names with ##");
  expect_problem(with("", "as\\\nm(\"nop\");"), "contains assembler");
}

TEST_P(Inspection, ReadsTheTextAsACompilerDoes) {
  const std::string problem = "contains assembler";
  expect_problem(with("", "as\\ \nm(\"nop\");"), problem);
  expect_problem(with("", "as\\\r\nm(\"nop\");"), problem);
  expect_problem(with("", "auto s = LR\"(\" )\"; asm(\"nop\"); s = L\"\";"), problem);
  expect_problem(with("", "auto s = R\"(x)\\\n\" )\"; asm(\"nop\"); s = \"\";"), problem);
  expect_problem(with("", "auto c = L'\"'; asm(\"nop\"); c = L'\"';"), problem);
  expect_problem(with("", "// \\\n/*\nasm(\"nop\");\n// */\n"), problem);
  expect_problem(with("", "/\\\n* \" */ asm(\"nop\"); // \"\n"), problem);
  expect_problem(with("", "\n#if __has_include(</*>)\n#endif\nasm(\"nop\"); /* */"), problem);
  EXPECT_EQ(repository_->problems_of(with("#define SQUARE(x) \\\n  ((x) * (x))", R"in_half(
      // asm \
      asm
      const wchar_t* s = LR"(asm " )"; auto c = L'"'; s = L"asm";
      if (x < 1'000 || *s == c) return SQUARE(x) /* asm */;)in_half")),
            "");
}

TEST_P(Inspection, RefusesToMisleadTheCompiler) {
  expect_problem(with("#define private public"), "line 1 gives another meaning to private");
  expect_problem(with("#line 1 \"/etc/passwd\""), "line 1 pretends to stand in another file or line");
  expect_problem(with("\xEF\xBB\xBF#line 2"), "line 1 pretends to stand in another file or line");
  expect_problem(with("// A comment\r# 1 \"half.h\" 3"), "it has carriage returns within its lines");
  EXPECT_EQ(repository_->problems_of(with("\xEF\xBB\xBF// A comment\r\n#include <cmath>\r\n")), "");
  expect_problem(with("extern \"C\" double _ZN11plainformer5twiceEd(double);"),
                 "contains the linker's name of a function, _ZN11plainformer5twiceEd");
  EXPECT_EQ(repository_->problems_of(with("#define HALF 0.5\n#undef HALF\n#pragma once")), "");
}

// A compiler leaves a header of the system out of the list of dependencies.
TEST_P(Inspection, RefusesTheAnswerAsAHeaderOfTheSystem) {
  expect_problem("# 1 \"half.cpp\" 3\n#include \"../src/half.cpp\"",
                 "line 1 pretends to stand in another file");
  expect_problem("#include <../../" + repository_->folder().path_of("src/half.cpp") + ">",
                 "it includes ../../");
}

// Its first lines would show in the compiler's messages.
TEST_P(Inspection, RefusesToReadOtherFilesBeforeTheCompilerDoes) {
  expect_problem("#include \"/etc/passwd\"", "it includes /etc/passwd: include only headers");
  expect_problem("#include \"../../../etc/passwd\"", "it includes ../../../etc/passwd: include only headers");
  expect_problem("/* include \"half.h\" */ #include \"/etc/passwd\"",
                 "line 1 includes a file in a complicated");
  expect_problem("#define FILE \"/etc/passwd\"\n#include FILE",
                 "line 2 includes a file in a complicated way");
  expect_problem("#include_next <half.h>", "line 1 includes in another way than #include");
  if (!make_link("/etc/passwd", repository_->folder().path_of("homework/notes.h"))) GTEST_SKIP() << kNoLinks;
  expect_problem("#include \"notes.h\"", "it includes notes.h: include only headers");
}

TEST_P(Inspection, RefusesToIncludeOtherFiles) {
  repository_->folder().write("homework/my helper.h", "inline int helper() { return 1; }");
  repository_->folder().write("homework/answer.cpp", Repository::kReference);
  expect_problem("#include \"../src/half.cpp\"", "it includes ");
  expect_problem("#include \"answer.cpp\"",
                 "answer.cpp: include only headers from src/ and the standard library");
  expect_problem(with("#include \"my helper.h\""), "my helper.h: include only headers");
  expect_problem(with("#include \"../tests/support/gradient_check.h\""),
                 "gradient_check.h: include only headers");
  EXPECT_EQ(repository_->problems_of(with("#include \"../src/half.h\"\n#undef x")), "");
}

}  // namespace
}  // namespace plainformer::course
