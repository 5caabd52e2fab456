#include "sim/wcsph/continuity.h"

#include "sim/walls/wall_traversal.cuh"
#include "sim/wcsph/continuity_kernels.cuh"
#include "sim/wcsph/wcsph.h"

namespace riffle::wcsph {

void WcsphSolver::start_compression(ParticleSet& particles) const {
  particles.get<float>("compression")
      .assign(compression_at_rest(setup_, fluids_, particles.get<Vec4>("position").to_host(),
                                  particles.get<Vec4>("velocity").to_host(),
                                  particles.get<std::uint32_t>("fluid").to_host()));
  particles.get<float>("compression rate").fill_zero();
}

void WcsphSolver::resume(bool started) {
  started_ = started || !by_continuity();
  forces_.restart();
}

void WcsphSolver::find_compression_rates(ParticleSet& particles, const NeighborSearch& search,
                                         const StepControl& control, StageTimer& timer) {
  const float h = kernel_.h;
  const std::uint32_t* fluid = particles.get<std::uint32_t>("fluid").data();
  float* rate = particles.get<float>("compression rate").data();
  {
    auto timing = timer.scope("half step");
    parallel_for(particles.device(), "kick", particles.count(),
                 Kick{contact(particles), setup_.wcsph.damping_rate, setup_.wcsph.damping_time,
                      particles.get<Vec4>("position").data(), particles.get<Vec4>("acceleration").data(),
                      particles.get<float>("compression").data(), foreign_flags(particles), control.state(),
                      particles.get<Vec4>("velocity").data(), flow_.data()});
  }
  refresh(particles, {field("flow", flow_)});
  {
    auto timing = timer.scope("density");
    for_each_neighbor(
        search, "density", volume_.data(), h,
        CompressionRate{gradient_kernel_, fluids_, continuity_, fluid, flow_.data(), control.state(),
                        apparent_gravity(), volume_.data(), eta2_of(h), rate, diffusion_.data(), summed_.data()});
  }
  if (boundary_.count() > 0) {
    auto timing = timer.scope("wall density");
    for_each_wall_neighbor(boundary_, search, "wall density", volume_.data(), h,
                           WallCompressionRate{gradient_kernel_, fluids_.rest_volume, flow_.data(),
                                               boundary_.velocities(), control.state(), rate, summed_.data()});
  }
}

void WcsphSolver::advance_compression(ParticleSet& particles, bool inherits, const StepControl& control,
                                      StageTimer& timer) {
  Inherited inherited;
  if (inherits) inherited = {inheritance().begins(), particles.get<float>(Inheritance::kAttribute).data()};
  {
    auto timing = timer.scope("compression");
    parallel_for(
        particles.device(), "compression", particles.count(),
        AdvanceCompression{fluids_, continuity_.return_rate, inherited, particles.get<std::uint32_t>("fluid").data(),
                           particles.get<float>("compression rate").data(), diffusion_.data(), summed_.data(),
                           foreign_flags(particles), control.state(), particles.get<float>("compression").data(),
                           particles.get<float>("density").data()});
  }
  if (inherited.begins)
    refresh(particles, {field(Inheritance::kAttribute, particles.get<float>(Inheritance::kAttribute))});
  refresh(particles, {field("compression", particles.get<float>("compression")),
                      field("compression rate", particles.get<float>("compression rate"))});
}

}  // namespace riffle::wcsph
