#pragma once
/// The state that a run finds under the name of its own states.

#include <cstdint>
#include <filesystem>
#include <string>

namespace riffle {

/// "out/state.h5" -> "out/state_before.h5"
std::filesystem::path name_of_state_before(const std::filesystem::path& file);

/// A run that begins again with the name of one that came far would replace its state within moments. So the file that is there
/// gets another name before the first new state replaces it. Of two such files the later state of one scene stays.
class StateBefore {
 public:
  StateBefore() = default;  ///< there is none to keep

  /// Reads the states where there are two already. @param file that the run is to write
  explicit StateBefore(std::filesystem::path file);

  /// Whether the file gets the other name.
  bool keeps() const { return way_ == Way::Keep; }
  std::uint64_t freed() const;  ///< [bytes] of the file that keep() replaces
  std::string text() const;     ///< what becomes of the file, for the log; "" where none is there

  /// Gives the file its other name once. Its own name has a whole state at any instant. @throws RuntimeFailure
  void keep();

 private:
  enum class Way { None, Keep, OtherIsLater };

  std::filesystem::path file_, other_;
  Way way_ = Way::None;
  bool done_ = false;
};

}  // namespace riffle
