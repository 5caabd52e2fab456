#pragma once
/// The table of solvers: what code outside a solver needs to know about it. A row stands beside its solver
/// (sim/wcsph/wcsph_info.cpp and so on) and sim/solvers.cpp lists the rows. Other code asks the row for a property; it
/// never compares kinds.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/pressure.h"
#include "sim/setup.h"

namespace riffle {

class ParticleSet;
class PlacedWalls;
class Solver;
struct FluidSamples;
struct SimulationState;
struct StepBounds;
struct Units;

/// A line that `riffle check` prints about a solver's settings.
struct SolverFact {
  std::string name, value;
};

/// A function pointer that is nullptr by default says what nullptr means.
struct SolverInfo {
  SolverKind kind;
  const char* name;     ///< the word in scenes and reports
  const char* summary;  ///< what it is, for the page of the scene format

  // Particles and fluids.
  bool has_density = false;       ///< particles have "density", fluids a rest density
  bool has_acceleration = false;  ///< particles have "acceleration"
  float support_ratio = 0;  ///< h in particle spacings where the setup leaves it open; 0 if h does not follow from them
  bool surface_tension = false;  ///< fluids may have surface tension
  bool shifting = false;         ///< particles may be shifted (sim/shifting/shifting.h)
  bool thermal = false;          ///< velocities at time 0 are drawn at a temperature, after an equilibration if wanted
  bool sph_forces = false;       ///< laminar and artificial viscosity, damping at the start
  bool walls_drag = false;       ///< walls may drag the fluid along, and faces move along themselves
  /// Why fluid cannot enter through inlets; nullptr: it can.
  const char* why_no_inlets = nullptr;
  bool wall_particles = false;  ///< walled faces are Boundary particles; otherwise they reflect

  // Steps.
  bool adaptive_step = false;    ///< the step follows from the state unless the scene fixes it
  bool retries_step = false;     ///< a step that throws Unavailable has moved nothing and may be done again
  bool long_steps = false;       ///< sound does not limit them: `auto` may then take implicit viscosity
  bool lists_neighbors = false;  ///< traverses the same pairs several times per step, so that a list always pays

  /// Names of its units; nullptr: SI.
  const Units& (*reduced_units)(const SimulationSetup& setup) = nullptr;
  bool si() const { return reduced_units == nullptr; }

  // The functions that sim/solver.h needs from every solver.
  std::unique_ptr<Solver> (*make)(const SimulationSetup& setup, ParticleSet& particles,
                                  const std::shared_ptr<PlacedWalls>& walls);
  StepBounds (*step_bounds)(const SimulationSetup& setup);
  /// nullptr: the bounds, for particles under gravity alone
  float (*stable_dt)(const SimulationSetup& setup) = nullptr;
  float (*signal_speed)(const SimulationSetup& setup);
  float expected_speed_share = 0.1f;                                ///< expected_speed() over signal_speed()
  float (*support_radius)(const SimulationSetup& setup) = nullptr;  ///< nullptr: from the spacing
  float (*search_radius)(const SimulationSetup& setup) = nullptr;   ///< nullptr: the support radius

  /// Bytes that it allocates for `particles` fluid particles, beyond those that all solvers have: its attributes and
  /// its own buffers. The second for each of the wall particles (nullptr: none); the walls' own are counted at Boundary.
  std::size_t (*particle_bytes)(const SimulationSetup& setup, bool walled);
  std::size_t (*wall_particle_bytes)(const SimulationSetup& setup) = nullptr;
  /// Bytes per particle of its attributes in a state, each once.
  std::size_t (*state_bytes)(const SimulationSetup& setup);

  // Accuracy for speed.
  /// Eases what trades accuracy for speed: share 0 changes nothing, 1 goes to the limits that the scene format states.
  /// Only step.cfl and settings that Solver::adopt() takes over. nullptr: nothing can be eased.
  void (*ease)(SimulationSetup& setup, double share) = nullptr;
  std::string (*ease_text)(const SimulationSetup& setup) = nullptr;  ///< those settings: "cfl 0.4, 2 iterations"

  // Continuing from a saved state.
  /// Whether what the solver has left at the particles in `from` is what its next step in `to` expects; nullptr:
  /// always.
  bool (*carries_on)(const SimulationSetup& from, const SimulationSetup& to) = nullptr;
  /// (count) compressions with which particles of `to` have the pressures of the state; empty: the state's own have them, or
  /// its pressures are not known. nullptr: particles carry none.
  std::vector<float> (*kept_compression)(const SimulationState& state, const SimulationSetup& to) = nullptr;
  /// (count) compressions of particles where they are, if these are those at FluidSamples::site: the pressure goes on along the way as
  /// in a fluid at rest. nullptr: particles carry none.
  std::vector<float> (*compression_off_sites)(const SimulationSetup& setup, const FluidSamples& samples,
                                              std::vector<float> at_sites) = nullptr;
  /// (count) pressures [Pa] by the last step, a mean where the solver swings from step to step; empty: there are none.
  /// nullptr: never.
  std::vector<float> (*left_pressure)(const SimulationState& state) = nullptr;
  /// The excess of density that a particle of a fluid at rest has under a pressure [Pa], as a function. nullptr: it does
  /// not follow.
  std::function<double(double)> (*excess_under)(const SimulationSetup& setup) = nullptr;
  /// (count) velocities at the time of the positions; nullptr: those of the state.
  std::vector<Vec4> (*start_velocities)(const SimulationState& state) = nullptr;
  /// Why a running simulation of `to` cannot go back to a state of `from`, "" where it can; nullptr: it always can.
  std::string (*why_not_restored)(const SimulationSetup& from, const SimulationSetup& to) = nullptr;

  // Display.
  Pressure (*pressure)(const SimulationSetup& setup) = nullptr;  ///< from density; nullptr: see carries_pressure
  bool carries_pressure = false;  ///< particles have "pressure"; otherwise, without a function, they have none
  bool has_pressure() const { return pressure != nullptr || carries_pressure; }
  std::vector<SolverFact> (*facts)(const SimulationSetup& setup, double dt) = nullptr;  ///< nullptr: none
  const char* signal_speed_name;       ///< the speed that the signal speed is a multiple of: "the speed of sound"
  double signal_speed_multiple = 10;   ///< that multiple
  const char* unstable_remedy;         ///< a sentence on what helps when a run blows up
  const char* compressed_remedy = "";  ///< what helps when the fluid is compressed: "more solver.iterations"
  const char* speed_key = nullptr;     ///< the scene key that gives the signal speed; nullptr: none does
  bool (*speed_is_given)(const SimulationSetup& setup) = nullptr;  ///< whether that key was given; nullptr: never
};

std::span<const SolverInfo* const> solvers();
const SolverInfo& solver_info(SolverKind kind);
inline const SolverInfo& solver_info(const SimulationSetup& setup) { return solver_info(setup.solver); }
std::optional<SolverKind> solver_kind_from(std::string_view name);

}  // namespace riffle
