#include "scenes/format/format_keys.h"

namespace riffle {

using namespace format_keys;

namespace {

PbfSetup& pbf(SceneDraft& draft) { return draft.scene.simulation.pbf; }

Key pbf_key(Key key) { return only_with(SolverKind::Pbf, std::move(key)); }

}  // namespace

std::vector<Key> pbf_keys() {
  return {
      pbf_key(optional("iterations", {whole(1, 1000)}, 4,
                       "Iterations of the density constraints per step: more make the fluid stiffer.",
                       [](SceneDraft& d, const Value& v) { pbf(d).iterations = static_cast<int>(v.whole()); })),
      pbf_key(optional("relaxation", {words({"auto"}), number_from(0, 1000, "")}, "auto",
                       "Softness epsilon of a constraint, in terms of the sum of its squared gradients on the lattice "
                       "at rest, so that "
                       "it means the same at every resolution. `auto`: as little as keeps the iterations stable.",
                       [](SceneDraft& d, const Value& v) { pbf(d).relaxation = v.is_text() ? -1.0f : v.number(); })),
      pbf_key(
          optional("artificial_pressure", {number_from(0, 10, "")}, 0.1,
                   "Strength k of the repulsion that keeps particles from clustering, -k (W(r) / W(distance))^power: "
                   "at `distance` as if both particles were compressed by k/2.",
                   [](SceneDraft& d, const Value& v) { pbf(d).artificial_pressure = v.number(); })),
      pbf_key(optional(
          "artificial_pressure_power", {whole(1, 16)}, 4, "Its exponent n.",
          [](SceneDraft& d, const Value& v) { pbf(d).artificial_pressure_power = static_cast<int>(v.whole()); })),
      pbf_key(optional("artificial_pressure_distance", {number_from(0, 0.9, "support radii")}, 0.2,
                       "Its reference distance, the paper's Delta q.",
                       [](SceneDraft& d, const Value& v) { pbf(d).artificial_pressure_distance = v.number(); })),
      pbf_key(optional("xsph", {number_from(0, 0.5, "")}, 0.01,
                       "XSPH viscosity: share of its neighbours' mean velocity that a particle takes over per step.",
                       [](SceneDraft& d, const Value& v) { pbf(d).xsph = v.number(); })),
      pbf_key(
          optional("vorticity", {number_from(0, 100, "")}, 0.0,
                   "Vorticity confinement, which spins up eddies that the iterations damp: acceleration per vorticity "
                   "and particle spacing. It adds energy and momentum.",
                   [](SceneDraft& d, const Value& v) { pbf(d).vorticity = v.number(); })),
      pbf_key(
          optional("margin", {number_from(0.01, 1, "support radii")}, 0.2,
                   "Neighbours are found once per step, so much beyond the support radius; a particle is corrected by "
                   "at most half of it in one step.",
                   [](SceneDraft& d, const Value& v) { pbf(d).margin = v.number(); })),
  };
}

}  // namespace riffle
