// The rules of the house that a reader can rely on: floors, file lengths, no marks of unfinished work.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "support/pattern.h"

namespace {

namespace fs = std::filesystem;
using plainformer::Pattern;

const fs::path kRoot = PLAINFORMER_SOURCE_DIR;

// Each folder includes only folders on floors below its own, and itself.
const std::map<std::string, int> kFloors = {
    {"platform", 1}, {"core", 2},     {"kernels", 3},      {"ops", 4},          {"transformer", 5},
    {"training", 6}, {"decoding", 6}, {"data", 7},         {"evaluation", 8},   {"io", 7},
    {"report", 7},   {"parsing", 8},  {"command_line", 8}, {"model_folder", 8}, {"train", 9},
    {"show", 10},    {"app", 11},
};

// Rooms that may look into fewer still: a room, and what its files must not include.
struct Closed {
  Pattern room;
  Pattern includes;
};
// The equations: the loops of the operations, and the one line in which each leaves for the fast way.
const std::string kEquations = "src/ops/[^/]*";
const std::vector<Closed> kClosed = {
    // The fields of an update are the same for every kernel.
    {Pattern("src/ops/[^/]*"), Pattern("\"kernels/(?!adam_step)|core/(thread_pool|scratch)\\.h|<thread>")},
    {Pattern("src/transformer/.*"), Pattern("\"(ops/fast|kernels)/|core/(thread_pool|scratch)\\.h|<thread>")},
    {Pattern("src/show/.*"), Pattern("<thread>")},
    {Pattern("src/training/.*"), Pattern("\"(ops/fast|kernels|decoding)/|core/thread_pool\\.h|<thread>")},
    {Pattern("src/decoding/.*"), Pattern("\"(kernels|training)/|core/thread_pool\\.h|<thread>")},
    // A batch is what the model reads, and the training loop asks for.
    {Pattern("src/data/.*"),
     Pattern(
         "\"(kernels/|ops/(?!ways\\.h)|transformer/(?!translation_batch\\.h)|training/(?!training_loop\\.h)|"
         "decoding/)")},
    {Pattern("src/(evaluation|io|report)/.*"), Pattern("\"(kernels|ops|transformer|training|decoding)/")},
    {Pattern("src/model_folder/.*"), Pattern("\"(kernels|ops|evaluation)/")},
    {Pattern("src/parsing/.*"),
     Pattern("\"(kernels|ops|transformer|training|decoding|evaluation|io|report)/")},
};

struct SourceFile {
  std::string path;  // "src/ops/softmax.cpp"
  std::vector<std::string> lines;
};

std::vector<SourceFile> files_under(const std::string& folder) {
  std::vector<SourceFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cpp") continue;
    std::ifstream stream(entry.path());
    SourceFile file = {fs::relative(entry.path(), kRoot).generic_string(), {}};
    for (std::string line; std::getline(stream, line);) file.lines.push_back(line);
    files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

std::string folder_of(const std::string& path) {
  const std::size_t begin = path.find('/') + 1;
  return path.substr(begin, path.find('/', begin) - begin);
}

std::vector<std::string> violations_of_floors(const std::string& path,
                                              const std::vector<std::string>& lines) {
  static const Pattern include("#include \"([a-z_]+)/[^\"]*\"");
  const std::string own = folder_of(path);
  std::vector<std::string> violations;
  for (const std::string& line : lines) {
    const auto match = include.first_in(line);
    if (!match) continue;
    const std::string& other = match->groups[1];
    const bool allowed = kFloors.count(other) && (other == own || kFloors.at(other) < kFloors.at(own));
    if (!allowed) violations.push_back(path + ": " + line);
  }
  return violations;
}

TEST(House, EachFolderIncludesOnlyFloorsBelowItsOwn) {
  const auto files = files_under("src");
  ASSERT_GT(files.size(), 50u);
  for (const SourceFile& file : files) {
    ASSERT_TRUE(kFloors.count(folder_of(file.path))) << file.path << " is on no floor";
    for (const std::string& violation : violations_of_floors(file.path, file.lines))
      ADD_FAILURE() << violation;
  }
}

std::vector<std::string> violations_of_closed_rooms(const std::string& path,
                                                    const std::vector<std::string>& lines) {
  std::vector<std::string> violations;
  for (const Closed& closed : kClosed) {
    if (!closed.room.matches(path)) continue;
    for (const std::string& line : lines) {
      const bool is_include = line.rfind("#include", 0) == 0;
      if (is_include && closed.includes.is_in(line)) violations.push_back(path + ": " + line);
    }
  }
  return violations;
}

TEST(House, ThePlainWayAndTheTransformerKnowNoFastWay) {
  for (const SourceFile& file : files_under("src"))
    for (const std::string& violation : violations_of_closed_rooms(file.path, file.lines))
      ADD_FAILURE() << violation;
}

TEST(House, TheRuleOfClosedRoomsRejectsTheFastWay) {
  const auto count = [](const std::string& path, const std::string& line) {
    return violations_of_closed_rooms(path, {line}).size();
  };
  EXPECT_EQ(count("src/transformer/a.cpp", "#include \"ops/fast/matmul.h\""), 1u);
  EXPECT_EQ(count("src/transformer/a.cpp", "#include \"core/thread_pool.h\""), 1u);
  EXPECT_EQ(count("src/transformer/a.cpp", "#include \"ops/linear.h\""), 0u);
  EXPECT_EQ(count("src/ops/a.cpp", "#include \"kernels/kernels.h\""), 1u);
  EXPECT_EQ(count("src/ops/a.cpp", "#include \"core/thread_pool.h\""), 1u);
  EXPECT_EQ(count("src/ops/a.cpp", "#include \"ops/fast/fast.h\""), 0u);
  EXPECT_EQ(count("src/ops/fast/a.cpp", "#include \"kernels/kernels.h\""), 0u);
  EXPECT_EQ(count("src/io/a.cpp", "#include \"ops/linear.h\""), 1u);
}

// The program also builds without show.
TEST(House, OneFileOfTheProgramKnowsShow) {
  std::vector<std::string> knowing;
  for (const SourceFile& file : files_under("src/app")) {
    const auto includes_it = [](const std::string& line) { return line.rfind("#include \"show/", 0) == 0; };
    if (std::any_of(file.lines.begin(), file.lines.end(), includes_it)) knowing.push_back(file.path);
  }
  EXPECT_EQ(knowing, std::vector<std::string>{"src/app/laboratory.cpp"});
}

// Which lines of an equation's file go to the fast way otherwise than in the one line that leaves,
// "if (ways.linear == Way::kFast) return fast::linear_forward(x, w);"? (clang-format may break it.)
std::vector<std::string> other_ways_to_the_fast_way(const std::string& path,
                                                    const std::vector<std::string>& lines) {
  static const Pattern equations(kEquations + "\\.cpp"), fast("\\bfast::");
  static const Pattern leaves("^  if \\((ways\\.\\w+|cache\\.way) == Way::kFast\\)( return fast::.*)?$");
  std::vector<std::string> violations;
  if (!equations.matches(path)) return violations;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!fast.is_in(lines[i]) || leaves.is_in(lines[i])) continue;
    const bool is_broken = i > 0 && leaves.is_in(lines[i - 1]) && lines[i].find("return fast::") == 4;
    if (!is_broken) violations.push_back(path + ": " + lines[i]);
  }
  return violations;
}

