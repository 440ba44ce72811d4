// A small disk that a test can fill.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "io/temporary_folder.h"
#include "system/system.h"

namespace plainformer {

class SmallDisk {
 public:
  explicit SmallDisk(std::uintmax_t bytes = 1 << 20) : mounted_(mount_small_disk(folder_.path(), bytes)) {}
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) unmount_small_disk(folder_.path());
  }

  bool mounted() const { return mounted_; }
  const TemporaryFolder& folder() const { return folder_; }

  // Leaves that many bytes free, or up to a page less.
  void fill_up_to(std::uintmax_t free) const {
    const std::string page(4096, 'x');
    std::ofstream file(to_path(folder_.path_of("filler")), std::ios::binary);
    std::uintmax_t bytes = 0;
    while (file << page << std::flush) bytes += page.size();
    file.close();
    if (free == 0) return;
    std::filesystem::resize_file(to_path(folder_.path_of("filler")), bytes - std::min(free, bytes));
  }
  void empty() const { std::filesystem::remove(to_path(folder_.path_of("filler"))); }

 private:
  const TemporaryFolder folder_;
  const bool mounted_;
};

}  // namespace plainformer
