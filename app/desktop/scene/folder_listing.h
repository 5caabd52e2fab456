#pragma once
/// What a file browser shows: folders and files of some kinds, and how a typed path is completed.

#include <filesystem>
#include <string>
#include <vector>

namespace riffle::desktop {

struct FolderEntry {
  std::string name;
  bool folder = false;
  friend bool operator==(const FolderEntry&, const FolderEntry&) = default;
};

/// Folders, then files with one of those endings, both by name without regard to case; hidden ones are left out.
/// @param endings with their points, in small letters
/// @throws RuntimeFailure with the reason if the folder cannot be read
std::vector<FolderEntry> list_folder(const std::filesystem::path& folder, const std::vector<std::string>& endings);

/// A typed path as a path: "~/" is the home folder, and what is not absolute is in `folder`.
std::filesystem::path typed_path(const std::string& typed, const std::filesystem::path& folder);

/// The text continued as far as all folders and files agree that begin with it; "/" follows a folder. The text itself if
/// nothing begins with it.
std::string completed_path(const std::string& typed, const std::filesystem::path& folder,
                           const std::vector<std::string>& endings);

}  // namespace riffle::desktop
