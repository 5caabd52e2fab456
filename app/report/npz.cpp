#include "app/report/npz.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"

namespace riffle {

static_assert(std::endian::native == std::endian::little, "files are written as the values lie in memory");

NpzWriter::NpzWriter(const std::filesystem::path& file) : file_(file) {
  errno = 0;
  zip_ = zipOpen64(file.c_str(), APPEND_STATUS_CREATE);
  check(zip_ ? ZIP_OK : ZIP_ERRNO);
}

NpzWriter::~NpzWriter() {
  if (zip_) zipClose(zip_, nullptr);
}

void NpzWriter::check(int result) const {
  if (result == ZIP_OK) return;
  throw RuntimeFailure(
      fmt::format("{}: cannot be written{}", file_.string(), errno ? fmt::format(": {}", std::strerror(errno)) : ""));
}

/// "\x93NUMPY", version 1.0, then a dictionary whose end is padded so that the data begin at a multiple of 64 bytes.
void NpzWriter::add(const std::string& name, const char* type, const std::string& shape, const void* data,
                    std::size_t bytes) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  constexpr std::size_t kPrefix = 10, kAligned = 64;
  header.append((kAligned - (kPrefix + header.size() + 1) % kAligned) % kAligned, ' ');
  header += '\n';
  std::string start("\x93NUMPY\x01\x00", 8);
  start += static_cast<char>(header.size() & 0xff);
  start += static_cast<char>(header.size() >> 8);
  start += header;

  errno = 0;
  const bool large = bytes + start.size() >= 0xffffffffu;
  const zip_fileinfo info{};
  check(zipOpenNewFileInZip64(zip_, (name + ".npy").c_str(), &info, nullptr, 0, nullptr, 0, nullptr, 0, 0, large));
  check(zipWriteInFileInZip(zip_, start.data(), static_cast<unsigned>(start.size())));
  constexpr std::size_t kAtOnce = std::size_t{1} << 30;
  for (std::size_t done = 0; done < bytes; done += kAtOnce)
    check(zipWriteInFileInZip(zip_, static_cast<const char*>(data) + done,
                              static_cast<unsigned>(std::min(kAtOnce, bytes - done))));
  check(zipCloseFileInZip(zip_));
}

void NpzWriter::add(const std::string& name, std::span<const std::uint32_t> values) {
  add(name, "<u4", fmt::format("({},)", values.size()), values.data(), values.size_bytes());
}
void NpzWriter::add(const std::string& name, std::span<const float> values) {
  add(name, "<f4", fmt::format("({},)", values.size()), values.data(), values.size_bytes());
}
void NpzWriter::add(const std::string& name, double value) { add(name, "<f8", "()", &value, sizeof value); }

void NpzWriter::finish() {
  errno = 0;
  check(zipClose(std::exchange(zip_, nullptr), nullptr));
}

}  // namespace riffle
