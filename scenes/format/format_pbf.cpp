#include "scenes/format/format_keys.h"

namespace riffle {

using namespace format_keys;

namespace {

Key pbf_key(Key key) { return only_with(SolverKind::Pbf, std::move(key)); }

}  // namespace

std::vector<Key> pbf_keys() {
  return {
      pbf_key(field("iterations", whole(1, 1000), pbf_setup, &PbfSetup::iterations,
                    "Iterations of the density constraints per step: more make the fluid stiffer.")),
      pbf_key(
          field_or("auto", "relaxation", number_from(0, 1000, ""), pbf_setup, &PbfSetup::relaxation,
                   "Softness epsilon of a constraint, as a share of the sum of its squared gradients on the lattice "
                   "at rest, so that it means the same at every resolution. `auto`: the smallest that keeps the "
                   "iterations stable.")),
      pbf_key(field("artificial_pressure", number_from(0, 10, ""), pbf_setup, &PbfSetup::artificial_pressure,
                    "Strength k of the repulsion that keeps particles from clustering, -k (W(r) / W(distance))^power: "
                    "at `distance` it acts as if both particles were compressed by k/2.")),
      pbf_key(field("artificial_pressure_power", whole(1, 16), pbf_setup, &PbfSetup::artificial_pressure_power,
                    "Exponent n of the artificial pressure.")),
      pbf_key(field("artificial_pressure_distance", number_from(0, 0.9, "support radii"), pbf_setup,
                    &PbfSetup::artificial_pressure_distance,
                    "Reference distance of the artificial pressure, the paper's Delta q.")),
      pbf_key(field("xsph", number_from(0, 0.5, ""), pbf_setup, &PbfSetup::xsph,
                    "XSPH viscosity: share of its neighbours' mean velocity that a particle takes over per step.")),
      pbf_key(field("vorticity", number_from(0, 100, ""), pbf_setup, &PbfSetup::vorticity,
                    "Vorticity confinement, which spins up eddies that the iterations damp: acceleration per vorticity "
                    "and particle spacing. It adds energy and momentum.")),
      pbf_key(field("margin", number_from(0.01, 1, "support radii"), pbf_setup, &PbfSetup::margin,
                    "The search for neighbours, once per step, reaches this far beyond the support radius; a particle "
                    "is corrected by at most half of it in one step.")),
  };
}

}  // namespace riffle
