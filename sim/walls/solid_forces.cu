#include "sim/walls/solid_forces.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/device/parallel.cuh"
#include "sim/solver.h"
#include "sim/solver_info.h"

namespace riffle {

namespace {

constexpr double kUnits = 0x1p36;  // in the momentum of the heaviest particle at the signal speed
constexpr int kPerThread = 32;     // wall particles that are summed before an atomic addition

/// The faces that a wall particle is behind.
struct FacesBehind {
  bool across[3] = {false, false, false};  ///< axes
  bool upper[3] = {false, false, false};
  int count = 0;

  RIFFLE_HD FacesBehind(const Domain& domain, Vec3 p) {
    float outermost = -INFINITY;
    int nearest = 0;
    for (int a = 0; a < domain.dimension; ++a) {
      if (domain.axis[a] != Axis::Walled) continue;
      const float below = component(domain.min, a) - component(p, a),
                  above = component(p, a) - component(domain.max, a);
      const float out = below > above ? below : above;
      upper[a] = above > below;
      if (out > outermost) outermost = out, nearest = a;
      if (!(out > 0)) continue;
      across[a] = true;
      ++count;
    }
    if (count > 0) return;
    across[nearest] = true;  // by rounding it lies on the face
    count = 1;
  }

  RIFFLE_HD std::uint32_t face(int a) const { return static_cast<std::uint32_t>(2 * a + (upper[a] ? 1 : 0)); }
};

struct SumReactions {
  SolidImpulses impulses;
  Domain domain;
  bool of_force;
  const ClockState* clock;
  int count;
  const Vec4* particles;       ///< of the walls
  const std::uint32_t* solid;  ///< nullptr: all are of solid 0
  const Vec4* reaction;

  RIFFLE_HD void operator()(std::int64_t thread) const {
    const double dt = of_force ? double{clock->dt} : 1;
    double sum[6] = {0, 0, 0, 0, 0, 0};
    std::uint32_t of = 0;
    bool any = false;
    const std::int64_t first = thread * kPerThread;
    for (std::int64_t b = first; b < first + kPerThread && b < count; ++b) {
      const Vec4 f = reaction[b];
      if (f.x == 0 && f.y == 0 && f.z == 0) continue;
      std::uint32_t s = solid ? solid[b] : 0;
      if (s == 0) {
        if (!impulses.faces) continue;
        const FacesBehind behind(domain, xyz(particles[b]));
        if (behind.count > 1) {
          divide(behind, xyz(particles[b]), static_cast<float>(dt) * xyz(f));
          continue;
        }
        s = impulses.first_face + behind.face(behind.across[0] ? 0 : behind.across[1] ? 1 : 2);
      }
      if (any && s != of) {
        impulses.add(of, sum);
        for (double& value : sum) value = 0;
      }
      of = s;
      any = true;
      const Vec3 r = impulses.from_center(s, xyz(particles[b]));
      const double part[6] = {f.x,
                              f.y,
                              f.z,
                              double{r.y} * f.z - double{r.z} * f.y,
                              double{r.z} * f.x - double{r.x} * f.z,
                              double{r.x} * f.y - double{r.y} * f.x};
      for (int k = 0; k < 6; ++k) sum[k] += dt * part[k];
    }
    if (any) impulses.add(of, sum);
  }

  /// Beyond an edge each face gets the part along its normal. The parts along none of them are shared evenly.
  RIFFLE_HD void divide(const FacesBehind& behind, Vec3 x, Vec3 impulse) const {
    Vec3 shared = impulse;
    if (behind.across[0]) shared.x = 0;
    if (behind.across[1]) shared.y = 0;
    if (behind.across[2]) shared.z = 0;
    shared = (1 / static_cast<float>(behind.count)) * shared;
    if (behind.across[0]) impulses.add_at(impulses.first_face + behind.face(0), x, shared + Vec3{impulse.x, 0, 0});
    if (behind.across[1]) impulses.add_at(impulses.first_face + behind.face(1), x, shared + Vec3{0, impulse.y, 0});
    if (behind.across[2]) impulses.add_at(impulses.first_face + behind.face(2), x, shared + Vec3{0, 0, impulse.z});
  }
};

struct FinishLoads {
  SolidImpulses impulses;
  UntakenImpulses untaken;
  const ClockState* clock;
  SolidLoad* loads;

