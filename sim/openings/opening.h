#pragma once
/// Inlets and outlets of a scene: where fluid enters and leaves while a simulation runs.

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/math/vec.h"
#include "sim/motion/motion_table.h"
#include "sim/openings/mesh_mouth.h"
#include "sim/shapes/shape.h"

namespace riffle {

/// The opening of an inlet, in the plane at right angles to its direction. A face is one of the domain, from which the fluid
/// goes straight into the domain. A mesh has the mouth in its surface, and the fluid goes away from it.
enum class Mouth { Disc, Rectangle, Polygon, Face, Mesh };

/// Fluid enters through a nozzle: a straight stretch of some layers of particles, which moves as given whatever the fluid
/// before it does. It begins at `center`; a particle is free once it has gone to its end.
struct InletSetup {
  std::string name;  ///< "": "inlet_1" and so on, see inlet_name()
  int fluid = 0;     ///< index into SimulationSetup::fluids

  Mouth mouth = Mouth::Disc;
  Vec3 center{};                              ///< [m]
  float radius = 0;                           ///< disc [m]; in 2-D half the width of the slit
  float width = 0;                            ///< rectangle [m]; in 2-D of the slit
  float height = 0;                           ///< likewise, in 3-D alone; 0: as `width`
  std::vector<std::array<float, 2>> corners;  ///< polygon [m], from the centre; in 3-D alone
  Vec3 direction{0, -1, 0};                   ///< in which the fluid goes, of any length above 0
  float turn = 0;                             ///< [degrees] of the mouth about the direction
  int face = 0;                               ///< face: 2 axis + (1 for the upper one); its axis is open
  float level =
      std::numeric_limits<float>::infinity();  ///< face [m]: y up to which fluid enters; infinite: all over it
  MeshMouth mesh;                              ///< mesh

  float speed = 0;        ///< [m/s]
  float rate = 0;         ///< [m^3/s], in 2-D [m^2/s]; added to what `speed` gives
  MotionTableView table;  ///< value 0: way [m], value 1: volume [m^3], by the time from `from` on; added
  float from = 0;         ///< [s]
  float until = std::numeric_limits<float>::infinity();  ///< [s]
  float ramp = 0;                                        ///< [s] over which speed and rate grow from 0

  std::string file;                         ///< of the table, from the scene's folder; "": there is none
  std::shared_ptr<const MotionTable> rows;  ///< keeps what `table` points to; nullptr before the file is read

  void follow(std::shared_ptr<const MotionTable> read) {
    rows = std::move(read);
    table = rows->view();
  }

  /// The same nozzle, whatever comes out of it.
  bool same_nozzle(const InletSetup& other) const {
    return fluid == other.fluid && mouth == other.mouth && center == other.center && radius == other.radius &&
           width == other.width && height == other.height && corners == other.corners && direction == other.direction &&
           turn == other.turn && face == other.face && level == other.level && mesh.same_region(other.mesh);
  }
};

/// Of a rectangle [m].
inline float height_of(const InletSetup& inlet) { return inlet.height > 0 ? inlet.height : inlet.width; }

/// A region in which particles are taken out of the simulation, or all beyond a face of the domain.
struct OutletSetup : Region {
  std::string name;  ///< "": "outlet_1" and so on, see outlet_name()
  int face =
      -1;  ///< 2 axis + (1 for the upper one), whose axis is open; the region is then as outlet_at_face() says. -1: none
  /// [m/s] Before a face: all particles of a stretch go to the face at this speed. Negative: they come as they do.
  float speed = -1;
  float rate = -1;  ///< [m^3/s], in 2-D [m^2/s], at most; negative: all particles that come into the region
  float from = 0;   ///< [s]
  float until = std::numeric_limits<float>::infinity();  ///< [s]
};

/// Whether it moves the particles before its face.
inline bool moves_out(const OutletSetup& outlet) { return outlet.face >= 0 && !(outlet.speed < 0); }

inline constexpr std::size_t kMostInlets = 16, kMostOutlets = 16;

}  // namespace riffle
