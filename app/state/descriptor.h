#pragma once
/// A number of an open file, which is closed with its owner.

#include <unistd.h>

#include <utility>

namespace riffle {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  operator int() const { return number_; }

  /// Closes it now. @return false with errno where bytes that were written did not arrive, as over a quota
  bool close_now() { return close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

}  // namespace riffle
