#include "app/report/measured_loads.h"

namespace riffle {

namespace {

/// Of the faces whose forces are measured, 2 axis + (1 for the upper one).
std::vector<int> measured_faces(const SimulationSetup& setup) {
  std::vector<int> faces;
  for (int face = 0; face < 6; ++face)
    if (setup.face_forces && setup.domain.walled(face / 2)) faces.push_back(face);
  return faces;
}

}  // namespace

std::vector<std::string> load_names(const SimulationSetup& setup) {
  std::vector<std::string> names;
  for (std::size_t s = 0; s < setup.solid_regions.size(); ++s) names.push_back(solid_name(setup, s));
  for (const int face : measured_faces(setup)) names.push_back(face_name(face));
  return names;
}

std::vector<SolidLoad> measured_loads(const SimulationSetup& setup, const Diagnostics& diagnostics) {
  std::vector<SolidLoad> loads;
  if (diagnostics.solids.empty()) return loads;
  loads.assign(diagnostics.solids.begin() + 1, diagnostics.solids.end());
  for (const int face : measured_faces(setup)) loads.push_back(diagnostics.faces[static_cast<std::size_t>(face)]);
  return loads;
}

}  // namespace riffle
