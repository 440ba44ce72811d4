// One writer for a folder at a time.
#pragma once

#include <string>

#include "io/atomic_file.h"

namespace plainformer {

// Holds the folder at `path` until it goes. The lock is the system's, on the folder itself: nothing is left
// behind in it, and nothing stays locked after a process that was killed. It binds those who ask for it, not
// readers. Where a file system cannot lock a folder (NFS cannot), nobody is refused.
class FolderLock {
 public:
  // `others` are who might hold it: input_error "path: <others> is writing into this folder" if one does.
  FolderLock(const std::string& path, const std::string& others);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  const FileDescriptor folder_;
};

}  // namespace plainformer
