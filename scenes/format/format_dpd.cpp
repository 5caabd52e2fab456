#include "scenes/format/format_keys.h"
#include "sim/random/random.h"

namespace riffle {

using namespace format_keys;

namespace {

Key dpd_key(Key key) { return only_with(SolverKind::Dpd, std::move(key)); }

}  // namespace

std::vector<Key> dpd_keys() {
  return {
      dpd_key(optional("temperature", {number_above(0, "kT", 1e6)}, 1.0, "Energy kT that the thermostat holds.",
                       [](SceneDraft& d, const Value& v) { sim(d).dpd.temperature = v.number(); })),
      dpd_key(optional("cutoff", {number_above(0, "", 1e6)}, 1.0,
                       "Radius r_c within which particles act on each other; the unit of length while it is 1.",
                       [](SceneDraft& d, const Value& v) { sim(d).dpd.cutoff = v.number(); })),
      dpd_key(
          optional("repulsion", {number_from(0, 1e6, "kT/r_c"), rows(0, "kT/r_c")}, 25.0,
                   "Coefficient a of the conservative force a (1 - r / r_c); of all pairs, or a row for every fluid "
                   "with a column for every fluid.",
                   [](SceneDraft& d, const Value& v) { store(d.repulsion, v); })),
      dpd_key(optional("friction", {number_from(0, 1e6, "sqrt(m kT)/r_c"), rows(0, "sqrt(m kT)/r_c")}, 4.5,
                       "Coefficient gamma of the drag gamma (1 - r / r_c)^2, written like `repulsion`.",
                       [](SceneDraft& d, const Value& v) { store(d.friction, v); })),
      dpd_key(optional("noise", {words({"auto"}), number_from(0, 1e6, ""), rows(0, "")}, "auto",
                       "Coefficient sigma of the random force, written like `repulsion`. `auto`: what holds the "
                       "temperature, sigma^2 = 2 gamma kT.",
                       [](SceneDraft& d, const Value& v) {
                         if (!v.is_text()) store(d.noise, v);
                       })),
      dpd_key(
          optional("weights", {words({"unit", "normalized"})}, "unit",
                   "What the coefficients multiply. `unit`: 1 - r / r_c, as in Groot and Warren 1997. `normalized`: "
                   "c (1 - r / r_c), whose integral times the mean density is 1, and its square for the drag, as in "
                   "the bucket-sort paper; friction is then per mass, that of a pair being 2 m_i m_j / (m_i + m_j).",
                   [](SceneDraft& d, const Value& v) { d.normalized_weights = v.text() == "normalized"; })),
      dpd_key(optional(
          "integrator", {words({"velocity_verlet", "leap_frog"})}, "velocity_verlet",
          "`velocity_verlet`: Groot and Warren's, with `lambda`. `leap_frog`: the bucket-sort paper's, with "
          "the drag's velocities extrapolated by Adams and Bashforth's formula; it runs cold at long steps.",
          [](SceneDraft& d, const Value& v) {
            sim(d).dpd.integrator = v.text() == "leap_frog" ? DpdIntegrator::LeapFrog : DpdIntegrator::VelocityVerlet;
          })),
      dpd_key(optional("lambda", {number_from(0, 1, "")}, 0.65,
                       "Of `velocity_verlet`: how far ahead the drag's velocities are predicted, in steps.",
                       [](SceneDraft& d, const Value& v) { sim(d).dpd.lambda = v.number(); })),
      dpd_key(optional("random", {words({"philox", "karpinski", "karpinski_stream"})}, "philox",
                       "Random numbers. `philox`: counter-based. `karpinski`: the bucket-sort paper's formula from a "
                       "hashed start. `karpinski_stream`: the paper to the letter, for study only.",
                       [](SceneDraft& d, const Value& v) { sim(d).dpd.random = *random_kind_from(v.text()); })),
  };
}

}  // namespace riffle
