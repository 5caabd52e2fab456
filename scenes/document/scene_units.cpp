#include "scenes/document/scene_units.h"

#include <map>
#include <optional>
#include <string>

#include "scenes/document/scene_number.h"
#include "sim/solver_info.h"

namespace riffle::scenes {

namespace {

void take_number(const Node& solver, const char* key, float& number) {
  const Node* const node = solver.find(key);
  std::string rest;
  if (node == nullptr || node->kind != Node::Kind::Scalar) return;
  // A value that is refused leaves the unit as it is where there is none.
  if (const auto found = parse_number(node->text, rest); found && *found >= 0) number = static_cast<float>(*found);
}

}  // namespace

const Units& units_of_document(const Node& root) {
  SimulationSetup setup;
  const Node* const solver = root.find("solver");
  const Node* const type = solver != nullptr ? solver->find("type") : nullptr;
  if (type == nullptr) return units_of(setup);
  if (const auto kind = solver_kind_from(type->text)) setup.solver = *kind;
  take_number(*solver, "cutoff", setup.dpd.cutoff);
  take_number(*solver, "temperature", setup.dpd.temperature);
  return units_of(setup);
}

void use_units(Form& form, const Units& units, bool flat) {
  if (units.si) {
    static const std::map<std::string, std::string> per_depth{{"kg", "kg/m"}, {"N", "N/m"}, {"m^3/s", "m^2/s"}};
    if (const auto found = per_depth.find(form.unit); flat && found != per_depth.end()) form.unit = found->second;
    for (Form& element : form.element) use_units(element, units, flat);
    return;
  }
  const std::string energy = units.energy;
  const std::map<std::string, std::string> reduced{{kSiUnits.length, units.length},
                                                   {kSiUnits.time, units.time},
                                                   {kSiUnits.speed, units.speed},
                                                   {kSiUnits.acceleration, units.acceleration},
                                                   {"1/s", std::string("1/") + units.time},
                                                   {"rad/s", std::string("rad/") + units.time},
                                                   {"1/m^d", "1/r_c^d"},
                                                   {"kg/m^3", "m/r_c^d"},
                                                   {"kg", "units of mass"},
                                                   {"N", energy + "/r_c"},
                                                   {"eps/r_c", energy + "/r_c"},
                                                   {"sqrt(m eps)/r_c", "sqrt(m " + energy + ")/r_c"}};
  const auto found = reduced.find(form.unit);
  if (form.unit == "eps")
    form.unit = energy;
  else if (found != reduced.end())
    form.unit = units.of_cutoff ? found->second : "";
  for (Form& element : form.element) use_units(element, units, flat);
}

}  // namespace riffle::scenes
