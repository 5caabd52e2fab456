#pragma once
/// Where an entry of the scene's lists is, and what becomes of its numbers when it is moved, turned or given another size. The
/// window's handles use it: a movement of the mouse becomes edits of keys, which are checked like typed ones.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "scenes/document/edited_scene.h"
#include "scenes/document/list_entries.h"

namespace riffle::scenes {

/// A body, a solid, an inlet, an outlet or a probe.
struct PlacedEntry {
  EntryPath path;
  std::string name;  ///< for people: "post", "bodies[0]"
  std::variant<BodySetup, SolidRegion, InletSetup, OutletSetup, ProbeSetup> what;
  bool flat = false;       ///< of a 2-D scene
  Vec3 low{}, high{};      ///< [m] the domain's box
  Vec3 middle{};           ///< [m] of the entry, within the domain: about which it is turned, and which turning leaves
  bool fixed = false;      ///< no key of its own has its place: particles from a file, an inlet in a face or in a mesh
  int level_axis = -1;     ///< of a body by `fill`: the axis along which its level is; -1: another body
  bool level_low = false;  ///< of the same: the fluid lies above its level
  std::vector<std::string> words;  ///< keys of coordinates that are words, or not there: "solids[0].polygon.from"
};

/// @param entry  "solids[2]" @param parameters  of the scene
/// @return nothing if there is no such entry, or if such an entry has no place
std::optional<PlacedEntry> placed_entry(const Scene& scene, const std::string& entry,
                                        std::span<const Parameter> parameters);

const Region* region_of(const PlacedEntry& entry);  ///< nullptr for inlets and probes

/// The point whose coordinates are rounded when the entry is moved: a corner of a box, a centre.
Vec3 anchor_of(const PlacedEntry& entry);

bool moves_along(const PlacedEntry& entry, int axis);
void move(PlacedEntry& entry, Vec3 by);

/// Boxes stand along the axes, and polygons turn about their own axis alone.
bool turns_about(const PlacedEntry& entry, int axis);
/// About its middle, which stays where it is, counter-clockwise as seen from the axis' positive end.
/// @param unit  [m] to which the places are rounded; the angles of a mesh are then rounded to 0.1 degrees. 0: nothing is rounded
void turn(PlacedEntry& entry, int axis, double degrees, double unit = 0);

/// A number that says how large the entry is, and where the mouse takes hold of it.
struct SizeHandle {
  enum class Kind {
    Coordinate,  ///< [m] along an axis: the face of a box
    Length,      ///< [m]
    Factor       ///< of all lengths
  };
  Kind kind = Kind::Length;
  std::string label;                                   ///< "radius", "max x"
  Vec3 at{};                                           ///< [m]
  Vec3 along{};                                        ///< of length 1: the direction in which it goes
  double value = 0;                                    ///< now
  double gain = 1;                                     ///< change of the value per metre along `along`
  int axis = -1;                                       ///< Coordinate: 0 to 2
  std::function<void(PlacedEntry&, double)> set = {};  ///< gives it another value
};
std::vector<SizeHandle> sizes_of(const PlacedEntry& entry);

/// The keys that differ, in the order of the format. Numbers that have changed are rounded to a ten-thousandth of the spacing's
/// decade, so that no rounding errors show as digits; the others stay as they are.
std::vector<Edit> edits_between(const PlacedEntry& before, const PlacedEntry& after, float spacing);

}  // namespace riffle::scenes
