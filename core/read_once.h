#pragma once
/// A value that is slow to read, and changes only together with a number, such as that of builds.

#include <cstdint>
#include <optional>

namespace riffle {

template <class Value>
class ReadOnce {
 public:
  /// The value of that number: `read()` gives it, if it is not that of the last call.
  template <class Read>
  const Value& of(std::uint64_t number, const Read& read) {
    if (!value_ || number != number_) {
      value_ = read();
      number_ = number;
    }
    return *value_;
  }

 private:
  std::optional<Value> value_;
  std::uint64_t number_ = 0;
};

}  // namespace riffle
