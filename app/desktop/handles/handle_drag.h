#pragma once
/// What a movement of the mouse makes of an entry that it has taken hold of at one of its handles.

#include "app/desktop/handles/handle_set.h"

namespace riffle::desktop {

/// To what the numbers are rounded.
struct Rounding {
  float spacing = 0.01f;  ///< [m] of the particles
  Vec3 low{};             ///< [m] of the domain: whole spacings count from there
  Vec3 high{};            ///< likewise: probes stay between both
};

class HandleDrag {
 public:
  /// @param grip  the ray through the mouse when the button went down
  HandleDrag(scenes::PlacedEntry start, Handle handle, std::vector<scenes::SizeHandle> sizes, const Ray& grip,
             Vec3 forward, const Rounding& rounding);

  /// The entry with the mouse there. Lengths are rounded to the power of ten at or below a hundredth of a spacing, angles to a
  /// degree, factors to a hundredth. @param whole  to whole spacings, 15 degrees and tenths
  scenes::PlacedEntry at(const Ray& mouse, bool whole) const;

  const scenes::PlacedEntry& start() const { return start_; }
  const Handle& handle() const { return handle_; }

 private:
  Vec3 rounded_way(Vec3 by, bool whole) const;
  Vec3 inside(Vec3 by) const;
  double room_of_probe(Vec3 way) const;
  double along(const Ray& mouse, Vec3 place, Vec3 direction) const;
  double angle(const Ray& mouse) const;

  scenes::PlacedEntry start_;
  Handle handle_;
  std::vector<scenes::SizeHandle> sizes_;
  Vec3 forward_;
  Rounding rounding_;
  double along_ = 0, angle_ = 0;  ///< at the beginning: [m], [degrees]
  Vec3 in_view_{};                ///< likewise [m]
};

}  // namespace riffle::desktop