TEST(House, AnEquationLeavesForTheFastWayInOneLine) {
  for (const SourceFile& file : files_under("src")) {
    for (const std::string& violation : other_ways_to_the_fast_way(file.path, file.lines))
      ADD_FAILURE() << violation;
  }
}

TEST(House, TheRuleOfTheOneLineRejectsOthers) {
  const auto count = [](const std::vector<std::string>& lines,
                        const std::string& path = "src/ops/linear.cpp") {
    return other_ways_to_the_fast_way(path, lines).size();
  };
  EXPECT_EQ(count({"  if (ways.linear == Way::kFast) return fast::linear_forward(x, w);"}), 0u);
  EXPECT_EQ(count({"  if (ways.linear == Way::kFast)", "    return fast::linear_forward(x, w);"}), 0u);
  EXPECT_EQ(count({"  return fast::linear_forward(x, w);"}), 1u);
  EXPECT_EQ(count({"  if (rows > 7) return fast::linear_forward(x, w);"}), 1u);
  EXPECT_EQ(count({"    fast::transpose(x);"}), 1u);
  EXPECT_EQ(count({"    fast::transpose(x);"}, "src/ops/fast/linear.cpp"), 0u);
}

TEST(House, TheRoomToReadFirstHasAtMost1600Lines) {
  std::size_t lines = 0;
  for (const SourceFile& file : files_under("src/transformer")) lines += file.lines.size();
  EXPECT_GT(lines, 1000u);
  EXPECT_LE(lines, 1600u);
}

