#pragma once
/// Memory for the bytes of a file.

#include <sys/mman.h>

#include <cstddef>
#include <utility>

namespace riffle {

/// Zero where nothing was written, and a page takes no memory until then. Begins at a page, and ends at one.
class FileMemory {
 public:
  FileMemory() = default;
  ~FileMemory() { resize(0); }
  FileMemory(FileMemory&& other) noexcept
      : bytes_(std::exchange(other.bytes_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  FileMemory& operator=(FileMemory&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    return *this;
  }

  char* bytes() const { return bytes_; }
  std::size_t size() const { return size_; }

  /// At least that many bytes, of which the first stay as they are. Moves them. @return whether memory was there
  bool resize(std::size_t least) {
    const std::size_t size = (least + kStep - 1) / kStep * kStep;
    if (size == size_) return true;
    if (size == 0) {
      munmap(bytes_, size_);
      bytes_ = nullptr, size_ = 0;
      return true;
    }
    void* memory = bytes_ == nullptr ? mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                     : mremap(bytes_, size_, size, MREMAP_MAYMOVE);
    if (memory == MAP_FAILED) return false;
    bytes_ = static_cast<char*>(memory), size_ = size;
    return true;
  }

  /// Where the system has them: pages of 2 MiB are there sooner than 512 of 4 KiB.
  void prefer_large_pages() const {
    if (bytes_ != nullptr) madvise(bytes_, size_, MADV_HUGEPAGE);
  }

 private:
  static constexpr std::size_t kStep = std::size_t{1} << 16;  // a multiple of every system's pages

  char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace riffle
