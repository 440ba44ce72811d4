#include "train/json_lines.h"

#include <gtest/gtest.h>

#include "io/temporary_folder.h"

namespace plainformer {
namespace {

TEST(JsonLines, KeepThoseWithAValueThatIsWanted) {
  const TemporaryFolder folder;
  const std::string path = folder.write("log", "{\"step\": 1}\n{\"loss\": 2}\n{\"step\": 3}\n");
  EXPECT_EQ(kept_json_lines(path, [](const JsonValue& value) { return value.find("step") != nullptr; }),
            "{\"step\": 1}\n{\"step\": 3}\n");
}

TEST(JsonLines, EndBeforeALineThatIsCut) {
  const TemporaryFolder folder;
  const std::string path = folder.write("log", "{\"step\": 1}\n{\"st\n{\"step\": 3}\n");
  EXPECT_EQ(kept_json_lines(path, [](const JsonValue&) { return true; }), "{\"step\": 1}\n");
}

}  // namespace
}  // namespace plainformer
