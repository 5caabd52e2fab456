#include "app/state/pack_reader.h"

#include <fmt/format.h>
#include <unzip.h>
#include <zlib.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/state/pack_file.h"
#include "app/state/pack_time.h"
#include "core/error.h"
#include "core/text/printable.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

constexpr int kPackFormat = 1;
constexpr std::size_t kPieceRead = std::size_t{1} << 20;
constexpr std::size_t kMostExtra = 256;  // [bytes] of what an archive says of a file beside its name that are read
constexpr std::uint64_t kLargestManifest = 65536;
constexpr std::size_t kLongestName = 4096;  // of a path on Linux
constexpr std::size_t kMostFolders = 100;   // above a file: each of them is looked for among the names

std::optional<std::time_t> time_of(const tm_unz& date) {
  std::tm local{};
  local.tm_sec = static_cast<int>(date.tm_sec), local.tm_min = static_cast<int>(date.tm_min);
  local.tm_hour = static_cast<int>(date.tm_hour), local.tm_mday = static_cast<int>(date.tm_mday);
  local.tm_mon = static_cast<int>(date.tm_mon), local.tm_year = static_cast<int>(date.tm_year) - 1900;
  local.tm_isdst = -1;
  if (local.tm_mday < 1 || local.tm_mon > 11) return std::nullopt;
  const std::time_t time = std::mktime(&local);
  return time < 0 ? std::nullopt : std::optional(time);
}

}  // namespace

std::string fault_of_packed_name(const std::string& name) {
  if (name.empty()) return "no character";
  if (name.size() > kLongestName) return fmt::format("{} characters; allowed: up to {}", name.size(), kLongestName);
  if (name.find('\0') != std::string::npos) return "a zero byte";
  if (name.find('\\') != std::string::npos)
    return "a backslash, which other systems take for the end of a folder's name";
  if (name.size() > 1 && name[1] == ':') return "a colon behind its first letter, which other systems take for a drive";
  if (const auto folders = static_cast<std::size_t>(std::count(name.begin(), name.end(), '/')); folders > kMostFolders)
    return fmt::format("{} folders above the file; allowed: up to {}", folders, kMostFolders);
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    const std::string part = name.substr(at, end - at);
    if (part.empty()) return "a part without a character between its slashes";
    if (part == "." || part == "..") return fmt::format("the part \"{}\", which may lead out of the folder", part);
    at = end + 1;
  }
  return "";
}

std::string shown_of_packed_name(const std::string& name) {
  return printable_line(name.size() > 200 ? name.substr(0, 200) + "..." : name);
}

PackReader::PackReader(const fs::path& file) : name_(file.string()), zip_(unzOpen64(file.c_str()), unzClose) {
  if (!zip_) refuse("is damaged: the list of files at its end is missing, as when a copy was cut off");
}

void PackReader::refuse(const std::string& what) const { throw InputError(fmt::format("{}: {}", name_, what)); }

std::string PackReader::state_name() const {
  const auto manifest = nlohmann::json::parse(this->manifest(), nullptr, false);
  if (!manifest.is_object() || !manifest.contains("format") || !manifest["format"].is_number_integer() ||
      !manifest.contains("state") || !manifest["state"].is_string())
    refuse(fmt::format("is damaged: {} does not name a format and a state", kPackManifest));
  if (const auto format = manifest["format"].get<std::int64_t>(); format != kPackFormat)
    refuse(format > kPackFormat
               ? fmt::format("is a pack of a newer version of Riffle: its format is {}, this version reads up to {}",
                             format, kPackFormat)
               : fmt::format("is damaged: its format is {}; allowed: 1 to {}", format, kPackFormat));
  return manifest["state"];
}

std::string PackReader::manifest() const {
  const PackEntry file = entry(kPackManifest);
  if (file.bytes > kLargestManifest)
    refuse(fmt::format("is damaged: {} has {} bytes; allowed: up to {}", kPackManifest, file.bytes, kLargestManifest));
  std::string text;
  read(file, [&](const char* data, std::size_t size) { text.append(data, size); });
  return text;
}

