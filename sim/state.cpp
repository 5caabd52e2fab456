#include "sim/state.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "sim/dpd/dpd.h"

namespace riffle {

namespace {

const char* system_of_units(const SimulationSetup& setup) {
  return setup.solver == SolverKind::Dpd ? "DPD's reduced units" : "SI units";
}

template <class T>
const std::vector<T>& require(const SimulationState& state, const char* name) {
  const std::vector<T>* values = state.find<T>(name);
  if (values == nullptr) throw InputError(fmt::format("the state has no particle attribute \"{}\"", name));
  return *values;
}

int count_outside(const std::vector<Vec4>& positions, const Domain& domain) {
  const auto beyond = [&](const Vec4& x, int a) {
    const float at = component(xyz(x), a);
    return domain.walled(a) && (at < component(domain.min, a) || at > component(domain.max, a));
  };
  return static_cast<int>(std::count_if(positions.begin(), positions.end(),
                                        [&](const Vec4& x) { return beyond(x, 0) || beyond(x, 1) || beyond(x, 2); }));
}

}  // namespace

std::size_t SimulationState::bytes() const {
  std::size_t sum = sizeof *this;
  for (const AttributeValues& attribute : attributes)
    sum += std::visit([](const auto& values) { return values.size() * sizeof values[0]; }, attribute.values);
  return sum;
}

void check_state(const SimulationState& state, const SimulationSetup& setup) {
  for (const AttributeValues& attribute : state.attributes) {
    const std::size_t values = std::visit([](const auto& v) { return v.size(); }, attribute.values);
    if (values != static_cast<std::size_t>(state.count))
      throw InputError(
          fmt::format("the state has {} values of \"{}\" for {} particles", values, attribute.name, state.count));
  }
  if (state.count == 0) throw InputError("the state has no particle");
  require<std::uint32_t>(state, "id");
  require<Vec4>(state, "velocity");
  const auto& position = require<Vec4>(state, "position");
  const auto& fluid = require<std::uint32_t>(state, "fluid");

  const SimulationSetup& from = state.setup;
  if (from.domain.dimension != setup.domain.dimension)
    throw InputError(fmt::format("the state is of a {}-D simulation and cannot go on in {}-D", from.domain.dimension,
                                 setup.domain.dimension));
  if ((from.solver == SolverKind::Dpd) != (setup.solver == SolverKind::Dpd))
    throw InputError(
        fmt::format("the state is of solver {}, in {}: its lengths and times mean something else to {}, in {}",
                    to_string(from.solver), system_of_units(from), to_string(setup.solver), system_of_units(setup)));
  if (from.spacing != setup.spacing)
    throw InputError(
        fmt::format("the state's particles stand for a spacing of {:g}, and the setup has {:g}: mass would "
                    "appear or be lost, and the fluid fly apart or collapse",
                    from.spacing, setup.spacing));
  const std::uint32_t last = *std::max_element(fluid.begin(), fluid.end());
  if (last >= setup.fluids.size())
    throw InputError(fmt::format("the state has particles of fluid number {}, and the setup has {} fluid{}", last + 1,
                                 setup.fluids.size(), setup.fluids.size() == 1 ? "" : "s"));
  if (same_domain(from.domain, setup.domain)) return;
  if (const int outside = count_outside(position, setup.domain); outside > 0)
    throw InputError(fmt::format("{} of the state's {} particles are outside of the walls that the setup has", outside,
                                 state.count));
}

bool carries_on(const SimulationState& state, const SimulationSetup& setup) {
  if (!state.started || state.setup.solver != setup.solver) return false;
  return setup.solver != SolverKind::Dpd || same_dpd_forces(state.setup, setup);
}

std::vector<Vec4> start_velocities(const SimulationState& state) {
  std::vector<Vec4> velocity = *state.find<Vec4>("velocity");
  const SimulationSetup& from = state.setup;
  const bool ahead = from.solver == SolverKind::Dpd && from.dpd.integrator == DpdIntegrator::LeapFrog && state.started;
  if (!ahead) return velocity;
  const std::vector<Vec4>& previous = require<Vec4>(state, "previous velocity");
  for (std::size_t i = 0; i < velocity.size(); ++i)
    velocity[i] = make_vec4(0.5f * (xyz(velocity[i]) + xyz(previous[i])));
  return velocity;
}

}  // namespace riffle
