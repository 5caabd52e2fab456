#include "app/desktop/playback/long_start.h"

#include <fmt/format.h>

namespace riffle::desktop {

std::string long_start(double then, double now) {
  // Of the program's processor time on two cores; other programs, and fewer cores, make it longer.
  constexpr double kSecondsPerParticle = 4.5e-6, kLong = 10, kMuchMore = 1.5;
  const double seconds = now * kSecondsPerParticle;
  if (seconds < kLong || now < kMuchMore * then) return "";
  return fmt::format(
      "The scene would have about {:.2g} million particles{}. Its start takes about {:.0f} seconds or more, in which "
      "nothing else can be done than to cancel it, and every step takes longer in proportion.",
      now / 1e6, then > 0 ? fmt::format(", {:.3g} times as many as now", now / then) : "", seconds);
}

}  // namespace riffle::desktop
