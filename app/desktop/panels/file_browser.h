#pragma once
/// A list of a folder's files with a line to type a path.

#include <filesystem>
#include <string>
#include <vector>

#include "app/desktop/scene/folder_listing.h"

namespace riffle::desktop {

struct FileBrowser {
  std::filesystem::path folder;                  ///< shown; absolute
  std::string typed;                             ///< a path, or a name in the folder
  std::vector<std::string> endings = {".yaml"};  ///< of the files that are listed, in small letters
  bool ask_for_keyboard = true;                  ///< the line to type gets it in the next picture

  std::filesystem::path path() const { return typed_path(typed, folder); }

  // What was read last.
  std::vector<FolderEntry> entries;
  std::string failure;
  std::filesystem::path listed;
  double listed_at = 0;  ///< [s]
};

/// @param name prefix for InterfaceTrace: "<name>.file" is the line, "<name>.entry.<file>" a line of the list
/// @return whether the user has decided for the path: by Enter or a double click
bool draw_file_browser(FileBrowser& browser, const std::string& name);

}  // namespace riffle::desktop