PackEntry PackReader::entry(const std::string& name) const {
  if (name.size() > kLongestName || unzLocateFile(zip_.get(), name.c_str(), 1) != UNZ_OK)
    refuse(
        name == kPackManifest
            ? fmt::format("is an archive of another program: it has no {}; allowed: what `riffle pack` makes", name)
            : fmt::format("is damaged: it has no \"{}\", which {} names", shown_of_packed_name(name), kPackManifest));
  return current(name);
}

PackEntry PackReader::current(const std::string& name) const {
  const std::string shown = shown_of_packed_name(name);
  unz_file_info64 info{};
  unsigned char extra[kMostExtra] = {};
  if (unzGetCurrentFileInfo64(zip_.get(), &info, nullptr, 0, extra, sizeof extra, nullptr, 0) != UNZ_OK)
    refuse(fmt::format("is damaged: what it says of \"{}\" cannot be read", shown));
  if ((info.flag & 1) != 0) refuse(fmt::format("\"{}\" is encrypted; allowed: files without a password", shown));
  if (info.compression_method != 0 && info.compression_method != Z_DEFLATED)
    refuse(fmt::format("\"{}\" is compressed by method {}; allowed: 0 (stored) and {} (deflate)", shown,
                       info.compression_method, Z_DEFLATED));
  const auto exact = seconds_of_pack_time(extra, std::min<std::size_t>(sizeof extra, info.size_file_extra));
  unz64_file_pos place{};
  unzGetFilePos64(zip_.get(), &place);
  return {name,
          info.uncompressed_size,
          info.compressed_size,
          exact ? exact : time_of(info.tmu_date),
          {place.pos_in_zip_directory, place.num_of_file}};
}

std::vector<PackEntry> PackReader::entries() const {
  std::vector<PackEntry> files;
  int found = unzGoToFirstFile(zip_.get());
  for (; found == UNZ_OK; found = unzGoToNextFile(zip_.get())) {
    unz_file_info64 info{};
    if (unzGetCurrentFileInfo64(zip_.get(), &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK)
      refuse(fmt::format("is damaged: what it says of file {} cannot be read", files.size() + 1));
    if (info.size_filename > kLongestName)
      refuse(fmt::format("the name of file {} has {} characters; allowed: up to {}", files.size() + 1,
                         info.size_filename, kLongestName));
    std::string name(info.size_filename, '\0');
    if (unzGetCurrentFileInfo64(zip_.get(), &info, name.data(), name.size(), nullptr, 0, nullptr, 0) != UNZ_OK)
      refuse(fmt::format("is damaged: the name of file {} cannot be read", files.size() + 1));
    if (name.ends_with('/') && info.uncompressed_size == 0) continue;
    files.push_back(current(name));
  }
  if (found != UNZ_END_OF_LIST_OF_FILE)
    refuse(fmt::format("is damaged: its list of files cannot be read behind file {}", files.size()));
  return files;
}

void PackReader::read(const PackEntry& entry, const Take& take) const {
  const std::string shown = shown_of_packed_name(entry.name);
  const unz64_file_pos place{entry.place[0], entry.place[1]};
  if (unzGoToFilePos64(zip_.get(), &place) != UNZ_OK || unzOpenCurrentFile(zip_.get()) != UNZ_OK)
    refuse(fmt::format("is damaged: \"{}\" cannot be read", shown));
  const std::unique_ptr<char[]> piece(new char[kPieceRead]);
  std::uint64_t done = 0;
  for (;;) {
    const int got = unzReadCurrentFile(zip_.get(), piece.get(), kPieceRead);
    if (got < 0) refuse(fmt::format("is damaged: \"{}\" cannot be read from byte {} on", shown, done));
    if (got == 0) break;
    done += static_cast<std::uint64_t>(got);
    if (done > entry.bytes) break;
    take(piece.get(), static_cast<std::size_t>(got));
  }
  if (unzCloseCurrentFile(zip_.get()) != UNZ_OK || done != entry.bytes)
    refuse(fmt::format("is damaged: \"{}\" does not have the bytes and the checksum that the archive says", shown));
}

}  // namespace riffle
