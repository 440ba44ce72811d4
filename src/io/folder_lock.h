// A lock that lets one writer at a time into a folder.
#pragma once

#include <string>

#include "platform/platform.h"

namespace plainformer {

// Locks the folder at `path` until destroyed. The operating system keeps the lock, on the folder itself: no
// file is left in it, and the lock ends with its process, even with a killed one. Only others that ask for
// the lock are refused; readers never ask. Where a file system cannot lock a folder, nobody is refused, which a line on
// standard error says.
class FolderLock {
 public:
  // `others` describes the possible holder: input_error "path: <others> is writing into this folder" if the
  // lock is taken.
  FolderLock(const std::string& path, const std::string& others);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  const FileDescriptor folder_;
};

}  // namespace plainformer
