#include "app/report/probe_places.h"

#include <string>

#include "app/report/report.h"
#include "sim/probes/probe_places.h"

namespace riffle {

nlohmann::ordered_json probe_places_json(std::span<const ProbeSetup> probes, const SimulationSetup& setup) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  const AllProbePlaces all = place_probes(probes, setup);
  for (std::size_t p = 0; p < probes.size(); ++p) {
    const ProbeKind kind = probes[p].kind;
    if (kind == ProbeKind::Level || kind == ProbeKind::Flow) continue;
    const std::string name = probe_name(probes, p);
    for (std::size_t k = 0; k < all.probes[p].count; ++k) {
      const Vec4& place = all.places[all.probes[p].first + k];
      nlohmann::ordered_json at = {shortest(place.x), shortest(place.y)};
      if (setup.domain.dimension == 3) at.push_back(shortest(place.z));
      json[kind == ProbeKind::Point ? name : name + "_" + std::to_string(k + 1)] = std::move(at);
    }
  }
  return json;
}

}  // namespace riffle
