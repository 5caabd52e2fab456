#include "app/report/series_columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "sim/units.h"

namespace riffle {

namespace {

constexpr const char* kDpd = "`dpd`";
constexpr const char* kDense = "not `dpd`";
constexpr const char* kFluids = "two fluids or more";
constexpr const char* kParting = "two fluids, all axes periodic";
constexpr const char* kInterface = "`start.interface`";
constexpr const char* kSolids = "solids, `domain.face_forces`; not implicit viscosity";
constexpr const char* kFree = "free solids";
constexpr const char* kFree3 = "free solids, 3-D";
constexpr const char* kOpenings = "`inlets`, `outlets`";
constexpr const char* kInlets = "`inlets`";
constexpr const char* kOutlets = "`outlets`";
constexpr const char* kProbes = "`probes`";
constexpr const char* kProbes3 = "`probes`, 3-D";
constexpr const char* kSolids3 = "solids, `domain.face_forces`, 3-D; not implicit viscosity";

constexpr SeriesColumn kColumns[] = {
    {"time", SeriesUnit::Time, "", "Simulated time.", ""},
    {"step", SeriesUnit::None, "", "Number of steps since time 0.", ""},
    {"kinetic_energy", SeriesUnit::Energy, "", "Sum of m v^2 / 2 over all particles, not per particle.", ""},
    {"potential_energy", SeriesUnit::Energy, "",
     "Sum of -m g . (x - c) over all particles; c is the lower corner of the domain.", ""},
    {"solids_kinetic_energy", SeriesUnit::Energy, kFree,
     "Sum of m v^2 / 2 + w . I w / 2 over all free solids; v is the velocity of the centre of mass, w the angular "
     "velocity, I the inertia about the centre. A solid that moves as `motion` says counts for nothing.",
     ""},
    {"solids_potential_energy", SeriesUnit::Energy, kFree,
     "Sum of -m g . (x - c) over all free solids; x is the centre of mass. Springs of joints and the `force` of a "
     "solid "
     "are not in it.",
     ""},
    {"momentum_x", SeriesUnit::Momentum, "", "Sum of m v_x over all particles.", ""},
    {"momentum_y", SeriesUnit::Momentum, "", "Sum of m v_y over all particles.", ""},
    {"momentum_z", SeriesUnit::Momentum, "3-D", "Sum of m v_z over all particles.", ""},
    {"max_speed", SeriesUnit::Speed, "", "Speed of the fastest particle.", ""},
    {"temperature", SeriesUnit::Temperature, kDpd,
     "Twice the kinetic energy without the mean velocity's share, over the degrees of freedom. Flows that differ from "
     "place to place count as heat. With leap_frog the velocities of all temperatures are those at the time of the "
     "positions; the "
     "others, of files too, are half a step ahead.",
     "Groot and Warren 1997"},
    {"local_temperature", SeriesUnit::Temperature, kDpd,
     "Mean of the local temperature of particles with neighbours: kT from the velocities of a particle and its "
     "neighbours about their common velocity. A flow has the part that it varies by within the support radius: a "
     "shear rate g adds m g^2 r_c^2 / 15 (1 - 1/n), in 2-D m g^2 r_c^2 / 8 (1 - 1/n); n is how many particles that "
     "are.",
     ""},
    {"temperature_FLUID", SeriesUnit::Temperature, kDpd,
     "Twice the kinetic energy of a fluid's particles over their degrees of freedom; the mean flow is included.",
     "Groot and Warren 1997"},
    {"pair_energy", SeriesUnit::EnergyPerParticle, kDpd,
     "Energy of the conservative forces, per particle; the other energies are sums over all particles.",
     "Groot and Warren 1997"},
    {"pressure", SeriesUnit::Pressure, kDpd,
     "Virial pressure (N kT + the sum of r . F_c over the pairs / d) / V; F_c is the conservative force, d the "
     "dimension, V the volume that solids leave of the domain, kT that of `temperature`: a flow's motion counts as "
     "pressure, N / V times what it adds to kT. It is a mean over the whole volume. Between mirrors, `walls: "
     "free_slip`, the layers beside them are in it, and it is not the pressure of the fluid away from them: at density "
     "3, a = 25 and kT = 1 between two mirrors 10 r_c apart it was 21.97 +- 0.01, and the force on the faces over "
     "their "
     "area (`domain.face_forces`) 21.41 +- 0.08. nan with an open face.",
     "Groot and Warren 1997"},
    {"thermostat_pressure", SeriesUnit::Pressure, kDpd,
     "The same virial pressure with the drag and the random force, beside the conservative force. In equilibrium it is "
     "above "
     "`pressure` in proportion to the step dt: with velocity_verlet the drag is of velocities (1 - lambda) dt before "
     "the positions, "
     "which adds (1 - lambda) dt gamma kT (4 pi / 3) n^2 I in 3-D, n the number density, I the integral of r^3 (1 - "
     "r)^2 g'(r) up to "
     "r_c = 1. At density 3, a = 25, gamma = 4.5 and lambda = 0.5, where I is 0.0297, that is 2.5 dt: 0.076 at a step "
     "of 0.03; "
     "3,000 particles gave 0.081 +- 0.005 there, 0.104 +- 0.006 at 0.04 (formula: 0.101), and 0.077 +- 0.003 at 0.04 "
     "with lambda = 0.65 (0.071).",
     "Groot and Warren 1997"},
    {"internal_energy", SeriesUnit::Energy, kDense,
     "Elastic energy of the compressed fluid, from the equation of state. At time 0 that of the first step.", ""},
    {"density_error_mean", SeriesUnit::None, kDense,
     "Mean of max(0, rho / rho_0 - 1) over all particles; rho_0 is the rest density. At time 0 that of the first step.",
     ""},
    {"density_error_max", SeriesUnit::None, kDense,
     "The largest max(0, rho / rho_0 - 1) of a particle. At time 0 that of the first step.", ""},
    {"unlike_pairs", SeriesUnit::None, kFluids,
     "Share of pairs of different fluids among all pairs nearer than the support radius. It rises while fluids mix.",
     ""},
    {"unlike_pairs_if_mixed", SeriesUnit::None, kFluids,
     "That share, expected if the same particles were exchanged at random.", ""},
    {"domain_size", SeriesUnit::Length, kParting,
     "Size R of the domains of two fluids: 2 pi over the mean wave number of the structure factor of which fluid is "
     "where. It counts the waves of the box that are at least 2.2 support radii long, and at least a sixteenth of the "
     "longest edge. It grows while fluids part. Particles count at the nearest point of a grid, of at least 8 points "
     "per shortest wave: that changes R by about 0.5 %. nan with fewer than 32 particles of one of the fluids.",
     ""},
    {"mode_amplitude", SeriesUnit::Length, kInterface,
     "Amplitude a of an interface at height + a cos(2 pi x / wavelength), from the sum of the cosine over the "
     "particles of "
     "both fluids.",
     ""},
    {"mode_sine", SeriesUnit::Length, kInterface, "The same with the sine: what of the wave is not the mode.", ""},
    {"bubble_height", SeriesUnit::Length, kInterface,
     "How far the light fluid has risen: height above the interface at rest of the highest of 64 horizontal slabs with "
     "more than 5 % light particles.",
     ""},
    {"spike_height", SeriesUnit::Length, kInterface,
     "How far the heavy fluid has sunk: depth below the interface at rest of the lowest of 64 horizontal slabs with "
     "more "
     "than 5 % heavy particles.",
     ""},
    {"mixing_width", SeriesUnit::Length, kInterface,
     "Thickness of the layer in which both fluids are: the integral of 6 f (1 - f) over the height; f is the share of "
     "light particles in a slab. It is the layer's thickness if f grows linearly in it. Fluids that are mixed evenly "
     "over the whole height (f = 1/2) give 1.5 times the height, the largest value.",
     "Andrews and Spalding 1990, times 6"},
    {"centre_difference", SeriesUnit::Length, kInterface,
     "Mean height of the heavy particles less that of the light ones. It is below 0 when the heavy fluid is at the "
     "bottom.",
     ""},
    {"force_x_SOLID", SeriesUnit::Force, kSolids,
     "Force of the fluid on a solid along x, or on a face of the domain, face_x_min and so on: the momentum that the "
     "fluid has given to it since the row before, over the time. In the first row nan. Surface tension has no part in "
     "it.",
     ""},
    {"force_y_SOLID", SeriesUnit::Force, kSolids, "The same along y.", ""},
    {"force_z_SOLID", SeriesUnit::Force, kSolids3, "The same along z.", ""},
    {"torque_x_SOLID", SeriesUnit::Torque, kSolids3,
     "Torque of the fluid on a solid about the line along x through the middle of its bounds, on a face through the "
     "domain's middle: mean since the row before.",
     ""},
    {"torque_y_SOLID", SeriesUnit::Torque, kSolids3, "The same about y.", ""},
    {"torque_z_SOLID", SeriesUnit::Torque, kSolids, "The same about z; in 2-D the torque in the plane.", ""},
    {"x_SOLID", SeriesUnit::Length, kFree,
     "Place of a free solid's centre of mass along x. On a periodic axis it lies within the domain.", ""},
    {"y_SOLID", SeriesUnit::Length, kFree, "The same along y.", ""},
    {"z_SOLID", SeriesUnit::Length, kFree3, "The same along z.", ""},
    {"v_x_SOLID", SeriesUnit::Speed, kFree, "Velocity of its centre of mass along x.", ""},
    {"v_y_SOLID", SeriesUnit::Speed, kFree, "The same along y.", ""},
    {"v_z_SOLID", SeriesUnit::Speed, kFree3, "The same along z.", ""},
    {"spin_x_SOLID", SeriesUnit::Rate, kFree3, "Angular velocity of a free solid about x.", ""},
    {"spin_y_SOLID", SeriesUnit::Rate, kFree3, "The same about y.", ""},
    {"spin_z_SOLID", SeriesUnit::Rate, kFree, "The same about z.", ""},
    {"tilt_SOLID", SeriesUnit::Angle, kFree,
     "Angle by which a free solid has turned from where the scene puts it, in 3-D about any axis: 0 to 180 degrees. In "
     "2-D "
     "with a sign, counterclockwise above 0: -180 to 180 degrees.",
     ""},
    {"particles", SeriesUnit::None, kOpenings, "Number of particles.", ""},
    {"entered_INLET", SeriesUnit::Volume, kInlets,
     "Volume of the fluid that has left an inlet's nozzle so far: its particles times V_0. INLET is its name.", ""},
    {"left_DRAIN", SeriesUnit::Volume, kOutlets,
     "Volume of the fluid that an outlet has taken so far. DRAIN is its name.", ""},
    {"pressure_PROBE", SeriesUnit::PressureSi, kProbes,
     "Pressure at the place of a probe, from the particles within the support radius as its `interpolation` says; nan "
     "in the air: where fluid fills less than half of the room that walls leave around the place, with `dpd` less than "
     "a tenth. PROBE is its name, for a line and a plane followed by the number of the place, from 1: `probe_places` "
     "in the report of `--json` says where it is.",
     "Shepard 1968"},
    {"velocity_x_PROBE", SeriesUnit::Speed, kProbes,
     "Velocity along x there; nan as for the pressure, as in all columns of points.", "Shepard 1968"},
    {"velocity_y_PROBE", SeriesUnit::Speed, kProbes, "Velocity along y there.", "Shepard 1968"},
    {"velocity_z_PROBE", SeriesUnit::Speed, kProbes3, "Velocity along z there.", "Shepard 1968"},
    {"speed_PROBE", SeriesUnit::Speed, kProbes, "Mean length of the particles' velocities there.", "Shepard 1968"},
    {"density_PROBE", SeriesUnit::Density, kProbes, "Density there.", "Shepard 1968"},
    {"compression_PROBE", SeriesUnit::None, kProbes, "Density over the fluid's rest density there, less 1.",
     "Shepard 1968"},
    {"level_PROBE", SeriesUnit::Length, kProbes,
     "Where the fluid's surface is along a level: distance from its first end to the farthest place where the fluid's "
     "share of the room falls below a half. Walls and still solids leave no room. 0 if no place lies in fluid.",
     ""},
    {"wetted_PROBE", SeriesUnit::Length, kProbes, "Length of that line that lies in fluid.", ""},
    {"flow_PROBE", SeriesUnit::Flow, kProbes,
     "Volume of fluid per time through a flow: the integral of the kernel's sum of V_0 v over it, relative to the "
     "room; V_0 is a particle's volume. With `dpd` it is the sum of V_0 v of the particles beside the parallelogram, "
     "weighted by a hat function of their distance from it, which falls to 0 at 0.85 r_c: the mean of the flows "
     "through parallel planes. It misses nothing beside walls and solids, so all sections of a channel have the same.",
     ""},
};

std::string units_in_words(SeriesUnit unit) {
  switch (unit) {
    case SeriesUnit::Time: return "s; `dpd`: tau";
    case SeriesUnit::Length: return "m; `dpd`: r_c";
    case SeriesUnit::Speed: return "m/s; `dpd`: r_c/tau";
    case SeriesUnit::Energy: return "J, in 2-D J/m; `dpd`: eps";
    case SeriesUnit::EnergyPerParticle: return "eps per particle";
    case SeriesUnit::Momentum: return "kg m/s, in 2-D kg/s; `dpd`: m r_c/tau";
    case SeriesUnit::Pressure: return "eps/r_c^3, in 2-D eps/r_c^2";
    case SeriesUnit::PressureSi: return "Pa";
    case SeriesUnit::Density: return "kg/m^3";
    case SeriesUnit::Flow: return "m^3/s, in 2-D m^2/s; `dpd`: r_c^3/tau, in 2-D r_c^2/tau";
    case SeriesUnit::Temperature: return "eps";
    case SeriesUnit::Force: return "N, in 2-D N/m; `dpd`: eps/r_c";
    case SeriesUnit::Rate: return "rad/s; `dpd`: rad/tau";
    case SeriesUnit::Angle: return "degrees";
    case SeriesUnit::Volume: return "m^3, in 2-D m^2; `dpd`: r_c^3, in 2-D r_c^2";
    case SeriesUnit::Torque: return "N m, in 2-D N; `dpd`: eps";
    case SeriesUnit::None: break;
  }
  return "-";
}

}  // namespace

std::span<const SeriesColumn> series_columns() { return kColumns; }

const SeriesColumn& series_column(std::string_view name) {
  const auto* const at = std::ranges::find(kColumns, name, &SeriesColumn::name);
  if (at == std::end(kColumns)) throw RuntimeFailure(fmt::format("the diagnostics have no column {}", name));
  return *at;
}

const SeriesColumn* row_of_column(std::string_view name) {
  const SeriesColumn* best = nullptr;
  std::size_t longest = 0;  // of what the names have in common
  for (const SeriesColumn& row : kColumns) {
    if (row.name == name) return &row;
    for (const std::string_view subject : {"FLUID", "SOLID", "INLET", "DRAIN", "PROBE"}) {
      if (!row.name.ends_with(subject)) continue;
      const std::string_view kind = row.name.substr(0, row.name.size() - subject.size());
      if (kind.size() > longest && name.size() > kind.size() && name.starts_with(kind))
        best = &row, longest = kind.size();
    }
  }
  return best;
}

std::string unit_text(SeriesUnit unit, const SimulationSetup& setup) {
  const bool flat = setup.domain.dimension == 2;  // quantities of a layer, per metre of depth
  const Units& units = units_of(setup);
  const auto of = [&](const char* in_si, const std::string& in_reduced, const char* in_others) -> std::string {
    return units.si ? in_si : units.of_cutoff ? in_reduced : in_others;
  };
  // A table may go on with another kT: eps is true for all its rows, and it is kT while kT is 1.
  const std::string energy = units.si ? units.energy : "eps";
  switch (unit) {
    case SeriesUnit::Time: return of("s", "tau", "time unit");
    case SeriesUnit::Length: return of("m", "r_c", "length unit");
    case SeriesUnit::Speed: return of("m/s", "r_c/tau", "reduced");
    case SeriesUnit::Energy: return units.si && flat ? "J/m" : energy;
    case SeriesUnit::EnergyPerParticle: return energy + " per particle";
    case SeriesUnit::Momentum: return of(flat ? "kg/s" : "kg m/s", "m r_c/tau", "reduced");
    case SeriesUnit::Pressure: return of("Pa", energy + (flat ? "/r_c^2" : "/r_c^3"), "reduced");
    case SeriesUnit::PressureSi: return "Pa";
    case SeriesUnit::Density: return "kg/m^3";
    case SeriesUnit::Flow: return of(flat ? "m^2/s" : "m^3/s", flat ? "r_c^2/tau" : "r_c^3/tau", "reduced");
    case SeriesUnit::Temperature: return energy;
    case SeriesUnit::Force: return of(flat ? "N/m" : "N", energy + "/r_c", "reduced");
    case SeriesUnit::Rate: return of("rad/s", "rad/tau", "reduced");
    case SeriesUnit::Angle: return "degrees";
    case SeriesUnit::Volume: return of(flat ? "m^2" : "m^3", flat ? "r_c^2" : "r_c^3", "reduced");
    case SeriesUnit::Torque: return of(flat ? "N" : "N m", energy, "reduced");
    case SeriesUnit::None: break;
  }
  return "";
}

std::string series_columns_markdown() {
  std::string text = "| column | unit | runs | what it is | source |\n|---|---|---|---|---|\n";
  for (const SeriesColumn& column : kColumns)
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", column.name, units_in_words(column.unit),
                        *column.runs ? column.runs : "all", column.meaning, *column.source ? column.source : "-");
  return text;
}

}  // namespace riffle
