// A new folder for the files of one test, which is removed at its end.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "platform/platform.h"
#include "support/thrown_message.h"

namespace plainformer {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::random_device random;
    const std::filesystem::path temporary = std::filesystem::temp_directory_path();
    do {
      path_ = to_text(temporary / ("plainformer-" + std::to_string(random())));
    } while (!std::filesystem::create_directory(to_path(path_)));  // false if the name is taken
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(to_path(path_)); }

  const std::string& path() const { return path_; }
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(to_path(path_of(name)), std::ios::binary) << bytes;
    return path_of(name);
  }

  std::string read(const std::string& name) const {
    std::ifstream file(to_path(path_of(name)), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // How many files are in it: leftovers count.
  std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(to_path(path_)),
                         std::filesystem::directory_iterator());
  }

 private:
  std::string path_;
};

}  // namespace plainformer
