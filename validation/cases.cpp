#include "validation/cases.h"

#include <algorithm>

#include "core/error.h"
#include "core/text/suggestion.h"

namespace riffle {

const std::vector<ValidationCase>& validation_cases() {
  static const std::vector<ValidationCase> cases = {
      hydrostatic_case(),
      tank_at_rest_case(),
      tank_at_rest_dfsph_case(),
      dam_break_case(),
      dam_break_pbf_case(),
      dam_break_dfsph_case(),
      poiseuille_case(),
      couette_case(),
      free_slip_channel_case(),
      taylor_green_case(),
      taylor_green_dfsph_case(),
      two_layer_tank_case(),
      two_layer_tank_dfsph_case(),
      archimedes_case(),
      neutral_body_case(),
      settling_sphere_case(),
      turning_blob_case(),
      floating_prism_case(),
      wave_obstacle_case(),
      wavemaker_case(),
      sloshing_case(),
      elliptical_drop_case(),
      elliptical_drop_dfsph_case(),
      oscillating_drop_case(),
      oscillating_drop_dfsph_case(),
      standing_wave_case(),
      standing_wave_dfsph_case(),
      capillary_drop_case(),
      dpd_equilibrium_case(),
      dpd_viscosity_case(),
      dpd_couette_case(),
      dpd_phase_separation_case(),
      dpd_phase_separation_variants_case(),
      rayleigh_taylor_theory_case(),
      dpd_rayleigh_taylor_case(),
      dpd_rayleigh_taylor_variants_case(),
      rozen_phase_separation_case(),
      rozen_rayleigh_taylor_case(),
      rayleigh_taylor_sph_case(),
      rayleigh_taylor_pbf_case(),
      rayleigh_taylor_dfsph_case(),
  };
  return cases;
}

const ValidationCase& validation_case(const std::string& name) {
  const std::vector<ValidationCase>& cases = validation_cases();
  const auto at = std::find_if(cases.begin(), cases.end(), [&](const ValidationCase& c) { return c.name == name; });
  if (at != cases.end()) return *at;
  std::vector<std::string> names;
  std::string all;
  for (const ValidationCase& c : cases) {
    names.push_back(c.name);
    all += (all.empty() ? "" : ", ") + c.name;
  }
  throw InputError("'" + name + "' is not a validation case;" + suggestion(name, names, " ") + " allowed: " + all);
}

}  // namespace riffle
