#pragma once
/// Buffer<T>: an owning array in one memory, the host's or a GPU's. Every host/device copy is a visible call.

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/device/memory.h"
#include "core/error.h"

namespace riffle {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(const Device& device, std::size_t size = 0) : device_(device) { resize(size); }
  Buffer(const Device& device, std::span<const T> host) : device_(device) { assign(host); }
  ~Buffer() { release(); }

  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    if (this != &other) {
      release();
      swap(other);
    }
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  /// Afterwards size() == size. Reallocates only to grow, and then the contents are undefined; otherwise they stay. A buffer
  /// that had memory gets an eighth more than that, if there is so much: one that grows little by little reallocates
  /// seldom.
  void resize(std::size_t size) {
    if (size > capacity_) {
      const std::size_t generous = capacity_ + capacity_ / 8;
      release();
      if (generous <= size || !try_allocate(generous)) allocate(size);
    }
    size_ = size;
  }

  void release() noexcept {
    if (data_) device_free(device_, data_, capacity_ * sizeof(T));
    data_ = nullptr;
    size_ = capacity_ = 0;
  }

  void assign(std::span<const T> host) {
    resize(host.size());
    copy_from_host(device_, data_, host.data(), host.size_bytes());
  }

  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    copy_to_host(device_, host.data(), data_, size_ * sizeof(T));
    return host;
  }

  void fill_zero() { fill_bytes(device_, data_, 0, size_ * sizeof(T)); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t bytes() const { return capacity_ * sizeof(T); }  ///< allocated, not only used
  const Device& device() const { return device_; }

  void swap(Buffer& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  void allocate(std::size_t size) {
    data_ = static_cast<T*>(device_allocate(device_, size * sizeof(T)));
    capacity_ = size;
  }
  bool try_allocate(std::size_t size) {
    try {
      allocate(size);
      return true;
    } catch (const Unavailable&) {
      return false;
    }
  }

  Device device_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace riffle
