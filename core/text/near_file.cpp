#include "core/text/near_file.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "core/text/file_ending.h"
#include "core/text/suggestion.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

bool ends_as_one_of(const fs::path& file, std::initializer_list<std::string_view> endings) {
  return std::ranges::find(endings, ending_of(file)) != endings.end();
}

}  // namespace

std::string near_file(const fs::path& missing, std::initializer_list<std::string_view> endings) {
  constexpr std::size_t kMostFiles = 4096;
  const fs::path folder = missing.parent_path();
  const std::string name = missing.filename().string(), stem = missing.stem().string();
  if (name.empty()) return "";
  std::error_code error;
  std::vector<std::string> names, same_stem;
  std::size_t seen = 0;
  for (fs::directory_iterator file(folder.empty() ? "." : folder, error), end; !error && file != end;
       file.increment(error)) {
    if (++seen > kMostFiles) return "";
    const fs::path found = file->path().filename();
    std::error_code none;
    if (found.string().starts_with(".") || !ends_as_one_of(found, endings) || !file->is_regular_file(none)) continue;
    names.push_back(found.string());
    if (found.stem() == stem) same_stem.push_back(found.string());
  }
  if (error) return "";
  std::sort(names.begin(), names.end());
  std::sort(same_stem.begin(), same_stem.end());
  std::string meant = nearest_name(name, same_stem);
  if (meant.empty() && same_stem.size() == 1) meant = same_stem.front();
  if (meant.empty()) meant = nearest_name(name, names);
  return meant.empty() ? "" : "; did you mean '" + (folder / meant).string() + "'?";
}

}  // namespace riffle
