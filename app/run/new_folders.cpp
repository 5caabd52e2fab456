#include "app/run/new_folders.h"

#include <system_error>

namespace riffle {

namespace fs = std::filesystem;

void NewFolders::note(fs::path folder) {
  std::error_code none;
  for (; !folder.empty() && !fs::exists(folder, none); folder = folder.parent_path()) {
    made_.push_back(folder);
    if (folder == folder.parent_path()) return;
  }
}

NewFolders::~NewFolders() {
  std::error_code none;
  // One that is not empty stays: remove() refuses it.
  for (const fs::path& folder : made_)
    if (fs::is_directory(folder, none) && !fs::is_symlink(folder, none)) fs::remove(folder, none);
}

}  // namespace riffle
