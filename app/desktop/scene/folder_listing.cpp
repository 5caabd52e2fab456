#include "app/desktop/scene/folder_listing.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "core/error.h"

namespace riffle::desktop {

namespace fs = std::filesystem;

namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool comes_before(const FolderEntry& a, const FolderEntry& b) {
  if (a.folder != b.folder) return a.folder;
  const std::string lower_a = lower(a.name), lower_b = lower(b.name);
  return lower_a != lower_b ? lower_a < lower_b : a.name < b.name;
}

}  // namespace

std::vector<FolderEntry> list_folder(const fs::path& folder, const std::vector<std::string>& endings) {
  std::error_code error;
  std::vector<FolderEntry> entries;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    std::error_code none;
    const bool is_folder = at->is_directory(none);
    const bool of_kind = std::ranges::find(endings, lower(at->path().extension().string())) != endings.end();
    if (name.starts_with('.') || (!is_folder && !of_kind)) continue;
    entries.push_back({name, is_folder});
  }
  if (error) throw RuntimeFailure(folder.string() + ": cannot be read: " + error.message());
  std::sort(entries.begin(), entries.end(), comes_before);
  return entries;
}

fs::path typed_path(const std::string& typed, const fs::path& folder) {
  const char* home = std::getenv("HOME");
  if (home && (typed == "~" || typed.starts_with("~/"))) return fs::path(home + typed.substr(1)).lexically_normal();
  return (folder / typed).lexically_normal();
}

std::string completed_path(const std::string& typed, const fs::path& folder, const std::vector<std::string>& endings) {
  const std::size_t slash = typed.rfind('/');
  const std::string before = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  const std::string begun = typed.substr(before.size());
  std::vector<FolderEntry> entries;
  try {
    entries = list_folder(before.empty() ? folder : typed_path(before, folder), endings);
  } catch (const RuntimeFailure&) {
    return typed;
  }
  std::erase_if(entries, [&](const FolderEntry& entry) { return !entry.name.starts_with(begun); });
  if (entries.empty()) return typed;
  std::string common = entries[0].name;
  for (const FolderEntry& entry : entries)
    common.erase(std::mismatch(common.begin(), common.end(), entry.name.begin(), entry.name.end()).first, common.end());
  return before + common + (entries.size() == 1 && entries[0].folder ? "/" : "");
}

}  // namespace riffle::desktop
