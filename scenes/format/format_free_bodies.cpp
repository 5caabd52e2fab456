/// The keys of solids that forces move, and of how solids meet.

#include <vector>

#include "scenes/format/format_keys.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

FreeBodySetup& free_body(SceneDraft& d) { return solid(d).free; }
ContactSetup& contact(SceneDraft& d) { return solid(d).contact; }

Key of_free(Key key) {
  key.default_note = "none; of `density` and `mass` a free solid needs one";
  return key;
}

}  // namespace

std::vector<Key> free_body_keys() {
  Key spin = field("angular_velocity", tuple(bounded("rad/s"), 3, 3), free_body, &FreeBodySetup::angular_velocity,
                   "With `motion: free`: at the start, about the axes of the domain; in 2-D about z alone.");
  spin.in_flat = Key::InFlat::AboutZ;
  return {
      of_free(field("density", number_from(0, 1e6, "kg/m^3"), free_body, &FreeBodySetup::density,
                    "With `motion: free`: mass per volume; of a mesh, of its closed volume.")),
      of_free(field("mass", number_from(0, 1e9, "kg"), free_body, &FreeBodySetup::mass,
                    "With `motion: free`: the whole mass, in 2-D per metre of depth, spread evenly over the volume.")),
      field("velocity", spatial(bounded("m/s")), free_body, &FreeBodySetup::velocity,
            "With `motion: free`: of the centre of mass at the start."),
      spin,
      field("force", spatial(number_from(-1e9, 1e9, "N")), free_body, &FreeBodySetup::force,
            "With `motion: free`: acts on the centre of mass all the time, beside gravity; in 2-D per metre of depth. "
            "The automatic speed of sound does not count it."),
      field("friction", number_from(0, 10, ""), contact, &ContactSetup::friction,
            "Where it meets another solid, one of the two being free: Coulomb's coefficient. The geometric mean of the "
            "two counts; the domain's faces have the default."),
      field("restitution", number_from(0, 1, ""), contact, &ContactSetup::restitution,
            "Likewise: the speed apart after a bounce over the speed together before it. The larger of the two "
            "counts; the domain's faces have the default."),
  };
}

}  // namespace riffle::scenes
