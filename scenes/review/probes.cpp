#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "core/math/cross_product.h"
#include "core/text/printable.h"
#include "scenes/review/subjects.h"
#include "sim/probes/probe_places.h"
#include "sim/solver_info.h"
#include "sim/walls/inside_solids.h"

namespace riffle::scenes {

namespace {

struct ProbePlace {
  const char* key;  ///< "point", "line.to"
  Vec3 place;
};

/// What must lie in the domain.
std::vector<ProbePlace> corners_of(const ProbeSetup& probe, int dimension) {
  switch (probe.kind) {
    case ProbeKind::Point: return {{"point", probe.at}};
    case ProbeKind::Line: return {{"line.from", probe.at}, {"line.to", probe.to}};
    case ProbeKind::Level: return {{"level.from", probe.at}, {"level.to", probe.to}};
    case ProbeKind::Plane:
    case ProbeKind::Flow: break;
  }
  const bool plane = probe.kind == ProbeKind::Plane;
  std::vector<ProbePlace> corners = {{plane ? "plane.corner" : "flow.corner", probe.at},
                                     {plane ? "plane.side" : "flow.side", probe.at + probe.side}};
  if (dimension == 3) {
    const char* const other = plane ? "plane.other_side" : "flow.other_side";
    corners.push_back({other, probe.at + probe.other_side});
    corners.push_back({other, probe.at + probe.side + probe.other_side});
  }
  return corners;
}

const char* word_of_kind(ProbeKind kind) {
  switch (kind) {
    case ProbeKind::Point: return "point";
    case ProbeKind::Line: return "line";
    case ProbeKind::Plane: return "plane";
    case ProbeKind::Level: return "level";
    case ProbeKind::Flow: break;
  }
  return "flow";
}

/// Within rounding of what is written.
bool lies_in(const Domain& domain, Vec3 place, float spacing) {
  for (int a = 0; a < domain.dimension; ++a) {
    const float slack = 1e-5f * component(domain.extent(), a) + 0.01f * spacing, x = component(place, a);
    if (!(x >= component(domain.min, a) - slack && x <= component(domain.max, a) + slack)) return false;
  }
  return true;
}

void review_name(const std::string& name, const std::string& key, Findings& out) {
  if (std::ranges::find(kReservedProbeNames, name) != std::end(kReservedProbeNames))
    out.refuse(key + ".name",
               fmt::format("found '{}', with which `density` would be another column of the diagnostics; "
                           "allowed: any other name",
                           name));
  else if (std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    out.refuse(key + ".name",
               fmt::format("found '{}', which has a control character; allowed: text on one line", printable(name)));
}

void review_place(const SimulationSetup& setup, const ProbeSetup& probe, const std::string& key, Findings& out) {
  const Domain& domain = setup.domain;
  for (const ProbePlace& corner : corners_of(probe, domain.dimension))
    if (!lies_in(domain, corner.place, setup.spacing)) {
      out.refuse(
          key + "." + corner.key,
          fmt::format("leads to {}, which lies outside the domain; allowed: from {} to {}",
                      place_text(setup, corner.place), place_text(setup, domain.min), place_text(setup, domain.max)));
      return;
    }
  const double spacing = double{setup.spacing};
  const auto too_short = [&](const std::string& found) {
    out.refuse(key + "." + word_of_kind(probe.kind),
               fmt::format("found {}; allowed: more than half a particle spacing ({})", found,
                           length_text(setup, 0.5 * spacing)));
  };
  const auto length = [](Vec3 v) { return std::sqrt(double{length2(v)}); };
  if (probe.kind == ProbeKind::Line || probe.kind == ProbeKind::Level) {
    if (const double found = length(probe.to - probe.at); !(found > 0.5 * spacing))
      too_short("a length of " + length_text(setup, found));
  } else if (probe.kind != ProbeKind::Point) {
    if (const double found = length(probe.side); !(found > 0.5 * spacing)) {
      too_short("a side of " + length_text(setup, found));
    } else if (domain.dimension == 3) {
      if (length2(probe.other_side) == 0) {
        out.refuse(key + "." + word_of_kind(probe.kind), "has no other_side; allowed in a 3-D scene: with both sides");
        return;
      }
      // The height of the parallelogram above its side.
      const double height = length(cross_product(probe.side, probe.other_side)) / found;
      if (!(height > 0.5 * spacing)) too_short(length_text(setup, height) + " as its width across `side`");
    }
  }
}

void review_quantities(const SimulationSetup& setup, const ProbeSetup& probe, const std::string& key, Findings& out) {
  const std::string quantities = key + ".quantities";
  if (probe.kind == ProbeKind::Level || probe.kind == ProbeKind::Flow) {
    for (const char* idle : {"quantities", "interpolation"}) {
      const std::string at = fmt::format("{}.{}", key, idle);
      out.idle(WarningKind::ProbeKeyUnused, {at, fmt::format("has no effect on a {}", word_of_kind(probe.kind))},
               out.given(at));
    }
    return;
  }
  for (std::size_t k = 0; k < probe.quantities.size(); ++k) {
    const QuantityInfo& info = quantity_info(probe.quantities[k]);
    if (std::count(probe.quantities.begin(), probe.quantities.end(), probe.quantities[k]) > 1) {
      out.refuse(quantities, fmt::format("names {} twice; allowed: each quantity once", info.word));
      return;
    }
    if (const std::string lacking = info.lacking(setup); !lacking.empty())
      out.warn(WarningKind::ProbeQuantityMissing, quantities,
               fmt::format("{} is left out: {} do not have it", info.word, lacking));
  }
}

}  // namespace

void review_probes(SceneDraft& draft, Findings& out) {
  std::vector<ProbeSetup>& probes = draft.scene.probes;
  const SimulationSetup& setup = draft.scene.simulation;
  if (setup.domain.dimension == 2)
    for (ProbeSetup& probe : probes) {
      for (Vec3* v : {&probe.at, &probe.to, &probe.side}) v->z = 0;
      probe.other_side = {0, 0, 0};
    }
  if (probes.empty() || !out.intact({"dimension", "domain", "particles", "probes", "solver.type"})) return;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const std::string key = fmt::format("probes[{}]", i);
    review_place(setup, probes[i], key, out);
    review_quantities(setup, probes[i], key, out);
    review_name(probes[i].name, key, out);
    for (std::size_t k = 0; k < i; ++k)
      if (probe_name(probes, k) == probe_name(probes, i)) {
        out.refuse(key + ".name", fmt::format("found '{}', the name of probes[{}] too; allowed: a name of its own",
                                              probe_name(probes, i), k));
        break;
      }
  }
  if (!out.intact("probes")) return;
  if (const double places = count_probe_places(probes, setup); places > kMostProbePlaces) {
    out.refuse("probes", fmt::format("have {:.3g} places together, with one per half a particle spacing along a level "
                                     "and one per particle spacing over a flow; allowed: at most {}",
                                     places, kMostProbePlaces));
    return;
  }
  if (const std::size_t columns = probe_columns(probes, setup).size(); columns > kMostProbeColumns)
    out.refuse("probes", fmt::format("have {} numbers together; allowed: at most {}", columns, kMostProbeColumns));
  std::set<std::string> names;
  for (const ProbeColumn& column : probe_columns(probes, setup))
    if (const std::string name = probe_column_name(column); !names.insert(name).second) {
      out.refuse(fmt::format("probes[{}].name", column.probe),
                 fmt::format("leads to a second column '{}'; allowed: names that differ in more than the number of a "
                             "place",
                             name));
      return;
    }
  if (setup.solid_regions.empty() || !out.intact("solids")) return;
  const SolidsAtRest solids(setup);
  for (std::size_t i = 0; i < probes.size(); ++i)
    if (probes[i].kind == ProbeKind::Point)
      if (const auto solid = solids.around(probes[i].at); solid && !setup.solid_regions[*solid].moves())
        out.refuse(fmt::format("probes[{}].point", i),
                   fmt::format("found {}, inside the solid '{}'; allowed: a place that the fluid can reach",
                               place_text(setup, probes[i].at), solid_name(setup, *solid)));
}

}  // namespace riffle::scenes
