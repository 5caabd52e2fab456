#include "app/state/image_blocks.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "core/device/threads.h"
#include "core/error.h"

namespace riffle {

ImageBlocks::ImageBlocks(const char* image, std::uint64_t begin, std::uint64_t end)
    : image_(image), begin_(begin), end_(end), sums_((end + kBytes - 1) / kBytes), full_(sums_.size()) {}

std::uint64_t ImageBlocks::begin_of(std::size_t block) const { return std::max(begin_, block * kBytes); }
std::uint64_t ImageBlocks::end_of(std::size_t block) const { return std::min(end_, (block + 1) * kBytes); }

void ImageBlocks::fill(const std::function<void(std::uint64_t begin, std::uint64_t end)>& fill) {
  std::atomic<std::size_t> next{0};
  const auto fill_some = [&](std::int64_t, std::int64_t) {
    for (std::size_t block = next++; block < count(); block = next++) {
      fill(begin_of(block), end_of(block));
      sums_[block].add(image_ + begin_of(block), end_of(block) - begin_of(block));
      const std::lock_guard lock(mutex_);
      full_[block] = 1;
      changed_.notify_all();
    }
  };
  try {
    // A range is a thread's share of the blocks, not a block: the disk takes them in order.
    parallel_ranges(std::max(1u, std::thread::hardware_concurrency()), 1, fill_some);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
    changed_.notify_all();
    throw;
  }
}

void ImageBlocks::wait_for(std::size_t block, const std::string& file) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return full_[block] != 0 || given_up_; });
  if (full_[block] == 0) throw RuntimeFailure(file + ": cannot be written: the state could not be copied");
}

std::uint64_t ImageBlocks::checksum() const {
  Checksum sum;
  for (std::size_t block = 0; block < count(); ++block) sum.append(sums_[block], end_of(block) - begin_of(block));
  return sum.value();
}

}  // namespace riffle
