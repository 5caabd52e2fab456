#include "core/text/output_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/error.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

std::string shown(const fs::path& path) { return path.empty() ? "." : path.string(); }

}  // namespace

void prepare_folder(const fs::path& folder) {
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) throw RuntimeFailure(fmt::format("{}: cannot be created: {}", shown(folder), error.message()));
  if (!folder.empty() && !fs::is_directory(folder, error))
    throw RuntimeFailure(fmt::format("{}: is a file, not a folder", shown(folder)));
  const fs::path probe = folder / fmt::format(".riffle-probe-{}", getpid());
  errno = 0;
  if (!(std::ofstream(probe) << "x" << std::flush))
    throw RuntimeFailure(fmt::format("{}: cannot be written to: {}", shown(folder), std::strerror(errno)));
  fs::remove(probe, error);
}

void prepare_file(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored))
    throw RuntimeFailure(fmt::format("{}: is a folder; give the name of a file", file.string()));
  prepare_folder(file.parent_path());
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  const fs::path whole_a = fs::weakly_canonical(fs::absolute(a), error);
  if (error) return a.lexically_normal() == b.lexically_normal();
  const fs::path whole_b = fs::weakly_canonical(fs::absolute(b), error);
  return error ? a.lexically_normal() == b.lexically_normal() : whole_a == whole_b;
}

fs::path partial_name(const fs::path& file) {
  return file.parent_path() /
         fmt::format(".{}.partial-{}{}", file.stem().string(), getpid(), file.extension().string());
}

void publish(const fs::path& partial, const fs::path& file) {
  std::error_code error;
  fs::rename(partial, file, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove(partial, ignored);
  throw RuntimeFailure(fmt::format("{}: cannot be written: {}", file.string(), error.message()));
}

void write_whole(const fs::path& file, const std::function<void(const fs::path&)>& write) {
  const fs::path partial = partial_name(file);
  try {
    write(partial);
  } catch (...) {
    std::error_code ignored;
    fs::remove(partial, ignored);
    throw;
  }
  publish(partial, file);
}

void write_stream(const fs::path& file, const std::function<void(std::ostream&)>& write) {
  const auto write_to = [&](const fs::path& name) {
    errno = 0;
    std::ofstream out(name, std::ios::binary);
    write(out);
    out.close();  // flushes: a full disk may show only here
    if (!out) throw RuntimeFailure(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
  };
  std::error_code ignored;
  if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored))
    write_to(file);
  else
    write_whole(file, write_to);
}

void write_text(const fs::path& file, const std::string& text) {
  write_stream(file, [&](std::ostream& out) { out << text; });
}

fs::path free_name(const fs::path& folder, const std::string& name, const std::string& extension) {
  std::string clean;
  bool replaced = false;
  for (const char c : name) {
    const bool fits = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
    if (fits || !replaced) clean += fits ? c : '_';
    replaced = !fits;
  }
  std::error_code ignored;
  for (int i = 1;; ++i) {
    const fs::path file = folder / (clean + (i > 1 ? fmt::format("-{}", i) : "") + extension);
    if (!fs::exists(fs::symlink_status(file, ignored))) return file;
  }
}

}  // namespace riffle
