#include <fmt/format.h>

#include <cmath>

#include "scenes/format/format_keys.h"
#include "scenes/review/subjects.h"
#include "scenes/solver_scene.h"
#include "sim/kernel.h"
#include "sim/pbf/pbf.h"
#include "sim/solver.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

std::vector<Key> make_pbf_keys() {
  return {
      field("iterations", whole(1, 1000), pbf_setup, &PbfSetup::iterations,
            "Iterations of the density constraints per step: more make the fluid stiffer."),

      field_or("auto", "relaxation", number_from(0, 1000, ""), pbf_setup, &PbfSetup::relaxation,
               "Softness epsilon of a constraint, as a share of the sum of its squared gradients on the lattice "
               "at rest, so that it means the same at every resolution. `auto`: the smallest that keeps the "
               "iterations stable."),
      field("artificial_pressure", number_from(0, 10, ""), pbf_setup, &PbfSetup::artificial_pressure,
            "Strength k of the repulsion that keeps particles from clustering, -k (W(r) / W(distance))^power: "
            "at `distance` it acts as if both particles were compressed by k/2."),
      field("artificial_pressure_power", whole(1, 16), pbf_setup, &PbfSetup::artificial_pressure_power,
            "Exponent n of the artificial pressure."),
      field("artificial_pressure_distance", number_from(0, 0.9, "support radii"), pbf_setup,
            &PbfSetup::artificial_pressure_distance,
            "Reference distance of the artificial pressure, the paper's Delta q."),
      field("xsph", number_from(0, 0.5, ""), pbf_setup, &PbfSetup::xsph,
            "XSPH viscosity: share of its neighbours' mean velocity that a particle takes over per step."),
      field("vorticity", number_from(0, 100, ""), pbf_setup, &PbfSetup::vorticity,
            "Vorticity confinement, which spins up eddies that the iterations damp: acceleration per vorticity "
            "and particle spacing. It adds energy and momentum."),
      field("margin", number_from(0.01, 1, "support radii"), pbf_setup, &PbfSetup::margin,
            "The search for neighbours, once per step, reaches this far beyond the support radius; a particle "
            "is corrected by at most half of it in one step."),
  };
}

void review_support_ratio(const SimulationSetup& setup, Findings& out) {
  if (setup.chosen_support_ratio() >= 1.2f) return warn_of_support_ratio(setup, out);
  out.refuse("particles.support_ratio",
             fmt::format("found {:g}, with which particles on their lattice have no neighbours that could hold them; "
                         "allowed with solver.type pbf: 1.2 to 10",
                         setup.chosen_support_ratio()));
}

void review_artificial_pressure(const SimulationSetup& setup, Findings& out) {
  const PbfSetup& pbf = setup.pbf;
  const SmoothingKernel kernel = make_normalized_kernel(pbf.kernel, setup.domain.dimension, 1);
  const double steepest =
      std::pow(double{kernel.value(0)} / kernel.value(pbf.artificial_pressure_distance), pbf.artificial_pressure_power);
  if (pbf.artificial_pressure > 0 && !(steepest < 1e12))
    out.refuse("solver.artificial_pressure_distance",
               fmt::format("found {:g}, where with artificial_pressure_power {} two particles at one point push {:.3g} "
                           "times as hard as at this distance; allowed: at most 1e12 times as hard, by a smaller "
                           "distance or power",
                           pbf.artificial_pressure_distance, pbf.artificial_pressure_power, steepest));
  for (const char* key : {"solver.artificial_pressure_power", "solver.artificial_pressure_distance"})
    if (pbf.artificial_pressure == 0)
      out.idle(WarningKind::PbfArtificialPressureOff, {key, "has no effect with solver.artificial_pressure 0"},
               out.given(key));
}

void review_pbf(SceneDraft& draft, Findings& out) {
  const SimulationSetup& setup = draft.scene.simulation;
  warn_of_endless_fall(setup, "", out);
  if (out.intact({"dimension", "domain", "particles"})) review_support_ratio(setup, out);
  if (!out.intact({"solver", "fluids"})) return;
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) {
    const std::string key = fmt::format("fluids[{}].viscosity", f);
    out.idle(WarningKind::PbfViscosity, {key, "has no effect with solver.type pbf; its viscosity is solver.xsph", true},
             out.given(key));
  }
  review_artificial_pressure(setup, out);
  warn_of_close_particles(setup, 0.25f, ". The first steps push them apart, by as much as they are too many", out);
}

void review_fixed_pbf_step(const SimulationSetup& setup, Findings& out) {
  const double dt = setup.step.fixed, way = dt * expected_speed(setup), h = setup.support_radius();
  const double compression = pbf::expected_compression(setup, dt);
  constexpr double kSuspicious = 0.03;
  if (way > h)
    out.warn(WarningKind::PbfStepFar, "time.step",
             fmt::format("in {:g} s a particle at {:.3g} m/s, as fast as a fall makes it, goes {:.3g} m, further than "
                         "it sees (the support radius, {:g} m): particles may pass through each other",
                         dt, expected_speed(setup), way, h));
  else if (compression > kSuspicious)
    out.warn(
        WarningKind::PbfStepCompresses, "time.step",
        fmt::format("steps of {:g} s leave the fluid compressed by about {:.2g} % on average with {} iterations; a "
                    "shorter step, or more solver.iterations, makes it stiffer",
                    dt, 100 * compression, setup.pbf.iterations));
}

}  // namespace

SolverScene pbf_scene() { return {SolverKind::Pbf, make_pbf_keys, review_pbf, review_fixed_pbf_step}; }

}  // namespace riffle::scenes
