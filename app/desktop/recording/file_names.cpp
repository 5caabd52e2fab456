#include "app/desktop/recording/file_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace riffle::desktop {

namespace fs = std::filesystem;

namespace {

/// Bytes from 128 on are parts of other letters (UTF-8).
bool is_control(char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }

}  // namespace

std::string forbidden_in_name(const std::string& name) {
  std::string found;
  if (name.find('/') != std::string::npos) found = "a slash";
  if (std::ranges::any_of(name, is_control)) found += (found.empty() ? "" : ", ") + std::string("a control character");
  return found;
}

fs::path free_name(const fs::path& folder, const std::string& name, const std::string& extension) {
  std::string clean = name;
  std::ranges::replace_if(
      clean, [](char c) { return c == '/' || is_control(c); }, '_');
  std::error_code ignored;
  for (int i = 1;; ++i) {
    const fs::path file = folder / (clean + (i > 1 ? fmt::format("-{}", i) : "") + extension);
    if (!fs::exists(fs::symlink_status(file, ignored))) return file;
  }
}

}  // namespace riffle::desktop
