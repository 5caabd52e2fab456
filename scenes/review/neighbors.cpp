#include <fmt/format.h>

#include <cmath>

#include "scenes/review/subjects.h"
#include "sim/automatic_choice.h"
#include "sim/solver.h"

namespace riffle::scenes {

namespace {

/// The searches refuse these numbers of cells too, but here the key is known.
void review_cells(const SimulationSetup& setup, Findings& out) {
  const NeighborSetup& neighbors = setup.neighbors;
  double cells = 1;
  for (int a = 0; a < setup.domain.dimension; ++a) {
    const int count = component(neighbors.cell_count, a);
    cells *= count;
    const double reach = (1.0 + neighbors.skin) * search_radius(setup);
    const double per_radius = reach * count / component(setup.domain.extent(), a);
    if (count == 1 || per_radius <= kMostCellsPerRadius) continue;
    out.refuse("neighbors.cell",
               fmt::format("found {} cells along {}, {:.4g} of them to a support radius; allowed: at most {:g}", count,
                           kAxisNames[a], per_radius, double{kMostCellsPerRadius}));
    return;
  }
  if (!neighbors.automatic && neighbors.method == NeighborMethod::Fenns && cells > kMostCoarseCells)
    out.refuse("neighbors.cell",
               fmt::format("found {:.0f} cells; allowed with neighbors.method fenns, whose counters live in shared "
                           "memory: at most {}",
                           cells, kMostCoarseCells));
}

/// review_resolution() has refused axes that are too short even without a skin.
void review_skin(const SimulationSetup& setup, Findings& out) {
  const double h = search_radius(setup), skin = setup.neighbors.skin;
  constexpr double kRounding = 1 + 1e-6;  // the search computes its radius in single precision
  for (int a = 0; a < setup.domain.dimension; ++a) {
    const double extent = component(setup.domain.extent(), a);
    if (!setup.domain.periodic(a) || extent < 2 * h || extent >= 2 * (1 + skin) * h * kRounding) continue;
    out.refuse("neighbors.skin",
               fmt::format("found {:g}: the list then reaches {}, more than half the periodic axis {} ({}), where a "
                           "particle has two images of the same neighbour; allowed: at most {:.3g}",
                           skin, length_text(setup, (1 + skin) * h), kAxisNames[a], length_text(setup, extent),
                           std::floor(1000 * (extent / (2 * h) - 1)) / 1000));
    return;
  }
}

}  // namespace

void review_neighbors(const SceneDraft& draft, Findings& out) {
  if (!out.intact({"dimension", "domain", "particles", "neighbors", "deterministic"})) return;
  const SimulationSetup& setup = draft.scene.simulation;
  const NeighborSetup& neighbors = setup.neighbors;
  if (const char* why = why_no_automatic_choice(setup.deterministic); neighbors.automatic && why) {
    std::string names;
    for (const auto& info : neighbor_methods()) names += (names.empty() ? "" : ", ") + std::string(info.name);
    out.refuse("neighbors.method", std::string("found ") + why + ", in a scene with deterministic: true (" +
                                       out.at("deterministic").text() + "); allowed there: " + names);
  }
  if (neighbors.automatic)
    out.idle(WarningKind::SkinIsAutomatic,
             {"neighbors.skin", "has no effect: with neighbors.method auto the skin is chosen too"},
             neighbors.skin > 0);
  if (!neighbors.automatic && neighbors.skin > 0) review_skin(setup, out);
  if (neighbors.cell_count.x > 0) review_cells(setup, out);
}

}  // namespace riffle::scenes
