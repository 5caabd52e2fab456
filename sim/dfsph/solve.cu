#include <algorithm>
#include <limits>

#include "core/device/parallel.cuh"
#include "sim/dfsph/convergence.cuh"
#include "sim/dfsph/dfsph.h"
#include "sim/dfsph/dfsph_kernels.cuh"
#include "sim/dfsph/mean_pressure.cuh"
#include "sim/dfsph/wall_kernels.cuh"
#include "sim/walls/wall_traversal.cuh"

namespace riffle::dfsph {

void DfsphSolver::find_residuals(SolveKind kind, ParticleSet& particles, const NeighborSearch& search,
                                 const ClockState* clock) {
  const int walls = boundary_.count();
  const float h = kernel_.h, volume = fluids_.rest_volume;
  const bool clamped = !setup_.wcsph.negative_pressure;
  const Vec4* wall = walls > 0 ? wall_.data() : nullptr;
  if (couples())
    push_bodies(search);
  else if (walls > 0)
    for_each_wall_neighbor(
        boundary_, search, "wall push", record_.data(), h,
        WallPush{kernel_, volume, state_.data(), wall_constraint_.data(), wall_squares_.data(), wall_push_.data()});
  for_each_neighbor(search, "push", record_.data(), h,
                    Push{kernel_, fluids_, state_.data(), particles.get<std::uint32_t>("fluid").data(), record_.data(),
                         particles.get<Vec4>("velocity").data(), wall, wall_push_.data(), pushed_.data()});
  refresh(particles, {field("pushed", pushed_)});
  for_each_neighbor(search, "residual", record_.data(), h,
                    Residual{kernel_, volume, kind, clamped, clock, state_.data(), fill_.data(), excess_.data(),
                             pushed_.data(), wall, wall_push_.data(), residual_.data()});
  if (walls > 0)
    for_each_fluid_neighbor(boundary_, search, "wall residual", record_.data(), h,
                            WallResidual{kernel_, volume, kind, clamped, clock, state_.data(), fill_.data(),
                                         boundary_.velocities(), pushed_.data(), wall_constraint_.data()});
}

void DfsphSolver::solve(SolveKind kind, ParticleSet& particles, const NeighborSearch& search, StepControl& control) {
  const Device& device = particles.device();
  const int n = particles.count(), walls = boundary_.count();
  const DfsphSetup& setup = setup_.dfsph;
  const bool density = kind == SolveKind::Density, clamped = !setup_.wcsph.negative_pressure;
  const std::uint32_t* foreign = foreign_flags(particles);
  Vec4* velocity = particles.get<Vec4>("velocity").data();
  float* pressure = particles.get<float>("pressure").data();
  ClockState* clock = control.state();

  parallel_for(device, "begin solve", 1, BeginSolve{kind, fill_.data(), state_.data()});
  parallel_for(device, "start solve", std::int64_t{n} + walls,
               Both{n,
                    StartSolve{clock, clamped, bias_, density ? pressure : nullptr, fill_.data(), excess_.data(),
                               residual_.data(), record_.data(), impulse_.data()},
                    StartWallSolve{clock, clamped, bias_, kind, fill_.data(), wall_constraint_.data()}});
  refresh(particles, {field("record", record_)});
  if (couples()) body_reaction_ = coupled_.reactions(boundary_);
  done_.begin();
  // Blocks enough for every multiprocessor, and few where there are many particles: each adds to the same sums.
  const int per_block = kAssessBlock * std::clamp(n / (1000 * kAssessBlock), 1, 8);
  for (bool known = !density;; known = false) {
    if (!known) find_residuals(kind, particles, search, clock);
    parallel_blocks<kAssessBlock>(device, "assess", (n + per_block - 1) / per_block,
                                  Assess{n, per_block / kAssessBlock, relaxation_, clamped, clock, foreign,
                                         record_.data(), residual_.data(), inverse_.data(), state_.data()});
    share_errors(device, &state_.data()->errors);
    parallel_for(device, "decide", 1,
                 Decide{kind, density ? setup.density_error : setup.divergence_error,
                        density ? setup.largest_density_error : std::numeric_limits<float>::infinity(),
                        density ? kLeastIterations : 0, setup.max_iterations, fill_.data(), clock, state_.data()});
    if (done_.raised(&state_.data()->done, halo() != nullptr)) break;
    parallel_for(device, "advance", std::int64_t{n} + walls,
                 Both{n,
                      Advance{relaxation_, clamped, state_.data(), foreign, residual_.data(), inverse_.data(),
                              record_.data(), impulse_.data()},
                      AdvanceWall{relaxation_, clamped, state_.data(), wall_constraint_.data()}});
    refresh(particles, {field("record", record_)});
  }
  if (density)
    for_each_neighbor(
        search, "mean pressure", record_.data(), kernel_.h,
        AddToMean{kernel_, fluids_.rest_volume, bias_, kernel_.h, calm_step_, viscosity_ ? kNewShare : kCalmShare,
                  fluids_, clock, particles.get<std::uint32_t>("fluid").data(), foreign, record_.data(), pushed_.data(),
                  velocity, pressure});
  parallel_for(device, "finish solve", n,
               FinishSolve{!density, clock, state_.data(), foreign, pushed_.data(), velocity,
                           density && viscosity_ ? particles.get<Vec4>("pressure acceleration").data() : nullptr});
  measure_solid_impulses(kind, particles, search, clock);
}

void DfsphSolver::measure_solid_impulses(SolveKind kind, const ParticleSet& particles, const NeighborSearch& search,
                                         const ClockState* clock) {
  if (!solid_forces_.any() || boundary_.count() == 0) return;
  Vec4* reaction = solid_forces_.begin_reactions(boundary_);
  for_each_fluid_neighbor(boundary_, search, "wall reactions", record_.data(), kernel_.h,
                          WallImpulse{kernel_, fluids_.rest_volume, kind == SolveKind::Divergence, clock, state_.data(),
                                      boundary_.particles(), wall_constraint_.data(),
                                      solid_forces_.measured(boundary_, foreign_flags(particles)), reaction});
  solid_forces_.add_reactions(boundary_, SolidForces::Of::Impulse, clock);
}

}  // namespace riffle::dfsph