  RIFFLE_HD void operator()(std::int64_t s) const {
    const double dt = clock->dt;
    SolidLoad load = loads[s];
    for (int k = 0; k < 6; ++k) {
      std::uint64_t& sum = impulses.sums[6 * s + k];
      const double value = impulses.part(sum, k);
      if (untaken.taken != nullptr && s < untaken.count) {
        std::uint64_t& taken = untaken.taken[6 * s + k];
        untaken.left[6 * s + k] += impulses.part(sum - taken, k);
        taken = 0;
      }
      sum = 0;
      if (!(dt > 0)) continue;
      (k < 3 ? load.impulse[k] : load.angular_impulse[k - 3]) += value;
      (k < 3 ? load.force[k] : load.torque[k - 3]) = value / dt;
    }
    load.time += dt;
    loads[s] = load;
  }
};

struct AddLater {
  const ClockState* clock;
  float nominal;
  std::uint64_t* later;
  std::uint64_t* sums;

  RIFFLE_HD void operator()(std::int64_t k) const {
    const double dt = clock->dt;
    if (!(dt > 0)) return;
    const double units = dt / double{nominal} * static_cast<double>(static_cast<std::int64_t>(later[k]));
    sums[k] += static_cast<std::uint64_t>(static_cast<std::int64_t>(rint(units)));
    later[k] = 0;
  }
};

struct FollowMiddles {
  const SurfaceFrame* frames;
  Vec3* center;

