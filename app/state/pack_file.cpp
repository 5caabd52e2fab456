#include "app/state/pack_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>

#include "app/state/pack_reader.h"
#include "app/state/pack_time.h"
#include "app/state/write_all.h"
#include "core/error.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
/// Deflate makes at most 1,032 bytes of one. Numbers of particles shrink to a tenth at best.
constexpr std::uint64_t kMostFromOneByte = 100;
constexpr unsigned long kMadeOnUnix = (3u << 8) | 45;
constexpr unsigned long kUtf8Names = 1u << 11;

bool is_text(const std::string& name) {
  const std::string ending = fs::path(name).extension();
  for (const char* text : {".csv", ".json", ".yaml", ".txt", ".md", ".xmf", ".pvd", ".obj", ".usda", ".lammpstrj",
                           ".dump", ".tex", ".gp", ".log"})
    if (ending == text) return true;
  return false;
}

}  // namespace

TemporaryFile::TemporaryFile() : path_(fs::temp_directory_path() / "riffle-state-XXXXXX") {
  descriptor_ = Descriptor(mkostemp(path_.data(), O_CLOEXEC));
  if (descriptor_ < 0) throw RuntimeFailure(fmt::format("{}: cannot be created: {}", path_, std::strerror(errno)));
}

TemporaryFile::~TemporaryFile() { unlink(path_.c_str()); }

bool begins_as_pack(const fs::path& file) {
  std::error_code none;
  if (!fs::is_regular_file(file, none)) return false;
  // The head of the first file in an archive is 30 bytes, then its name.
  char begin[64] = {};
  std::ifstream(file, std::ios::binary).read(begin, sizeof begin);
  return std::string_view(begin, 4) == "PK\x03\x04" &&
         std::string_view(begin + 30, sizeof begin - 30).starts_with(kPackFolder);
}

PackedState packed_state(const fs::path& pack) {
  const PackReader archive(pack);
  const std::string name = archive.state_name();
  const PackEntry state = archive.entry(name);
  if (state.bytes / kMostFromOneByte > state.packed)
    archive.refuse(fmt::format("says that \"{}\" has {} bytes, packed into {}; allowed: up to {} times as many",
                               shown_of_packed_name(name), state.bytes, state.packed, kMostFromOneByte));
  const fs::path folder = fs::temp_directory_path();
  if (const fs::space_info space = fs::space(folder); space.available < state.bytes)
    archive.refuse(
        fmt::format("its state has {} bytes, and {} has room for {}; the variable TMPDIR names another folder",
                    state.bytes, folder.string(), space.available));
  auto out = std::make_shared<const TemporaryFile>();
  archive.read(state, [&](const char* data, std::size_t bytes) {
    if (!write_all(out->descriptor(), data, bytes))
      throw RuntimeFailure(fmt::format("{}: the state of {} cannot be copied there: {}", folder.string(), pack.string(),
                                       std::strerror(errno)));
  });
  return {out, fmt::format("{}: {}", pack.string(), shown_of_packed_name(name))};
}

PackWriter::PackWriter(const fs::path& file, std::string shown, Progress progress)
    : shown_(std::move(shown)), progress_(std::move(progress)) {
  errno = 0;
  zip_ = zipOpen64(file.c_str(), APPEND_STATUS_CREATE);
  check(zip_ != nullptr ? ZIP_OK : ZIP_ERRNO);
}

PackWriter::~PackWriter() {
  if (zip_ != nullptr) zipClose(zip_, nullptr);
}

void PackWriter::check(int result) const {
  if (result == ZIP_OK) return;
  throw RuntimeFailure(
      fmt::format("{}: cannot be written{}", shown_, errno != 0 ? fmt::format(": {}", std::strerror(errno)) : ""));
}

void PackWriter::begin(const std::string& name, std::int64_t seconds, std::uint64_t size) {
  zip_fileinfo info{};
  const std::time_t time = seconds;
  std::tm local{};
  localtime_r(&time, &local);
  const auto number = [](int value) { return static_cast<unsigned>(value); };
  info.tmz_date = {number(local.tm_sec),  number(local.tm_min), number(local.tm_hour),
                   number(local.tm_mday), number(local.tm_mon), number(local.tm_year + 1900)};
  info.external_fa = static_cast<unsigned long>(S_IFREG | 0644) << 16;
  const std::optional<PackTime> exact = pack_time(seconds);
  const void* const fields = exact ? exact->data() : nullptr;
  const uInt field_bytes = exact ? sizeof *exact : 0;
  const bool large = size >= 0xf0000000u;  // deflate may add a little, and a file may grow while it is read
  errno = 0;
  check(zipOpenNewFileInZip4_64(zip_, name.c_str(), &info, fields, field_bytes, fields, field_bytes, nullptr,
                                is_text(name) ? Z_DEFLATED : 0, Z_DEFAULT_COMPRESSION, 0, -MAX_WBITS, DEF_MEM_LEVEL,
                                Z_DEFAULT_STRATEGY, nullptr, 0, kMadeOnUnix, kUtf8Names, large));
}

void PackWriter::put(const char* data, std::size_t size) {
  errno = 0;
  check(zipWriteInFileInZip(zip_, data, static_cast<unsigned>(size)));
  bytes_ += size;
  if (progress_) progress_(bytes_);
}

void PackWriter::add_text(const std::string& name, const std::string& text) {
  begin(name, std::time(nullptr), text.size());
  for (std::size_t done = 0; done < text.size(); done += kPiece)
    put(text.data() + done, std::min(kPiece, text.size() - done));
  check(zipCloseFileInZip(zip_));
}

void PackWriter::add_file(const std::string& name, int descriptor) {
  const auto fail = [&] {
    throw RuntimeFailure(fmt::format("{}: \"{}\" cannot be read: {}", shown_, name, std::strerror(errno)));
  };
  struct stat found {};
  if (fstat(descriptor, &found) != 0) fail();
  const auto size = static_cast<std::uint64_t>(found.st_size);
  begin(name, found.st_mtim.tv_sec, size);
  const std::unique_ptr<char[]> piece(new char[kPiece]);
  // A run may still write to it: what was there at first is packed.
  for (std::uint64_t done = 0; done < size;) {
    const ssize_t got =
        pread(descriptor, piece.get(), std::min<std::uint64_t>(kPiece, size - done), static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail();
    if (got == 0) break;
    put(piece.get(), static_cast<std::size_t>(got));
    done += static_cast<std::uint64_t>(got);
  }
  check(zipCloseFileInZip(zip_));
}

void PackWriter::finish() {
  errno = 0;
  check(zipClose(std::exchange(zip_, nullptr), nullptr));
}

}  // namespace riffle
