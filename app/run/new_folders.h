#pragma once
/// Folders that a run makes for its files.

#include <filesystem>
#include <vector>

namespace riffle {

/// Folders that are noted before they are made, and that are empty at the end, are removed again: a run that could not begin
/// leaves nothing.
class NewFolders {
 public:
  NewFolders() = default;
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders();

  /// The folder and those above it, as far as they are not there.
  void note(std::filesystem::path folder);

 private:
  std::vector<std::filesystem::path> made_;  ///< inner ones before outer ones
};

}  // namespace riffle
