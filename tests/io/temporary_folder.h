// A fresh folder for the files of one test, removed at its end.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace plainformer {

class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "plainformer-io-XXXXXX").string()) {
    if (!mkdtemp(path_.data())) throw std::runtime_error("cannot create " + path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_of(name), std::ios::binary) << bytes;
    return path_of(name);
  }

  std::string read(const std::string& name) const {
    std::ifstream file(path_of(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // How many files are in it: leftovers count.
  std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator());
  }

 private:
  std::string path_;
};

// The message of the std::runtime_error that `action` throws; "" if it throws nothing.
template <typename Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace plainformer
