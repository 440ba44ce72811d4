#include "train/replacement.h"

#include <filesystem>
#include <iostream>

#include "core/input_error.h"
#include "platform/platform.h"

namespace plainformer {

namespace {

ModelFolder replacement_in(const ModelFolder& folder) {
  return folder.path + "/replacement";
}

bool file_exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(to_path(path), error);
}

// All files that a run leaves in its folder, whether they exist or not. The weights come last: who finds them finds the
// files that belong to them.
std::vector<std::string> files_of(const ModelFolder& folder) {
  std::vector<std::string> files = {folder.run(), folder.log(), folder.frames(), folder.codes(),
                                    folder.vocabulary()};
  for (const std::string& file : step_checkpoints(folder)) files.push_back(file);
  for (const std::string& file : {folder.best(), folder.weights(), folder.training_state()})
    files.push_back(file);
  return files;
}

// Renames the file, or copies it where `checkpoints` is a link to another disk.
void move_file(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::rename(to_path(from), to_path(to), error);
  if (!error) return;
  std::filesystem::copy_file(to_path(from), to_path(to), error);
  if (error)
    throw input_error(to, "cannot be written: " + error.default_error_condition().message(),
                      "the new file is " + from);
  std::filesystem::remove(to_path(from));
}

// Removes the folder with the files of a run, but no other file, and no folder that has one.
void remove_run(const ModelFolder& folder) {
  for (const std::string& file : files_of(folder)) std::filesystem::remove(to_path(file));
  std::error_code not_empty;
  std::filesystem::remove(to_path(folder.checkpoints()), not_empty);
  std::filesystem::remove(to_path(folder.path), not_empty);
}

void move_files(const ModelFolder& from, const ModelFolder& to) {
  // The old weights go first, so that they never stand beside a new vocabulary. The old record goes when the new one takes
  // its place, because --resume begins with it.
  std::vector<std::string> old = files_of(to);
  for (auto file = old.rbegin(); file != old.rend(); ++file)
    if (*file != to.run()) std::filesystem::remove(to_path(*file));
  make_folder(to.checkpoints());
  for (const std::string& file : files_of(from))
    if (file_exists(file)) move_file(file, to.path + file.substr(from.path.size()));
  remove_run(from);
}

}  // namespace

Replacement::Replacement(const ModelFolder& old) : old_(old), new_(replacement_in(old)) {
  for (const std::string& file : files_of(old_))
    if (std::filesystem::is_directory(to_path(file)))
      throw input_error(file, "is a folder", "a file of the new model belongs there: move the folder away");
  make_folder(new_.checkpoints());
}

Replacement::~Replacement() {
  try {
    if (!holds_model(new_)) remove_run(new_);
  } catch (const std::filesystem::filesystem_error&) {
    // The files stay where they are, and the next run removes them.
  }
}

void Replacement::take_place() const {
  move_files(new_, old_);
}

void Replacement::clean_up(const ModelFolder& folder, bool overwrite) {
  const ModelFolder left = replacement_in(folder);
  if (!file_exists(left.run())) return;  // there is none, or a folder of somebody else
  const bool has_checkpoint = file_exists(left.training_state());
  if (has_checkpoint && !holds_model(folder))
    move_files(left, folder);
  else if (has_checkpoint && !overwrite)
    std::cerr << left.path << " holds a model that was stopped before it replaced the one in " << folder.path
              << "\n";
  else
    remove_run(left);
}

}  // namespace plainformer
