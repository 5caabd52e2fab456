#pragma once
/// A list that needs no memory of its own as long as it is short.

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace riffle::bodies {

/// Of up to `Few` entries in place; of more in a std::vector.
template <class T, std::size_t Few>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  ShortList() {}
  ShortList(const ShortList& other) { *this = other; }
  ShortList& operator=(const ShortList& other) {
    more_ = other.more_;
    size_ = other.size_;
    if (more_.empty()) std::copy(other.begin(), other.end(), few_.data());
    return *this;
  }
  ShortList(std::initializer_list<T> entries) {
    for (const T& entry : entries) push_back(entry);
  }

  void push_back(const T& entry) {
    if (more_.empty() && size_ < Few) {
      few_[size_++] = entry;
      return;
    }
    if (more_.empty()) more_.assign(few_.begin(), few_.end());
    more_.push_back(entry);
    ++size_;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return more_.empty() ? few_.data() : more_.data(); }
  T* end() { return begin() + size_; }
  const T* begin() const { return more_.empty() ? few_.data() : more_.data(); }
  const T* end() const { return begin() + size_; }
  T& operator[](std::size_t k) { return begin()[k]; }
  const T& operator[](std::size_t k) const { return begin()[k]; }

 private:
  union {
    std::array<T, Few> few_;  ///< of which the first `size_` have values
  };
  std::vector<T> more_;
  std::size_t size_ = 0;
};

}  // namespace riffle::bodies
