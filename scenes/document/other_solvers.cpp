#include "scenes/document/other_solvers.h"

#include <algorithm>

namespace riffle::scenes {

namespace {

/// What takes the place of a key with solvers that lack it.
struct Substitute {
  std::string_view key;   ///< its name in its section
  bool with_dpd;          ///< of a scene of dpd; otherwise of the other solvers
  std::string_view text;  ///< names the right key
};

constexpr Substitute kSubstitutes[] = {
    {"viscosity", true, "the viscosity of a DPD fluid follows from solver.friction, solver.repulsion and the density"},
    {"artificial_viscosity", true,
     "the viscosity of a DPD fluid follows from solver.friction, solver.repulsion and the density"},
    {"rest_density", true, "the density of a DPD fluid is particles.number_density times fluids[].mass"},
    {"surface_tension", true, "tension between DPD fluids follows from solver.repulsion between them"},
    {"interface_tension", true, "tension between DPD fluids follows from solver.repulsion between them"},
    {"support_ratio", true, "the radius within which DPD particles act on each other is solver.cutoff"},
    {"viscosity", false, "the viscosity of a fluid is fluids[].viscosity"},
    {"friction", false, "the viscosity of a fluid is fluids[].viscosity"},
    {"mass", false, "the mass of a particle follows from fluids[].rest_density"},
    {"cutoff", false, "the radius within which particles are neighbours is particles.support_ratio, in spacings"},
};

std::string solvers_of(const Key& key) {
  std::string names;
  for (const SolverKind solver : key.solvers) names += (names.empty() ? "" : " or ") + std::string(to_string(solver));
  return names;
}

}  // namespace

bool path_suits(const std::string& path, SolverKind solver) {
  const Record* record = &scene_format();
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    std::string name = path.substr(begin, end - begin);
    if (name.ends_with("[]")) name.resize(name.size() - 2);
    const Key* const key = record->find(name);
    if (key == nullptr) return true;  // no key of the format
    if (!key->suits(solver)) return false;
    if (key->forms.back().record == nullptr) return true;
    record = key->forms.back().record.get();
    begin = end + 1;
  }
  return true;
}

std::string why_not_here(const Key& key, SolverKind solver) {
  std::string text;
  for (const Substitute& row : kSubstitutes)
    if (row.key == key.name && row.with_dpd == (solver == SolverKind::Dpd)) {
      text = std::string(row.text) + "; the key ";
      break;
    }
  return text + "means nothing with solver.type " + std::string(to_string(solver)) + "; allowed with " +
         solvers_of(key);
}

std::string number_meant_for(const std::string& path) {
  return path == "solver.viscosity" ? "the viscosity of a fluid is fluids[].viscosity; " : "";
}

}  // namespace riffle::scenes
