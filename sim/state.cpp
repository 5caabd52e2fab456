#include "sim/state.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text/number_text.h"
#include "sim/solver_info.h"
#include "sim/walls/inside_solids.h"

namespace riffle {

namespace {

const char* system_of_units(const SimulationSetup& setup) {
  return solver_info(setup).si() ? "SI units" : "reduced units";
}

int count_outside(const std::vector<Vec4>& positions, const Domain& domain) {
  const auto beyond = [&](const Vec4& x, int a) {
    const float at = component(xyz(x), a);
    return domain.walled(a) && (at < component(domain.min, a) || at > component(domain.max, a));
  };
  return static_cast<int>(std::count_if(positions.begin(), positions.end(),
                                        [&](const Vec4& x) { return beyond(x, 0) || beyond(x, 1) || beyond(x, 2); }));
}

/// Whether the numbers of a state's inlets fit to each other: a file may have any.
void check_openings(const KeptOpenings& kept, const SimulationSetup& setup) {
  const std::size_t inlets = setup.inlets.size();
  if (inlets == 0) return;
  const bool sizes = kept.made.size() == inlets && kept.length.size() == inlets && kept.paused_steps.size() == inlets &&
                     kept.late.size() <= static_cast<std::size_t>(kOpeningsLag) && kept.late.size() <= kept.turn;
  bool sound =
      sizes && std::is_sorted(kept.layers.begin(), kept.layers.end(),
                              [](const NozzleLayer& a, const NozzleLayer& b) { return a.first_id < b.first_id; });
  for (const NozzleLayer& layer : kept.layers)
    sound = sound && layer.inlet < inlets && layer.number < kept.made[layer.inlet];
  for (std::size_t k = 0; k < inlets && sound; ++k) sound = kept.length[k] > 0 && kept.counts.way[k] >= 0;
  if (!sound) throw InputError("the state's numbers of inlets do not fit to each other");
}

}  // namespace

void SimulationState::throw_missing(std::string_view name) {
  throw InputError(fmt::format("the state has no particle attribute \"{}\"", name));
}

std::size_t SimulationState::bytes() const {
  std::size_t sum = sizeof *this + turns.size() * sizeof turns[0] + search.bytes() +
                    inheritance.walls.size() * sizeof(float) +
                    bodies.bodies.size() * (sizeof(MovingBody) + sizeof(BodyState) + sizeof(BodyPush)) +
                    bodies.contacts.size() * sizeof(KeptContact);
  sum += openings.layers.size() * sizeof openings.layers[0];
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
  state.require<std::uint32_t>("id");
  state.require<Vec4>("velocity");
  const auto& position = state.require<Vec4>("position");
  const auto& fluid = state.require<std::uint32_t>("fluid");

  const SimulationSetup& from = state.setup;
  if (from.domain.dimension != setup.domain.dimension)
    throw InputError(fmt::format("the state is of a {}-D simulation and cannot go on in {}-D", from.domain.dimension,
                                 setup.domain.dimension));
  if (solver_info(from).si() != solver_info(setup).si())
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
    throw InputError(fmt::format("the state has particles of fluid number {}, and the setup has {}", last + 1,
                                 counted(static_cast<std::int64_t>(setup.fluids.size()), "fluid")));
  if (const int outside = from.domain == setup.domain ? 0 : count_outside(position, setup.domain); outside > 0)
    throw InputError(fmt::format("{} of the state's {} particles are outside of the walls that the setup has", outside,
                                 state.count));
  if (!setup.inlets.empty() &&
      !std::equal(from.inlets.begin(), from.inlets.end(), setup.inlets.begin(), setup.inlets.end(),
                  [](const InletSetup& a, const InletSetup& b) { return a.same_nozzle(b); }))
    throw InputError(fmt::format(
        "the state has {} and the setup {}, or they lie elsewhere: the particles in their nozzles are part of a state; "
        "allowed: the same inlets, whatever their rates, or none",
        counted(static_cast<std::int64_t>(from.inlets.size()), "inlet"), setup.inlets.size()));
  check_openings(state.openings, setup);
  if (from.solid_regions == setup.solid_regions) return;
  const SolidsAtRest solids(setup);
  const auto inside =
      std::count_if(position.begin(), position.end(), [&](const Vec4& x) { return solids.around(xyz(x)).has_value(); });
  if (inside > 0)
    throw InputError(
        fmt::format("{} of the state's {} particles lie in solids that the setup has", inside, state.count));
}

bool carries_on(const SimulationState& state, const SimulationSetup& setup) {
  if (!state.started || state.setup.solver != setup.solver) return false;
  const auto carries_on = solver_info(setup).carries_on;
  return carries_on == nullptr || carries_on(state.setup, setup);
}

std::vector<Vec4> start_velocities(const SimulationState& state) {
  const auto start_velocities = solver_info(state.setup).start_velocities;
  return start_velocities ? start_velocities(state) : *state.find<Vec4>("velocity");
}

}  // namespace riffle
