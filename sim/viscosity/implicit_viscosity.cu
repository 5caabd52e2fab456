#include "sim/viscosity/implicit_viscosity.h"

#include <limits>

#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "sim/solver.h"
#include "sim/start/room.h"
#include "sim/viscosity/viscosity_choice.h"
#include "sim/viscosity/viscosity_kernels.cuh"

namespace riffle::viscosity {

namespace {

void refresh(const ImplicitViscosity::Step& step, const char* name, Buffer<Vec4>& values) {
  if (!step.halo) return;
  const HaloField field{name, values.data(), sizeof(Vec4)};
  step.halo->refresh(step.particles, {&field, 1});
}

/// particles_without_room() of a domain that has no open face. Between solids in an open domain forces along r_ij are taken
/// however full it is: fluid that turned with a drum then kept 0.996 of its speed, and 0.961 with a Laplacian.
double full_domain(const SimulationSetup& setup) {
  for (int a = 0; a < setup.domain.dimension; ++a)
    if (setup.domain.axis[a] == Axis::Open) return std::numeric_limits<double>::infinity();
  return particles_without_room(setup);
}

}  // namespace

ImplicitViscosity::ImplicitViscosity(const SimulationSetup& setup, ParticleSet& particles, bool walled)
    : table_(make_table(setup)),
      h_(setup.support_radius()),
      bound_(setup.wcsph.viscosity_error),
      step_error_(setup.wcsph.viscosity_step_error),
      least_step_(least_step(setup)),
      least_speed_(kLeastSpeed * expected_speed(setup)),
      most_push_(kMostPush * expected_speed(setup)),
      full_(full_domain(setup)),
      most_iterations_(static_cast<std::uint32_t>(setup.wcsph.viscosity_iterations)),
      walled_(walled && setup.wcsph.walls == WallSlip::NoSlip),
      start_(particles.device()),
      change_(particles.device()),
      residual_(particles.device()),
      direction_(particles.device()),
      block_(particles.device()),
      wall_block_(particles.device()),
      partial_(particles.device()),
      state_(particles.device(), 1),
      step_partial_(particles.device()),
      step_sums_(particles.device(), 1),
      done_(particles.device()) {
  reserve(particles.count());
  particles.add<Vec4>("viscous acceleration", Persistence::Carry);
}

std::size_t ImplicitViscosity::particle_bytes(const SimulationSetup& setup, bool walled) {
  const std::size_t blocks = walled && setup.wcsph.walls == WallSlip::NoSlip ? 2 : 1;
  return attribute_bytes<Vec4>(Persistence::Carry) + 4 * sizeof(Vec4) + blocks * sizeof(Symmetric3);
}

void ImplicitViscosity::reserve(int capacity) {
  const auto n = static_cast<std::size_t>(capacity);
  if (n <= start_.size()) return;
  const Device& device = start_.device();
  Buffer<Vec4> start(device, n), change(device, n), residual(device, n), direction(device, n);
  Buffer<Symmetric3> block(device, n), wall_block(device, walled_ ? n : 0);
  Buffer<Sums> partial(device, reduction_blocks(capacity));
  Buffer<StepSums> step_partial(device, reduction_blocks(capacity));
  start_.swap(start), change_.swap(change), residual_.swap(residual), direction_.swap(direction);
  block_.swap(block), wall_block_.swap(wall_block), partial_.swap(partial), step_partial_.swap(step_partial);
}

std::size_t ImplicitViscosity::memory_bytes() const {
  return start_.bytes() + change_.bytes() + residual_.bytes() + direction_.bytes() + block_.bytes() +
         wall_block_.bytes() + partial_.bytes() + state_.bytes() + step_partial_.bytes() + step_sums_.bytes();
}

template <class F>
void ImplicitViscosity::sum(const Step& step, const char* name, const F& f) {
  const Device& device = step.particles.device();
  reduce_into(device, name, step.particles.count(), f, partial_, &state_.data()->sums);
  if (step.halo) step.halo->share_sums(device, &state_.data()->sums.product, kSums);
}

void ImplicitViscosity::add_to_acceleration(const Step& step) {
  const Device& device = step.particles.device();
  const int n = step.particles.count();
  ParticleSet& particles = step.particles;
  const std::uint32_t* fluid = particles.get<std::uint32_t>("fluid").data();
  const std::uint32_t* foreign = foreign_flags(particles);
  Vec4* acceleration = particles.get<Vec4>("acceleration").data();
  Vec4* last = particles.get<Vec4>("viscous acceleration").data();
  ViscousState* state = state_.data();

  parallel_for(device, "start velocity", n,
               StartVelocity{most_push_, step.clock, particles.get<Vec4>("velocity").data(), acceleration,
                             step.pressure_acceleration, start_.data()});
  refresh(step, "start velocity", start_);
  sum(step, "count the surface", CountSurface{table_.wall_volume / (1 - kRoom), foreign, step.volume});
  parallel_for(device, "choose the form", 1, ChooseForm{full_, state});
  find_blocks(step);
  const bool keep_momentum = !walled_;
  sum(step, "invert viscous blocks",
      InvertBlocks{table_, step.clock, fluid, foreign, wall_blocks(), last, residual_.data(), block_.data(),
                   direction_.data(), change_.data()});
  parallel_for(device, "reset viscous solve", 1, Reset{keep_momentum, state});
  if (keep_momentum) parallel_for(device, "center the guess", n, Center{state, direction_.data(), change_.data()});
  refresh(step, "viscous direction", direction_);
  multiply(step);
  sum(step, "begin viscous solve",
      BeginIteration{table_, fluid, foreign, start_.data(), block_.data(), residual_.data(), direction_.data()});
  parallel_for(device, "begin", 1, Begin{bound_, keep_momentum, step.clock, state});
  done_.begin();
  while (!done_.raised(&state->done, step.halo != nullptr)) {
    parallel_for(device, "turn", n, Turn{state, foreign, residual_.data(), block_.data(), direction_.data()});
    refresh(step, "viscous direction", direction_);
    multiply(step);
    sum(step, "viscous curvature", Curvature{foreign, direction_.data(), start_.data()});
    parallel_for(device, "choose length", 1, ChooseLength{state});
    sum(step, "advance viscous solve",
        Advance{table_, state, fluid, foreign, direction_.data(), start_.data(), block_.data(), change_.data(),
                residual_.data()});
    parallel_for(device, "decide", 1, Decide{bound_, keep_momentum, most_iterations_, state});
  }
  reduce_into(device, "add viscosity", n,
              AddViscosity{table_, step.clock, fluid, foreign, particles.get<Vec4>("velocity").data(), change_.data(),
                           acceleration, last},
              step_partial_, step_sums_.data());
  if (step.halo) step.halo->share_sums(device, &step_sums_.data()->change, kStepSums);
  parallel_for(device, "report viscosity", 1,
               Report{bound_, step_error_, walled_, least_step_, least_speed_, state, step_sums_.data(), step.clock});
}

}  // namespace riffle::viscosity
