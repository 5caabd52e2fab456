#include "core/text/program_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"

namespace riffle {

namespace fs = std::filesystem;

fs::path program_folder() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : self.parent_path();
}

fs::path installed_share() {
  std::error_code error;
  const fs::path share = (program_folder() / "../share/riffle").lexically_normal();
  return fs::is_directory(share, error) ? share : fs::path();
}

std::vector<std::string> shared_folders(const std::string& kind, const fs::path& source) {
  const fs::path share = installed_share();
  const fs::path folder = share.empty() ? source : share / kind;
  std::error_code error;
  if (!fs::is_directory(folder, error)) return {};
  return {folder.lexically_normal().string()};
}

std::string find_shared(const std::string& file, const std::vector<std::string>& folders, const std::string& kind) {
  for (const std::string& folder : folders) {
    std::error_code error;
    if (const fs::path path = fs::path(folder) / file; fs::is_regular_file(path, error)) return path.string();
  }
  throw Unavailable(fmt::format("{} table {} was not found (looked in {})", kind, file,
                                folders.empty()
                                    ? fmt::format("no folder: ../share/riffle/{} is not beside the program", kind)
                                    : fmt::format("{}", fmt::join(folders, ", "))));
}

}  // namespace riffle