TEST(House, TheFloorRuleRejectsALookUpward) {
  EXPECT_EQ(violations_of_floors("src/ops/a.cpp", {"#include \"transformer/embedding.h\""}).size(), 1u);
  EXPECT_EQ(violations_of_floors("src/io/a.cpp", {"#include \"data/text.h\""}).size(), 1u);
  EXPECT_EQ(violations_of_floors("src/io/a.cpp", {"#include \"nowhere/text.h\""}).size(), 1u);
  EXPECT_EQ(violations_of_floors("src/transformer/a.cpp", {"#include \"ops/softmax.h\"", "#include <cmath>"})
                .size(),
            0u);
}

// Its macros would reach every program that uses the library.
TEST(House, NoHeaderIncludesTheMacrosOfCheck) {
  for (const SourceFile& file : files_under("src"))
    for (const std::string& line : file.lines)
      EXPECT_FALSE(file.path.ends_with(".h") && line == "#include \"core/check.h\"") << file.path;
}

TEST(House, NoFileIsLongerThan400Lines) {
  for (const char* folder : {"src", "tests", "examples/assignments"}) {
    for (const SourceFile& file : files_under(folder)) EXPECT_LE(file.lines.size(), 400u) << file.path;
  }
}

TEST(House, NothingIsLeftUnfinished) {
  const Pattern mark(
      "\\b(TO"
      "DO|FIX"
      "ME|XX"
      "X|HA"
      "CK)\\b");
  for (const char* folder : {"src", "tests", "examples"}) {
    for (const SourceFile& file : files_under(folder)) {
      for (const std::string& line : file.lines) EXPECT_FALSE(mark.is_in(line)) << file.path << ": " << line;
    }
  }
}

TEST(House, EveryOperationHasItsBackwardBesideIt) {
  for (const SourceFile& file : files_under("src/ops")) {
    if (!file.path.ends_with(".h") || file.path.find("src/ops/fast/") == 0) continue;
    const auto declares = [&](const std::string& suffix) {
      return std::any_of(file.lines.begin(), file.lines.end(), [&](const std::string& line) {
        return line.find(suffix + "(") != std::string::npos;
      });
    };
    const bool has_forward = declares("_forward") || declares("_forward_backward");
    EXPECT_EQ(has_forward, declares("_backward")) << file.path;
  }
}

bool knows_an_instruction_set_or_a_thread(const std::string& line) {
  static const Pattern forbidden(
      "_mm(256|512)?_|<immintrin|<arm_neon|<wasm_simd|std::thread|parallel_for|<thread>");
  return forbidden.is_in(line);
}

TEST(House, TheEquationsAndAboveKnowNoInstructionSetAndNoThread) {
  const Pattern rooms(kEquations + "|src/(transformer|training|decoding)/(?!fast/).*");
  for (const SourceFile& file : files_under("src")) {
    if (!rooms.matches(file.path)) continue;
    for (const std::string& line : file.lines)
      EXPECT_FALSE(knows_an_instruction_set_or_a_thread(line)) << file.path << ": " << line;
  }
}

TEST(House, TheRuleOfThreadsKnowsThem) {
  for (const char* line :
       {"_mm512_add_ps(x, y)", "parallel_for(rows, f)", "#include <thread>", "std::thread t;"})
    EXPECT_TRUE(knows_an_instruction_set_or_a_thread(line)) << line;
  EXPECT_FALSE(knows_an_instruction_set_or_a_thread("for (Index row = 0; row < rows; ++row)"));
}

// --- one room for the platform ---

bool asks_the_system(const std::string& line) {
  static const Pattern system_include("#include <[a-z_0-9]+[./].*>");
  static const Pattern ours("#include <(immintrin\\.h|arm_neon\\.h|wasm_simd128\\.h|gtest/gtest\\.h)>");
  return system_include.is_in(line) && !ours.is_in(line);
}

