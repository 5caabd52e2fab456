#pragma once
/// What one thread hands to another, in order, a limited number at a time.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

namespace riffle {

template <class T>
class BoundedQueue {
 public:
  static constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  /// Waits while the queue is full. @return false, and the item is dropped, when the queue is closed
  bool push(T item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return items_.size() < capacity_ || closed_; });
    if (closed_) return false;
    items_.push_back(std::move(item));
    changed_.notify_all();
    return true;
  }

  /// Waits for an item. @return nothing when the queue is closed and empty
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !items_.empty() || closed_; });
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    changed_.notify_all();
    return item;
  }

  /// No push succeeds from now on, and none waits; what is in the queue can still be popped.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

  /// Closes the queue and drops what is in it.
  void abandon() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    items_.clear();
    changed_.notify_all();
  }

  bool full() const {  ///< push() would wait now
    const std::lock_guard lock(mutex_);
    return items_.size() >= capacity_ && !closed_;
  }

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<T> items_;
  bool closed_ = false;
};

}  // namespace riffle