  RIFFLE_HD void operator()(std::int64_t region) const {
    const SurfaceFrame& frame = frames[region];
    if (frame.driven) center[region + 1] = frame.free ? frame.center + frame.shift : frame.middle_at_end;
  }
};

Vec3 center_of(const Vec3& min, const Vec3& max) { return 0.5f * (min + max); }

}  // namespace

SolidForces::SolidForces(const Device& device, const SimulationSetup& setup, bool known)
    : domain_(setup.domain),
      loads_(device),
      sums_(device),
      later_(device),
      center_(device),
      period_(device),
      reaction_(device) {
  if ((setup.solid_regions.empty() && !setup.face_forces) || !known) return;
  std::vector<Vec3> center{center_of(setup.domain.min, setup.domain.max)};
  for (const SolidRegion& region : setup.solid_regions) {
    const Bounds bounds = bounds_of(region);
    Vec3 middle = center_of(bounds.min, bounds.max);
    if (!std::isfinite(middle.x)) middle.x = center[0].x;  // as far as the domain goes
    if (!std::isfinite(middle.y)) middle.y = center[0].y;
    if (!std::isfinite(middle.z)) middle.z = center[0].z;
    if (setup.domain.dimension == 2) middle.z = 0;
    center.push_back(middle);
  }
  std::vector<Vec3> period(1);  // the faces have none
  for (const DrivenRegion& region : driven_regions(setup)) period.push_back(region.period);
  float heaviest = 0;
  impulses_.faces = setup.face_forces;
  impulses_.first_face = static_cast<std::uint32_t>(center.size());
  if (setup.face_forces) {
    center.insert(center.end(), kFaces, Vec3(center[0]));
    period.insert(period.end(), kFaces, Vec3{});
  }
  impulses_.fluids = static_cast<int>(setup.fluids.size());
  for (int f = 0; f < impulses_.fluids; ++f) {
    const FluidSetup& fluid = setup.fluids[static_cast<std::size_t>(f)];
    impulses_.mass[f] =
        solver_info(setup).has_density ? static_cast<float>(fluid.rest_density * setup.particle_volume()) : fluid.mass;
    heaviest = std::max(heaviest, impulses_.mass[f]);
  }
  const double extent = std::sqrt(double{length2(setup.domain.extent())});
  impulses_.per_unit = kUnits / (double{heaviest} * std::max(signal_speed(setup), 1e-6f));
  impulses_.per_angular_unit = impulses_.per_unit / std::max(extent, 1e-6);
  center_.assign(center);
  period_.assign(period);
  sums_.resize(6 * center.size());
  sums_.fill_zero();
  later_.resize(sums_.size());
  loads_.resize(center.size());
  std::size_t walls = 0;
  for (const Solid& solid : setup.solids) walls += solid.samples->wall.size();
  reaction_.resize(walls);
  restart();
}

void SolidForces::read(std::vector<SolidLoad>& solids, std::vector<SolidLoad>& faces) const {
  solids.clear();
  faces.clear();
  if (!any()) return;
  solids = loads_.to_host();
  if (!impulses_.faces) return;
  const auto first = solids.begin() + static_cast<std::ptrdiff_t>(solid_count());
  faces.assign(first, solids.end());
  solids.erase(first, solids.end());
  SolidLoad& together = solids[0];
  for (const SolidLoad& face : faces)
    for (int k = 0; k < 3; ++k) {
      together.impulse[k] += face.impulse[k];
      together.angular_impulse[k] += face.angular_impulse[k];
      together.force[k] += face.force[k];
      together.torque[k] += face.torque[k];
    }
}

void SolidForces::restart() {
  static std::atomic<std::uint64_t> measurements = 0;
  SolidLoad zero;
  zero.measurement = ++measurements;
  if (!any()) return;
  loads_.assign(std::vector<SolidLoad>(loads_.size(), zero));
  later_.fill_zero();
}

SolidImpulses SolidForces::impulses(const std::uint32_t* fluid) const {
  SolidImpulses view = impulses_;
  if (!any()) return view;
  view.sums = const_cast<std::uint64_t*>(sums_.data());
  view.center = center_.data();
  view.period = period_.data();
  view.fluid = fluid;
  return view;
}

SolidImpulses SolidForces::later(const std::uint32_t* fluid) const {
  SolidImpulses view = impulses(fluid);
  if (any()) view.sums = const_cast<std::uint64_t*>(later_.data());
  return view;
}

void SolidForces::add_later(const ClockState* clock, float nominal) {
  if (any())
    parallel_for(loads_.device(), "add later impulses", static_cast<std::int64_t>(sums_.size()),
                 AddLater{clock, nominal, later_.data(), sums_.data()});
}

Vec4* SolidForces::begin_reactions(const Boundary& boundary) {
  reaction_.resize(static_cast<std::size_t>(boundary.count()));  // what is not measured stays 0
  reaction_.fill_zero();
  return reaction_.data();
}

void SolidForces::add_reactions(const Boundary& boundary, Of of, const ClockState* clock) {
  parallel_for(reaction_.device(), "sum reactions", (boundary.count() + kPerThread - 1) / kPerThread,
               SumReactions{impulses(nullptr), domain_, of == Of::Force, clock, boundary.count(), boundary.particles(),
                            boundary.solid(), reaction_.data()});
}

void SolidForces::sum_of_regions(const Boundary& boundary, const Vec4* reaction, std::uint64_t* sums) const {
  if (!any() || boundary.solid() == nullptr) return;
  SolidImpulses view = impulses(nullptr);
  view.sums = sums;
  view.faces = false;
  parallel_for(
      loads_.device(), "sum reactions of regions", (boundary.count() + kPerThread - 1) / kPerThread,
      SumReactions{view, domain_, false, nullptr, boundary.count(), boundary.particles(), boundary.solid(), reaction});
}

void SolidForces::drive(const SolidSurfaces& surfaces) {
  if (!any() || !surfaces.driven()) return;
  parallel_for(loads_.device(), "middles of solids", static_cast<std::int64_t>(solid_count()) - 1,
               FollowMiddles{surfaces.frames(), center_.data()});
}

void SolidForces::finish_step(const ClockState* clock, const UntakenImpulses& untaken) {
  if (!any()) return;
  parallel_for(loads_.device(), "solid forces", static_cast<std::int64_t>(loads_.size()),
               FinishLoads{impulses(nullptr), untaken, clock, loads_.data()});
}

}  // namespace riffle