bool leaves_standard_cpp(const std::string& line) {
  static const Pattern extension(
      "__attribute__|__builtin_|\\[\\[gnu::|\\basm\\b|__int128|#pragma "
      "(?!once)|_Pragma|\\b_WIN32\\b|__linux__|"
      "__APPLE__|__GNUC__|__clang__|__EMSCRIPTEN__");
  return extension.is_in(line);
}

TEST(House, OnlyThePlatformAsksTheSystemAndLeavesStandardCpp) {
  for (const SourceFile& file : files_under("src")) {
    if (folder_of(file.path) == "platform") continue;
    for (const std::string& line : file.lines) {
      EXPECT_FALSE(asks_the_system(line)) << file.path << ": " << line;
      EXPECT_FALSE(leaves_standard_cpp(line)) << file.path << ": " << line;
    }
  }
}

TEST(House, OnlyTheSystemsRoomOfTheTestsAsksTheSystem) {
  for (const SourceFile& file : files_under("tests")) {
    if (folder_of(file.path) == "system") continue;
    for (const std::string& line : file.lines)
      EXPECT_FALSE(line.rfind("#include", 0) == 0 && asks_the_system(line)) << file.path << ": " << line;
  }
}

// The grader and the exercises. (cxxabi.h belongs to the compiler.)
TEST(House, OnlyTheProcessesOfTheCourseAskTheSystem) {
  const Pattern name_of_system("\\b(_WIN32|__linux__|__APPLE__)\\b");
  for (const SourceFile& file : files_under("examples/assignments")) {
    if (file.path.find("/course/process/") != std::string::npos || file.path.ends_with("support/system.cpp"))
      continue;
    for (const std::string& line : file.lines) {
      EXPECT_FALSE(asks_the_system(line) && line != "#include <cxxabi.h>") << file.path << ": " << line;
      EXPECT_FALSE(name_of_system.is_in(line)) << file.path << ": " << line;
    }
  }
}

TEST(House, TheRuleOfThePlatformKnowsWhatIsNotStandard) {
  for (const char* line : {"#include <unistd.h>", "#include <sys/stat.h>", "#include <windows.h>"})
    EXPECT_TRUE(asks_the_system(line)) << line;
  for (const char* line : {"#include <vector>", "#include <csignal>", "#include <arm_neon.h>"})
    EXPECT_FALSE(asks_the_system(line)) << line;
  for (const char* line : {"#pragma GCC unroll 8", "#ifdef _WIN32", "  asm volatile(\"yield\");",
                           "[[gnu::noinline]]", "__builtin_prefetch(x);", "void f() __attribute__((used));"})
    EXPECT_TRUE(leaves_standard_cpp(line)) << line;
  for (const char* line : {"#pragma once", "[[noreturn]] void f();", "UNROLL(8)"})
    EXPECT_FALSE(leaves_standard_cpp(line)) << line;
}

// Without to_path, a path with an umlaut names another file on Windows.
bool converts_a_path_by_itself(const std::string& line) {
  static const Pattern by_itself(
      "std::filesystem::(path|exists|is_directory|is_regular_file|file_size|remove|rename|create_directories|"
      "absolute|equivalent|directory_iterator)\\((?!to_path\\(|status\\))|"
      "stream [a-z_]+\\((?!to_path\\()[a-z_]*path|\\.open\\((?!to_path\\()");
  return by_itself.is_in(line);
}

TEST(House, EveryPathIsUtf8) {
  for (const SourceFile& file : files_under("src")) {
    if (folder_of(file.path) == "platform") continue;
    for (const std::string& line : file.lines)
      EXPECT_FALSE(converts_a_path_by_itself(line)) << file.path << ": " << line;
  }
}

TEST(House, TheRuleOfPathsKnowsBothWays) {
  for (const char* line : {"std::filesystem::exists(folder.run())", "std::filesystem::path(text).stem()",
                           "std::ifstream file(path, std::ios::binary);", "stream_.open(path);"})
    EXPECT_TRUE(converts_a_path_by_itself(line)) << line;
  for (const char* line :
       {"std::filesystem::exists(to_path(folder.run()))", "std::filesystem::exists(status)",
        "std::ifstream file(to_path(path));", "std::ostringstream text;"})
    EXPECT_FALSE(converts_a_path_by_itself(line)) << line;
}

}  // namespace
