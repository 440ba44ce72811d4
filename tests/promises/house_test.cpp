// The rules of the house that a reader can rely on: floors, file lengths, no marks of unfinished work.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = PLAINFORMER_SOURCE_DIR;

// Each folder includes only folders on floors below its own, and itself.
const std::map<std::string, int> kFloors = {
    {"core", 1}, {"kernels", 2},    {"ops", 3}, {"transformer", 4}, {"training", 5},     {"decoding", 5},
    {"data", 6}, {"evaluation", 6}, {"io", 6},  {"report", 6},      {"model_folder", 7}, {"app", 8},
};

// Rooms that may look into fewer still: a room, and what its files must not include.
struct Closed {
  std::string room;
  std::regex includes;
};
const std::vector<Closed> kClosed = {
    {"src/ops/plain/", std::regex("\"(ops/fast|kernels)/|core/(thread_pool|scratch)\\.h")},
    {"src/ops/fast/", std::regex("\"ops/plain/")},
    {"src/transformer/",
     std::regex("\"(ops/fast|ops/plain|kernels)/|core/(thread_pool|scratch)\\.h|<thread>")},
    {"src/training/", std::regex("\"(ops/fast|ops/plain|kernels|decoding)/|core/thread_pool\\.h|<thread>")},
    {"src/decoding/", std::regex("\"(ops/plain|kernels|training)/|core/thread_pool\\.h|<thread>")},
    {"src/data/", std::regex("\"(kernels|ops|transformer|training|decoding)/")},
    {"src/evaluation/", std::regex("\"(kernels|ops|transformer|training|decoding)/")},
    {"src/io/", std::regex("\"(kernels|ops|transformer|training|decoding)/")},
    {"src/model_folder/", std::regex("\"(kernels|ops|decoding|evaluation|report)/")},
    {"src/report/", std::regex("\"(kernels|ops|transformer|training|decoding)/")},
};

struct SourceFile {
  std::string path;  // "src/ops/softmax.cpp"
  std::vector<std::string> lines;
};

std::vector<SourceFile> files_under(const std::string& folder) {
  std::vector<SourceFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp") continue;
    std::ifstream stream(entry.path());
    SourceFile file = {fs::relative(entry.path(), kRoot).string(), {}};
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
  static const std::regex include("#include \"([a-z_]+)/[^\"]*\"");
  const std::string own = folder_of(path);
  std::vector<std::string> violations;
  for (const std::string& line : lines) {
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const std::string other = match[1];
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
    if (path.rfind(closed.room, 0) != 0) continue;
    for (const std::string& line : lines) {
      const bool is_include = line.rfind("#include", 0) == 0;
      if (is_include && std::regex_search(line, closed.includes)) violations.push_back(path + ": " + line);
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
  EXPECT_EQ(count("src/ops/plain/a.cpp", "#include \"kernels/kernels.h\""), 1u);
  EXPECT_EQ(count("src/ops/plain/a.cpp", "#include \"ops/plain/plain.h\""), 0u);
  EXPECT_EQ(count("src/ops/fast/a.cpp", "#include \"ops/plain/plain.h\""), 1u);
  EXPECT_EQ(count("src/io/a.cpp", "#include \"ops/linear.h\""), 1u);
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
  const std::regex mark(
      "\\b(TO"
      "DO|FIX"
      "ME|XX"
      "X|HA"
      "CK)\\b");
  for (const char* folder : {"src", "tests", "examples"}) {
    for (const SourceFile& file : files_under(folder)) {
      for (const std::string& line : file.lines)
        EXPECT_FALSE(std::regex_search(line, mark)) << file.path << ": " << line;
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
    EXPECT_EQ(declares("_forward"), declares("_backward")) << file.path;
  }
}

TEST(House, ThePlainWayAndAboveKnowNoInstructionSetAndNoThread) {
  const std::regex forbidden("_mm(256|512)?_|<immintrin|<arm_neon|std::thread|parallel_for");
  for (const char* folder : {"src/ops/plain", "src/transformer", "src/training", "src/decoding"}) {
    for (const SourceFile& file : files_under(folder)) {
      for (const std::string& line : file.lines) {
        EXPECT_FALSE(std::regex_search(line, forbidden)) << file.path << ": " << line;
      }
    }
  }
}

}  // namespace
