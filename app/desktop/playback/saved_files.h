#pragma once
/// What a series of files has become.

#include <cstddef>
#include <string>

namespace riffle::desktop {

struct SavedFiles {
  std::string pattern, list;  ///< its files, ".../dam_*.vtp", and the list of them; "" for none
  std::size_t files = 0;
  double every = 0;       ///< [s] simulated
  bool one_file = false;  ///< for all moments
};

}  // namespace riffle::desktop
