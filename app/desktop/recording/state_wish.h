#pragma once
/// What has become of a state that the user wants to save.

#include <atomic>
#include <memory>

namespace riffle::desktop {

/// A copy is of the same state. For all threads.
class StateWish {
 public:
  /// Held by whoever has something to do for the file. When it is gone, nobody writes the file any more.
  using Work = std::shared_ptr<const void>;

  bool written() const { return *written_; }  ///< the file is complete
  bool pending() const { return !*written_ && !work_.expired(); }
  void complete() const { *written_ = true; }

  /// Another wish in place of this one.
  Work begin() {
    const auto work = std::make_shared<const char>();
    *this = StateWish();
    work_ = work;
    return work;
  }

 private:
  std::shared_ptr<std::atomic<bool>> written_ = std::make_shared<std::atomic<bool>>(false);
  std::weak_ptr<const void> work_;
};

}  // namespace riffle::desktop
