#include "sim/inheritance/expected_at_wall.cuh"
#include "sim/pbf/pbf.h"
#include "sim/pbf/pbf_kernels.cuh"
#include "sim/pbf/wall_kernels.cuh"
#include "sim/walls/wall_traversal.cuh"

namespace riffle::pbf {

namespace {

/// See Constrain: half the overshoot of a single light particle, whose share of each of some 30 gradients is a third.
constexpr float kSharing = 4;

}  // namespace

void PbfSolver::iterate(const NeighborSearch& search, const Vec4* predicted, const Vec4* from, const float* dt,
                        float* density, const std::uint32_t* fluid, Workspace& workspace, const Step* step) {
  const float h = kernel_.h;
  const PbfFluids fluids = make_fluids(static_cast<int>(setup_.fluids.size()), mass_, inverse_mass_);
  Vec4* wall = boundary_.count() > 0 ? workspace.wall.data() : nullptr;
  const auto squares = static_cast<float>(lattice_.squares);
  const float epsilon = relaxation_ * squares;
  const float stiffness = 1 / (squares + epsilon);
  const auto largest = static_cast<float>(largest_correction_);
  const float largest2 = largest * largest;
  const bool first = from == predicted;
  const std::uint32_t* foreign = step ? foreign_flags(*step->particles) : nullptr;
  const bool couples = step && step->couples;
  const float lightest = mass_[0] * inverse_mass_[0] / particle_volume_;  // rest density
  const Gain gain{lightest, couples ? gain_.data() : nullptr},
      wall_gain{lightest, couples ? wall_gain_.data() : nullptr};
  const Vec4* const way = couples ? wall_way_.data() : nullptr;
  LeftPressure left;
  if (step) left = {per_lambda_, first, step->clock, step->pressure};
  if (step && first && step->inherited.begins && wall)
    for_each_fluid_neighbor(boundary_, search, "expected at walls", from, h,
                            ExpectedAtWall{kernel_, step->inherited.excess, step->inherited_at_walls.excess});
  if (wall) {
    for_each_fluid_neighbor(
        boundary_, search, "wall constraint", from, h,
        WallConstraint{kernel_, particle_volume_, epsilon, boundary_.solid_density(), stiffness,
                       step ? step->inherited_at_walls : Inherited{}, way, wall_gain, wall_lambda_.data()});
    for_each_wall_neighbor(boundary_, search, "wall sums", from, h,
                           WallSums{kernel_, particle_volume_, wall_lambda_.data(), way, wall, workspace.push.data()});
  }
  for_each_neighbor(search, "constrain", from, h,
                    Constrain{kernel_, particle_volume_, epsilon, kSharing, setup_.pbf.negative_pressure, stiffness,
                              step ? step->inherited : Inherited{}, left, gain, from, wall, fluids, fluid,
                              workspace.constrained.data(), density});
  if (step) refresh(*step->particles, {field("constrained", workspace.constrained)});
  if (step && step->inherited.begins)
    refresh(*step->particles, {{Inheritance::kAttribute, step->inherited.excess, sizeof(float)}});
  if (step && step->reaction)
    for_each_fluid_neighbor(
        boundary_, search, "wall reactions", workspace.constrained.data(), h,
        WallReaction{kernel_, particle_volume_ * mass_[0] * inverse_mass_[0], step->clock, boundary_.particles(),
                     wall_lambda_.data(), solid_forces_.measured(boundary_, foreign), step->reaction});
  if (couples) coupled_.follow(boundary_, solid_forces_, step->reaction, step->clock, wall_way_.data());
  const PbfSetup& pbf = setup_.pbf;
  const ArtificialPressure artificial{pbf.artificial_pressure / ((1 + relaxation_) * squares),
                                      1 / kernel_.value(pbf.artificial_pressure_distance * h),
                                      pbf.artificial_pressure_power};
  for_each_neighbor(search, "correct", workspace.constrained.data(), h,
                    Correct{kernel_, particle_volume_, artificial, step ? step->inherited_share : nullptr,
                            workspace.constrained.data(), wall, workspace.push.data(), workspace.moved.data()});
  FaceContact contact = contact_;
  if (step) contact.impulses = solid_forces_.impulses(fluid);
  parallel_for(
      search.device(), "displace", search.count(),
      Displace{contact, largest2, first, dt, step ? &step->clock->previous_dt : dt, predicted,
               workspace.correction.data(), workspace.moved.data(), workspace.cut_off.data(), cut_.data(), foreign});
  if (step) refresh(*step->particles, {field("moved", workspace.moved)});
}

}  // namespace riffle::pbf
