#pragma once
/// Starts that take so long that the window asks first.

#include <cstdint>
#include <stdexcept>
#include <string>

#include "app/command/scene_options.h"

namespace riffle::desktop {

/// Why a start needs a question; "" if it does not. @param then, now  particles of the present run and of the next one
std::string long_start(double then, double now);

/// A scene that is to be opened needs the question. The text is long_start()'s.
class LongStart : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A scene that waits for the answer.
struct LongOpening {
  std::uint64_t number = 0;  ///< of the question, from 1
  std::string why;           ///< long_start()
  SceneOptions options;      ///< as they were for Worker::load()
  bool play = false;
};

}  // namespace riffle::desktop
