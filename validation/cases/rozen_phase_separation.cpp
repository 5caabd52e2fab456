/// Two mixed DPD fluids separate, with everything that the bucket-sort paper combines: leap-frog with extrapolated drag,
/// its formula of random numbers, normalised weights, its search with its own insertion. Figure 3 of the paper shows such
/// a run of 65,536 particles and has no number. The case compares with the LAMMPS runs of dpd_phase_separation.
///
/// The reference's box has 16,384 particles, that of the full size 65,536. Share of unlike pairs and domain size do not
/// depend on the box before domains span it. R counts the same waves: those of at least 2.2 r_c.
///
/// Acceptance: the bounds of dpd_phase_separation, means of 4 runs of a box four times as large in place of 16.

#include <fmt/format.h>

#include "core/math/statistics.h"
#include "sim/measure/pair_mixing.h"
#include "validation/cases.h"
#include "validation/dpd_setups.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

SimulationSetup mixture_of_paper(double edge, double equilibration, std::uint64_t seed) {
  const auto length = static_cast<float>(edge);
  SimulationSetup setup = dpd_box({length, length, length}, 0.01, seed);
  setup.fluids.emplace_back();
  setup.fluids[0].name = std::string("A");
  setup.fluids[1].name = std::string("B");
  setup.dpd.repulsion.value[0][1] = setup.dpd.repulsion.value[1][0] = 60;
  as_in_bucket_paper(setup);
  setup.start.mixed = true;
  setup.start.equilibration = static_cast<float>(equilibration);
  return setup;
}

CaseResult run_paper_separation(const CaseContext& context) {
  const bool full = context.full();
  const int seeds = full ? 4 : 1;
  const std::vector<double> times = full ? std::vector<double>{4, 10, 20, 30, 40} : std::vector<double>{2, 4};
  std::vector<std::vector<double>> unlike(times.size()), size(times.size());
  std::vector<double> kT;
  for (int seed = 1; seed <= seeds; ++seed) {
    Simulation simulation(
        context.noted(mixture_of_paper(full ? 27.954573 : 11.09407, full ? 20 : 4, static_cast<std::uint64_t>(seed))),
        context.device);
    for (std::size_t k = 0; k < times.size(); ++k) {
      run_until(simulation, times[k], [&](double now) {
        context.progress((seed - 1 + now / times.back()) / seeds, fmt::format("seed {} of {}", seed, seeds));
      });
      const PairMixing found = pair_mixing(simulation);
      unlike[k].push_back(found.unlike);
      size[k].push_back(found.domain_size);
    }
    kT.push_back(simulation.diagnostics().thermal->temperature);
  }

  const ReferenceTable table = context.table("dpd_phase_separation.csv");
  const std::vector<double> t = table.numbers("t"), expected_unlike = table.numbers("unlike_frac_mean"),
                            expected_size = table.numbers("R_mean");
  CaseResult result;
  Series shares{"Riffle", {}, {}}, sizes{"Riffle", {}, {}};
  for (std::size_t k = 0; k < times.size(); ++k) {
    const SampleMean share = mean_of(unlike[k]), domain = mean_of(size[k]);
    const std::string at = fmt::format(" at t = {:g}", times[k]);
    result.checks.push_back(context.check("unlike pairs" + at, share.mean, interpolate(t, expected_unlike, times[k])));
    shares.x.push_back(times[k]), shares.y.push_back(share.mean);
    if (!full) continue;
    result.checks.push_back(figure("  its standard error", share.standard_error));
    result.checks.push_back(context.check("domain size R" + at, domain.mean, interpolate(t, expected_size, times[k])));
    result.checks.push_back(figure("  its standard error", domain.standard_error, "r_c"));
    sizes.x.push_back(times[k]), sizes.y.push_back(domain.mean);
  }
  result.checks.push_back(context.check("kT at the end", mean_of(kT).mean));
  result.curves.push_back({"unlike_pairs",
                           "Share of unlike pairs",
                           "t",
                           "unlike pairs within r_c",
                           {shares},
                           {{"LAMMPS, mean of two seeds", t, expected_unlike}},
                           true,
                           true});
  if (full)
    result.curves.push_back({"domain_size",
                             "Domain size",
                             "t",
                             "R [r_c]",
                             {sizes},
                             {{"LAMMPS, mean of two seeds", t, expected_size}},
                             true,
                             true});
  return result;
}

}  // namespace

ValidationCase rozen_phase_separation_case() {
  return {"rozen_phase_separation", "Two DPD fluids part, with the bucket-sort paper's whole combination",
          "4,096 particles, to t = 4, one seed", "65,536 particles, to t = 40, four seeds", run_paper_separation};
}

}  // namespace riffle
