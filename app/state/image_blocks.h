#pragma once
/// The blocks of a file's image: several threads fill them while another one writes those that are full.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "core/text/checksum.h"

namespace riffle {

class ImageBlocks {
 public:
  static constexpr std::uint64_t kBytes = std::uint64_t{8} << 20;

  /// Of the bytes from `begin` to `end` of the image. Blocks end at multiples of kBytes.
  ImageBlocks(const char* image, std::uint64_t begin, std::uint64_t end);

  std::size_t count() const { return full_.size(); }
  std::uint64_t begin_of(std::size_t block) const;
  std::uint64_t end_of(std::size_t block) const;

  /// Calls fill(begin, end) for every block, the first ones first, by all threads, and sums its bytes. Waits. What `fill` throws is
  /// thrown here, and in wait_for().
  void fill(const std::function<void(std::uint64_t begin, std::uint64_t end)>& fill);

  /// Waits until the block is full. @throws RuntimeFailure if it never will be, with the file that is written
  void wait_for(std::size_t block, const std::string& file);

  /// Of all bytes; wait_for() has returned for every block.
  std::uint64_t checksum() const;

 private:
  const char* image_;
  std::uint64_t begin_, end_;
  std::vector<Checksum> sums_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<char> full_;
  bool given_up_ = false;
};

}  // namespace riffle
