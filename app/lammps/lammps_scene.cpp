#include "app/lammps/lammps_scene.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <filesystem>
#include <optional>
#include <vector>

#include "app/run/file_comments.h"
#include "core/error.h"
#include "scenes/scene_events.h"
#include "sim/dpd/dpd.h"
#include "sim/solver.h"
#include "sim/start/origin.h"

namespace riffle {

namespace {

/// Collects the keys that are refused.
class Refusals {
 public:
  void add(const std::string& key, const std::string& found, const std::string& allowed) {
    text_ += fmt::format("{}{}: found {}; allowed for LAMMPS: {}", text_.empty() ? "" : "\n", key, found, allowed);
  }
  bool none() const { return text_.empty(); }
  void raise() const {
    if (!none()) throw InputError(text_);
  }

 private:
  std::string text_;
};

std::string why_only_dpd(SolverKind solver) {
  switch (solver) {
    case SolverKind::Wcsph:
      return "dpd. The SPH of LAMMPS has other kernels and other equations of state, and none of these walls and this "
             "diffusion of density: the same numbers would be another fluid";
    case SolverKind::Dfsph: return "dpd. LAMMPS moves particles by forces of pairs and solves for no pressures";
    case SolverKind::Pbf: return "dpd. LAMMPS moves particles by forces of pairs and has no constraints of density";
    case SolverKind::Dpd: break;
  }
  return "dpd";
}

bool any_walled(const Domain& domain) { return domain.walled(0) || domain.walled(1) || domain.walled(2); }

/// kT of all pairs: LAMMPS computes sigma from it, sigma^2 = 2 gamma kT.
float common_temperature(const SimulationSetup& setup, Refusals& refusals) {
  constexpr double kRounding = 1e-5;
  std::optional<double> common;
  for (std::size_t k = 0; k < setup.fluids.size(); ++k)
    for (std::size_t l = 0; l <= k; ++l) {
      const double gamma = setup.dpd.friction.value[k][l], sigma = setup.dpd.noise.value[k][l];
      const std::string found =
          fmt::format("{:g} between '{}' and '{}'", sigma, setup.fluids[k].name, setup.fluids[l].name);
      if (gamma == 0 && sigma != 0) {
        refusals.add("solver.noise", found + ", where `friction` is 0",
                     "0 there, since it takes the random force from kT and friction, sigma^2 = 2 gamma kT");
        return setup.dpd.temperature;
      }
      if (gamma == 0) continue;
      const double kT = sigma * sigma / (2 * gamma);
      if (common && std::fabs(kT - *common) > kRounding * std::max(kT, *common)) {
        refusals.add("solver.noise",
                     found + fmt::format(", which with `friction` is kT = {:g}, and {:g} elsewhere", kT, *common),
                     "one kT = sigma^2 / (2 gamma) for all pairs");
        return setup.dpd.temperature;
      }
      if (!common) common = kT;
    }
  const float kT = setup.dpd.temperature;
  return !common || std::fabs(*common - kT) <= kRounding * kT ? kT : static_cast<float>(*common);
}

void refuse_what_it_lacks(const scenes::Scene& scene, Refusals& refusals) {
  const SimulationSetup& setup = scene.simulation;
  const auto refuse_list = [&](const char* key, std::size_t count, const char* why) {
    if (count > 0) refusals.add(key, count == 1 ? "one" : std::to_string(count), std::string("none. ") + why);
  };
  if (!setup.solid_regions.empty())
    refusals.add("solids", solid_name(setup, 0) + (setup.solid_regions.size() > 1 ? " and others" : ""),
                 "none. Its regions send particles back at other places and do not drag as these solids do");
  refuse_list("joints", setup.joints.size(), "It has no solids of this kind");
  refuse_list("inlets", setup.inlets.size(), "Its particles enter by rules of its own");
  refuse_list("outlets", setup.outlets.size(), "Its particles leave by rules of its own");
  refuse_list("damping", setup.damping.size(), "It has no zones in which velocities are relaxed");
  std::vector<std::uint64_t> steps;
  for (const scenes::SceneEvent& event : scene.events) steps.push_back(event.step);
  if (!steps.empty())
    refusals.add(
        "events", scenes::steps_text(steps),
        "none to come. The input has one value for each parameter. A state after the last event can be written "
        "for it");
  if (setup.face_forces)
    refusals.add("domain.face_forces", "true", "false. Its mirrors do not sum what particles give them");
  if (setup.tank.given) refusals.add("domain.motion", "a motion", "none. Its box stands still");
  if (setup.gravity_change.given) refusals.add("gravity_change", "a change", "none. The input has constant gravity");
  if (dpd::walls_drag(setup) && any_walled(setup.domain))
    refusals.add("solver.walls", "no_slip",
                 "free_slip, which is its fix wall/reflect. It has no walls that act like fluid in them");
}

/// The velocity-Verlet of LAMMPS is that of lambda = 0.5, its fix mvv/dpd that of any lambda.
void choose_integrator(LammpsScene& made, Refusals& refusals) {
  SimulationSetup as_lammps = made.setup;
  DpdSetup& dpd = as_lammps.dpd;
  const bool leap_frog = dpd.integrator == DpdIntegrator::LeapFrog, walled = any_walled(made.setup.domain);
  if (!leap_frog && dpd.lambda == 0.5f) return;
  if (!leap_frog && !walled) {
    made.integrator = LammpsIntegrator::Mvv;
    return;
  }
  dpd.integrator = DpdIntegrator::VelocityVerlet;
  dpd.lambda = 0.5f;
  const double longest = dpd::stable_dt(as_lammps);
  const std::string own =
      leap_frog ? "leap_frog" : fmt::format("velocity_verlet with lambda {:g}", made.setup.dpd.lambda);
  if (made.step > 1.005 * longest) {  // the text rounds it
    refusals.add(
        "time.step", fmt::format("{:.3g} with {}", made.step, own),
        fmt::format("up to {:.3g}. {} LAMMPS uses velocity-Verlet with lambda 0.5, whose temperature is within "
                    "{:g} % of kT up to that step; `--set time.step={:.3g}`",
                    longest, leap_frog ? "In place of leap_frog" : "Between mirrors",
                    100 * dpd::kAdmittedTemperatureError, longest));
    return;
  }
  // Either error grows in proportion to the step, and is the admitted one at the largest advisable step of its integrator. At a
  // = 25, density 3 and friction 4.5 kT was 0.977, 0.965 and 0.944 with leap_frog at 0.02, 0.03 and 0.04, and 1.014, 1.018 and
  // 1.029 with velocity-Verlet.
  const double percent = 100 * dpd::kAdmittedTemperatureError;
  const double here = percent * made.step / dpd::stable_dt(made.setup), there = percent * made.step / longest;
  made.differences.push_back(fmt::format(
      "the scene has {}, LAMMPS velocity-Verlet with lambda 0.5 (fix nve): with steps of {:.3g} ", own, made.step));
  made.differences.back() +=
      leap_frog
          ? fmt::format(
                "the temperature is about {:.2g} % lower here than there, more with stiff repulsion: {:.2g} % below kT "
                "with "
                "leap_frog, {:.2g} % above it in LAMMPS. Shorter steps bring both nearer to kT",
                here + there, here, there)
          : fmt::format(
                "the temperatures may differ by {:.2g} %, the errors of both. Shorter steps bring both nearer to kT",
                here + there);
}

void note_differences(LammpsScene& made) {
  made.differences.emplace_back(
      "LAMMPS has random numbers of its own: single particles move differently, means are the same");
  if (any_walled(made.setup.domain))
    made.differences.emplace_back(
        "LAMMPS's mirrors (fix wall/reflect) change the sign of a velocity wherever in the step a particle meets them; "
        "Riffle finds that instant. Fluid beside LAMMPS's mirrors is hotter with long steps");
}

/// Of files that the input names: without spaces and what LAMMPS's inputs give a meaning.
std::string plain_stem(const std::string& path) {
  std::string stem = std::filesystem::path(path).stem().string();
  for (char& c : stem)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '.') c = '_';
  return stem.empty() ? "scene" : stem;
}

std::uint32_t lammps_seed(std::uint64_t seed) {
  return seed >= 1 && seed <= kLargestLammpsSeed ? static_cast<std::uint32_t>(seed)
                                                 : static_cast<std::uint32_t>(seed % kLargestLammpsSeed) + 1;
}

}  // namespace

LammpsScene lammps_scene(const scenes::Scene& scene) {
  const SimulationSetup& setup = scene.simulation;
  Refusals refusals;
  if (setup.solver != SolverKind::Dpd) {
    refusals.add("solver.type", to_string(setup.solver), why_only_dpd(setup.solver));
    refusals.raise();
  }
  refuse_what_it_lacks(scene, refusals);
  LammpsScene made;
  made.name = one_line(scene.name);
  made.stem = plain_stem(scene.path);
  made.setup = setup;
  made.step = step_bounds(setup).fixed;
  made.seed = lammps_seed(setup.seed);
  made.end_time = scene.run.end_time;
  made.frame_interval = scene.run.frame_interval();
  made.expected_speed = pictured_speed(setup);
  made.temperature = common_temperature(setup, refusals);
  choose_integrator(made, refusals);
  refusals.raise();
  note_differences(made);
  if (!scene.probes.empty())
    made.differences.push_back(fmt::format("{} left out: LAMMPS measures by its own computes",
                                           scene.probes.size() == 1
                                               ? "the scene's probe is"
                                               : fmt::format("the {} probes of the scene are", scene.probes.size())));
  return made;
}

}  // namespace riffle
