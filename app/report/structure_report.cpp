#include "app/report/structure_report.h"

#include <fmt/format.h>

#include <cmath>

#include "app/report/series_columns.h"
#include "sim/units.h"

namespace riffle {

namespace {

/// "0.296 +- 0.004"
std::string number_text(const BlockMean& mean) {
  return std::isnan(mean.error) ? fmt::format("{:.4g}", mean.value)
                                : fmt::format("{:.4g} \u00b1 {:.2g}", mean.value, mean.error);
}

}  // namespace

nlohmann::ordered_json to_json(const StructureReport& r) {
  using Json = nlohmann::ordered_json;
  Json distribution = nullptr, displacements = nullptr;
  if (!r.radial_distribution.empty())
    distribution = {{"file", r.radial_distribution}, {"states", r.states}, {"blocks", r.blocks}};
  Json exponent = nullptr, curved = nullptr;
  if (!std::isnan(r.diffusion.value)) exponent = r.exponent, curved = r.is_curved;
  Json of_fluids = Json::object();
  for (const StructureReport::OfFluid& fluid : r.diffusion_of)
    of_fluids[fluid.name] = {{"mean", fluid.diffusion.value}, {"error", fluid.diffusion.error}};
  if (!r.displacements.empty())
    displacements = {
        {"file", r.displacements},
        {"windows", r.windows},
        {"lag", r.lag},
        {"fit_from", r.fit_from},
        {"diffusion",  // NaN becomes null
         {{"mean", r.diffusion.value}, {"error", r.diffusion.error}, {"exponent", exponent}, {"curved", curved}}},
        {"diffusion_of_fluids", r.diffusion_of.empty() ? Json(nullptr) : of_fluids}};
  const Json changed = r.changed ? Json{{"time", *r.changed}, {"change", r.change}} : Json(nullptr);
  return {{"from", r.from},
          {"to", r.to},
          {"begun_again", changed},
          {"radial_distribution", distribution},
          {"displacements", displacements}};
}

std::string structure_text(const StructureReport& r, const SimulationSetup& setup) {
  const Units& units = units_of(setup);
  const std::string time = units.named() ? units.time : unit_text(SeriesUnit::Time, setup),
                    length = units.named() ? units.length : unit_text(SeriesUnit::Length, setup);
  std::string text;
  if (r.changed)
    text += fmt::format("g(r) and displacements are of the states after t = {:.4g} {}, where an event changed {}\n",
                        *r.changed, time, r.change);
  if (!r.radial_distribution.empty())
    text += fmt::format("g(r):    {} ({} states from {:.4g} to {:.4g} {}, errors from {} blocks)\n",
                        r.radial_distribution, r.states, r.from, r.to, time, r.blocks);
  if (r.displacements.empty()) return text;
  text += fmt::format("displacements: {} ({} windows of {:.4g} {})\n", r.displacements, r.windows, r.lag, time);
  if (std::isnan(r.diffusion.value))
    return text + (r.windows == 0 ? "no diffusion coefficient: the run is shorter than a window, --displacement-lag\n"
                                  : "no diffusion coefficient: fewer than 5 states of a window are in its last four "
                                    "fifths; a longer --displacement-lag or a shorter --structure-every\n");
  text += fmt::format("diffusion coefficient{} {} {}^2/{}: slope over lags from {:.4g} to {:.4g} {}\n",
                      r.diffusion_of.empty() ? "" : " of all particles of all fluids", number_text(r.diffusion), length,
                      time, r.fit_from, r.lag, time);
  for (const StructureReport::OfFluid& fluid : r.diffusion_of)
    if (!std::isnan(fluid.diffusion.value))
      text += fmt::format("  of '{}' {} {}^2/{}\n", fluid.name, number_text(fluid.diffusion), length, time);
  if (r.is_curved)
    text += fmt::format(
        "still curved there: displacements grow as lag^{:.2f}, so the value depends on the lags; a longer "
        "--displacement-lag\n",
        r.exponent);
  return text;
}

}  // namespace riffle
