#include "scenes/format/format_keys.h"

namespace riffle {

using namespace format_keys;

namespace {

Key dpd_key(Key key) { return only_with(SolverKind::Dpd, std::move(key)); }

/// Either the word, or what pair_matrix() takes.
Key noise_key() {
  return optional("noise", {words({"auto"}), number_from(0, 1e6, ""), rows(0, "")}, "auto",
                  "Coefficient sigma of the random force, written like `repulsion`. `auto`: the one that holds the "
                  "temperature, sigma^2 = 2 gamma kT.",
                  [](SceneDraft& d, const Value& v) {
                    if (!v.is_text()) d.noise.set(v);
                  });
}

}  // namespace

std::vector<Key> dpd_keys() {
  const DpdSetup standard;
  return {
      dpd_key(field("temperature", number_above(0, "kT", 1e6), dpd_setup, &DpdSetup::temperature,
                    "Energy kT that the thermostat holds.")),
      dpd_key(field("cutoff", number_above(0, "", 1e6), dpd_setup, &DpdSetup::cutoff,
                    "Radius r_c within which particles act on each other; the unit of length while it is 1.")),
      dpd_key(pair_matrix("repulsion", "kT/r_c", &SceneDraft::repulsion, standard.repulsion,
                          "Coefficient a of the conservative force a (1 - r / r_c): one number for all pairs, or a row "
                          "for every fluid with a column for every fluid.")),
      dpd_key(pair_matrix("friction", "sqrt(m kT)/r_c", &SceneDraft::friction, standard.friction,
                          "Coefficient gamma of the drag gamma (1 - r / r_c)^2, written like `repulsion`.")),
      dpd_key(noise_key()),
      dpd_key(choice("weights", draft, &SceneDraft::weights, "What the coefficients multiply.")),
      dpd_key(
          choice("integrator", dpd_setup, &DpdSetup::integrator, "How positions and velocities advance by a step.")),
      dpd_key(field("lambda", number_from(0, 1, ""), dpd_setup, &DpdSetup::lambda,
                    "With `velocity_verlet`: how many steps ahead the velocities for the drag are predicted.")),
      dpd_key(choice("random", dpd_setup, &DpdSetup::random, "Random numbers of the random force.")),
  };
}

}  // namespace riffle
