#pragma once
/// Scenes that cause the warnings of scenes/warning.h: every kind by at least one of them.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "scenes/warning.h"

namespace riffle::test {

struct WarnedScene {
  std::string name, text;
  std::vector<scenes::WarningKind> of_scene;     ///< found when it is read
  std::vector<scenes::WarningKind> of_run = {};  ///< found while it runs
  std::string particles = {};                    ///< contents of particles.csv beside it; "": none
  std::string mesh = {};                         ///< contents of mesh.obj beside it; "": none
};

/// Kinds that only a machine with a GPU can cause.
inline constexpr scenes::WarningKind kOnlyOnAGpu[] = {scenes::WarningKind::GpuTooSmall};

/// Kinds whose scenes are too large to be opened and run; see the tests of their reviews.
inline constexpr scenes::WarningKind kOnlyInLargeScenes[] = {scenes::WarningKind::MeshCoarse};

/// Kinds that come with a notice that the run has ended; see the worker's test.
inline constexpr scenes::WarningKind kOnlyAtTheEnd[] = {scenes::WarningKind::Unstable};

/// More bodies than can be compared place by place: rings, each within the next.
inline std::string rings() {
  std::string text =
      "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.002}\ngravity: [0, 0]\nbodies:\n";
  for (int k = 1; k <= 60; ++k)
    text += fmt::format(
        "  - {{sphere: {{center: [0.5, 0.5], radius: {:.4f}}}, without: [{{sphere: {{center: [0.5, 0.5], radius: "
        "{:.4f}}}}}]}}\n",
        0.008 * k, 0.008 * k - 0.004);
  return text;
}

inline std::vector<WarnedScene> warned_scenes() {
  using enum scenes::WarningKind;
  const std::string block =
      "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
      "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n";
  const std::string soup =
      "domain: {min: [0, 0, 0], max: [4, 4, 4], axes: periodic}\ngravity: [0, 0, 0]\n"
      "particles: {number_density: 3}\nbodies:\n  - box: {min: [0, 0, 0], max: [4, 4, 4]}\n";
  return {
      {"careless",
       "domain: {min: [0, 0, 0], max: [1, 1, 0.7], axes: [periodic, walled, periodic]}\n"
       "particles: {spacing: 0.1, support_ratio: 2.4}\n"
       "gravity: [1, -9.81, 0]\n"
       "fluids: [{name: water}, {name: oil}, {name: none}]\n"
       "bodies:\n"
       "  - {box: {min: [0, 0, 0], max: [0.5, 1.5, 0.5]}, fluid: water}\n"
       "  - box: {min: [0.4, 0, 0], max: [0.9, 0.5, 0.5]}\n"
       "    fluid: oil\n"
       "    without: [{sphere: {center: [0.1, 0.9, 0.6], radius: 0.05}}]\n"
       "solver: {type: wcsph, walls: free_slip, wall_velocity: {y_min: [1, 0, 0]}, interface_tension: 0.1,\n"
       "         tension_model: akinci, damping_rate: 1, negative_pressure: true, shifting: 1,\n"
       "         viscosity_error: 0.01}\n"
       "time: {step: 3, max_step: 1, cfl: 0.2, end: 2}\n",
       {EndlessFall, ShortPeriodicAxis, UnusedFluid, BodyPartlyOutside, BodiesOverlap, CutBesideBody,
        WallVelocityFreeSlip, TensionInexact, TensionAkinci, DampingRateAlone, NegativePressureTears,
        ViscosityIsExplicit, ShiftingSupportRatio, MaxStepBesideStep, CflBesideStep, StepBeyondEnd, WcsphStep}},
      {"without_effect",
       "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1, support_ratio: 4.5}\n"
       "start: {mixed: true}\nbodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n"
       "solver: {type: wcsph, interface_tension: 0.1, tension_model: continuum, damping_time: 1}\n"
       "neighbors: {method: auto, skin: 0.1}\ntime: {max_step: 1e-9, pace: real}\n",
       {UnusualSupportRatio, MixedSingleFluid, TensionOfOneFluid, TensionModelUnused, DampingTimeAlone, SkinIsAutomatic,
        PaceWithoutEasing, ManySteps}},
      {"drop_under_tension",
       "gravity: [0, 0, 0]\nfluids: [{name: water, surface_tension: 0.1}]\n"
       "solver: {type: wcsph, tension_model: continuum, negative_pressure: false}\n" +
           block,
       {NegativePressureMissing}},
      {"dfsph_drop_under_tension",
       "gravity: [0, 0, 0]\nfluids: [{name: water, surface_tension: 0.1}]\n"
       "solver: {type: dfsph, tension_model: continuum, shifting: 1}\n" +
           block,
       {NegativePressureMissing, ShiftingSupportRatio}},
      {"wave",
       "dimension: 2\ndomain: {min: [0, 0], max: [1, 1], axes: [periodic, walled]}\nparticles: {spacing: 0.05}\n"
       "fluids: [{name: water}, {name: oil}]\nbodies:\n  - box: {min: [0, 0], max: [1, 1]}\n"
       "start: {interface: {upper: oil, lower: water, height: 0.5, amplitude: 0.05, wavelength: 0.7}}\n",
       {InterfaceStep}},
      {"from_file",
       "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
       "fluids: [{name: water}, {name: oil}]\nbodies:\n"
       "  - {particles: {file: particles.csv}, fluid: water, filling: lattice}\n"
       "  - {box: {min: [0, 0, 0], max: [0.3, 0.3, 0.3]}, fluid: oil}\n",
       {FluidsOfFileAsOne, FillingOfFile},
       {},
       "x,y,z,fluid\n0.5,0.5,0.5,0\n0.7,0.5,0.5,1\n"},
      {"far_away",
       "domain: {min: [99.99, 0, 0], max: [100, 0.01, 0.01]}\nparticles: {spacing: 1e-4}\n"
       "bodies:\n  - box: {min: [99.99, 0, 0], max: [99.991, 0.001, 0.001]}\n",
       {CoarseCoordinates}},
      {"twice",
       "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
       "bodies: [{particles: {file: particles.csv}}]\n",
       {ParticlesTogether},
       {},
       "x,y,z\n0.5,0.5,0.5\n0.7,0.5,0.5\n0.7,0.5,0.5\n"},
      {"goes_on_from_file",
       "domain: {min: [0, 0, 0], max: [4, 4, 4], axes: periodic}\ngravity: [0, 0, 0]\n"
       "particles: {number_density: 3}\nbodies: [{particles: {file: particles.csv}}]\n"
       "start: {equilibration: 0.1}\nsolver: {type: dpd}\ntime: {step: 0.01}\n",
       {EquilibrationMovesFile},
       {},
       "x,y,z\n0.5,0.5,0.5\n1.5,0.5,0.5\n2.5,0.5,0.5\n"},
      {"seam",
       "dimension: 2\ndomain: {min: [0, 0], max: [1.005, 0.9], axes: [periodic, walled]}\n"
       "particles: {spacing: 0.03}\nbodies:\n  - box: {min: [0, 0], max: [1.005, 0.3]}\n"
       "  - box: {min: [0, 0.3], max: [1, 0.6]}\n",
       {PeriodicSeam}},
      {"probes",
       "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
       "bodies: [{box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}}]\nsolver: {type: pbf}\n"
       "probes:\n  - {point: [0.2, 0.2, 0.2], quantities: [pressure]}\n"
       "  - {level: {from: [0.2, 0, 0.2], to: [0.2, 1, 0.2]}, interpolation: linear}\n",
       {ProbeQuantityMissing, ProbeKeyUnused}},
      {"driven",
       "dimension: 2\ndomain: {min: [0, 0], max: [2, 1]}\nparticles: {spacing: 0.05}\n"
       "bodies:\n  - box: {min: [0, 0], max: [0.5, 0.5]}\n"
       "solids:\n  - box: {min: [1, 0.3], max: [1.2, 0.5]}\n    motion: {velocity: [5, 0], until: 0.18}\n"
       "  - box: {min: [1.5, 0.3], max: [1.7, 0.5]}\n"
       "solver: {type: wcsph, speed_of_sound: 30}\ntime: {step: 0.01, end: 1}\n",
       {SolidFast, SolidFastStep, SolidLeavesDomain, SolidMeetsSolid, WcsphStep}},
      {"jolts",
       "dimension: 2\ndomain: {min: [0, 0], max: [2, 1], motion: {velocity: [1, 0], from: 0.2, until: 0.5}}\n"
       "particles: {spacing: 0.05}\nbodies:\n  - box: {min: [0, 0], max: [0.5, 0.5]}\ntime: {end: 1}\n",
       {TankJolts, TankJolts}},
      {"steep_waves",
       "dimension: 2\ndomain: {min: [-0.5, 0], max: [2, 1]}\nparticles: {spacing: 0.05}\n"
       "bodies:\n  - box: {min: [0, 0], max: [2, 0.5]}\nsolids:\n  - box: {min: [-1, 0], max: [0, 1]}\n"
       "    motion: {wave: {height: 0.2, period: 0.8, depth: 0.5}}\ntime: {end: 1}\n",
       {WaveBreaks}},
      {"waves_of_other_water",
       "dimension: 2\ndomain: {min: [-0.5, 0], max: [2, 1]}\nparticles: {spacing: 0.05}\n"
       "bodies:\n  - {box: {min: [0, 0], max: [2, 0.5]}}\nsolids:\n  - box: {min: [-1, 0], max: [0, 1]}\n"
       "    motion: {wave: {height: 0.05, period: 1.2, depth: 0.25}}\ntime: {end: 1}\n",
       {WaveDepth}},
      {"standing_wave_of_another_tank",
       "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\n"
       "bodies:\n  - box: {min: [0, 0], max: [1, 0.5]}\n"
       "    flow: {standing_wave: {speed: 0.1, wavelength: 1.5, depth: 1, center: [0, 0.5]}}\ntime: {end: 1}\n",
       {WaveDepth, WaveDoesNotFit}},
      {"sea_in_grams", "fluids: [{name: sea, rest_density: 1.025}]\n" + block, {ThinLiquid}},
      {"flat_with_depth",
       "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.1}\ngravity: [0, -9, 2]\n"
       "bodies: [{box: {min: [0, 0], max: [1, 0.5]}}]\n",
       {ThirdNumberIgnored}},
      {"solids",
       "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
       "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n"
       "  - box: {min: [0.7, 0.2, 0.2], max: [0.9, 0.6, 0.6]}\n"
       "solids:\n  - box: {min: [0.7, 0.2, 0.2], max: [0.85, 0.8, 0.8]}\n"
       "  - sphere: {center: [0.8, 0.7, 0.5], radius: 0.15}\n"
       "  - sphere: {center: [0.4, 0.3, 0.3], radius: 0.1}\n    without: [{box: {min: [0.8, 0, 0], max: [1, 1, 1]}}]\n",
       {ThinSolid, SolidsOverlap, FluidInSolid, CutBesideBody}},
      {"box_without_a_lid",
       block + "solids:\n  - mesh: {file: mesh.obj, scale: 0.4, at: [0.55, 0.3, 0.3]}\n",
       {MeshOpen},
       {},
       {},
       "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 0 1 0\nv 1 1 0\nv 1 1 1\nv 0 1 1\n"
       "f 1 2 3 4\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n"},
      {"rings", rings(), {BodiesNotCompared}},
      {"upside_down", "gravity: [0, 9.81, 0]\n" + block, {FallUpwards}},
      {"dpd_in_si", "solver: {type: dpd}\ngravity: [0, 0, 0]\n" + block, {DpdUnits}},
      {"sparse_lattice",
       "domain: {min: [0, 0, 0], max: [10, 10, 10], axes: periodic}\ngravity: [0, 0, 0]\n"
       "particles: {number_density: 3}\nbodies: [{box: {min: [0, 0, 0], max: [10, 10, 10]}}]\nsolver: {type: dpd}\n",
       {LatticeDensity}},
      {"goes_on",
       "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
       "bodies: [{particles: {file: particles.csv}}]\ngravity_change: {amplitude: [1, 0, 0], period: 1}\n",
       {SoundOfFile, MotionBeginsAgain},
       {},
       "# time 0.5 step 7\n# expected_speed 1\nx,y,z,vx,vy,vz,compression\n0.05,0.85,0.05,0,0,0,0.001\n"
       "0.15,0.85,0.05,0,0,0,0.001\n"},
      {"cut_off", "picture: {cut: {axis: z, at: 50}}\n" + block, {CutOutsideDomain}},
      {"cut_in_2d",
       "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.1}\n"
       "bodies:\n  - box: {min: [0, 0], max: [0.5, 0.5]}\npicture: {cut: {axis: x, at: 0.3}}\n",
       {CutInTwoDimensions}},
      {"long_pbf_step",
       "fluids: [{name: water, viscosity: 0.01}]\n"
       "solver: {type: pbf, artificial_pressure: 0, artificial_pressure_power: 2}\ntime: {step: 0.2}\n" +
           block,
       {PbfViscosity, PbfArtificialPressureOff, PbfStepFar}},
      {"soft_pbf", "solver: {type: pbf, iterations: 1}\ntime: {step: 0.02}\n" + block, {PbfStepCompresses}},
      {"long_dfsph_step", "solver: {type: dfsph}\ntime: {step: 0.5}\n" + block, {DfsphStep}},
      {"hot_soup",
       "solver: {type: dpd, noise: 1, integrator: leap_frog, lambda: 0.6, random: karpinski_stream}\n"
       "time: {step: 1}\n" +
           soup,
       {DpdNoise, DpdLambda, DpdRandomStream, DpdStep, LatticeDensity}},
      {"starts_no_stream", "solver: {type: dpd, stream_start: zero}\n" + soup, {DpdStreamStart, LatticeDensity}},
      {"too_late",
       "solver: {type: dpd}\ntime: {step: 0.02, end: 0.1}\n"
       "events: [{step: 4, set: {solver.friction: 5}}, {step: 5, set: {solver.friction: 6}}]\n" +
           soup,
       {LatticeDensity, EventsBeyondEnd}},
      {"conserves_energy",
       "solver: {type: dpd, friction: 0}\ntime: {step: 0.01}\n" + soup,
       {DpdWithoutThermostat, LatticeDensity}},
      {"share_of_nothing", "fluids: [{name: water, share: 0.5}]\n" + block, {ShareWithoutMixing}},
      {"thick", "fluids: [{name: tar, viscosity: 1000}]\nsolver: {type: wcsph}\n" + block, {ViscosityStep}},
      {"pressed",
       "domain: {min: [0, 0, 0], max: [1, 1, 1], axes: periodic}\ngravity: [0, 0, 0]\nparticles: {spacing: 0.1}\n"
       "solver: {type: wcsph}\nbody_force: {acceleration: [1, 1, 0], across: y}\n"
       "bodies:\n  - box: {min: [0, 0, 0], max: [1, 1, 1]}\n",
       {BodyForceAlongAxis}},
      {"unconverged", "solver: {type: dfsph, max_iterations: 1, density_error: 1.0e-6}\n" + block, {}, {Unconverged}},
      {"too_fast", "solver: {type: wcsph, speed_of_sound: 1}\n" + block + "    velocity: [3, 0, 0]\n", {}, {TooFast}},
      {"squeezed",
       "domain: {min: [0, 0, 0], max: [1, 1, 1], axes: periodic}\ngravity: [0, 0, 0]\nparticles: {spacing: 0.1}\n"
       "solver: {type: wcsph, density: summation}\nbodies:\n  - box: {min: [0, 0, 0], max: [1, 1, 1]}\n"
       "  - box: {min: [0, 0, 0], max: [0.3, 1, 1]}\n",
       {BodiesOverlap},
       {Compressed}},
      {"body_left",
       "solver: {type: wcsph}\ndomain: {min: [0, 0, 0], max: [1, 1, 1], axes: [open, walled, walled]}\n"
       "particles: {spacing: 0.1}\nbodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n"
       "solids:\n  - {name: ball, sphere: {center: [0.8, 0.7, 0.5], radius: 0.15}, motion: free, velocity: [40, 0, 0], "
       "density: 500}\n",
       {},
       {BodyLeft}},
  };
}

}  // namespace riffle::test
