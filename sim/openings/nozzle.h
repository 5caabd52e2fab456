#pragma once
/// The nozzle of an inlet: where the particles of its layers are.

#include <array>
#include <vector>

#include "sim/openings/nozzle_frame.h"
#include "sim/openings/opening.h"
#include "sim/setup.h"

namespace riffle {

/// Steps after which the host knows what a step did: inlets get new layers, and outlets lose particles, that much later.
inline constexpr int kOpeningsLag = 2;

NozzleFrame nozzle_frame(const InletSetup& inlet, const Domain& domain);

/// [m] (particles of a layer) places in the mouth along `across` and `upwards`: a lattice of the spacing that lies evenly about
/// the centre, or for a polygon about the middle of its bounds. Along a periodic axis that a face reaches across the spacing is
/// stretched to fit. Empty: the mouth is narrower than a particle.
std::vector<std::array<float, 2>> mouth_sites(const InletSetup& inlet, const Domain& domain, float spacing);

/// [m] The rim of the mouth, along `across` and `upwards`: straight pieces from one place to another, in no order. In 2-D one.
std::vector<std::array<std::array<double, 2>, 2>> mouth_edges(const InletSetup& inlet, const Domain& domain);

/// [spacings] A wider mouth has no sites.
inline constexpr double kWidestMouth = 1024;

/// [m^2], in 2-D [m]: what the particles of a layer take up. Speed times this is the rate.
double mouth_area(const InletSetup& inlet, const Domain& domain, float spacing);

/// Layers that move as given: those that a free particle's support reaches, and as many as enter before the host knows.
int nozzle_layers(const SimulationSetup& setup, const InletSetup& inlet);

/// [m/s] The largest speed at which it lets fluid in.
double fastest_inflow(const SimulationSetup& setup, const InletSetup& inlet);

/// Bounds of the mouth at the inlet's centre, without the nozzle's length.
Bounds mouth_bounds(const SimulationSetup& setup, const InletSetup& inlet);

/// Indices of the fluids that bodies and inlets are made of, each once, ascending.
std::vector<int> used_fluids(const SimulationSetup& setup);

std::string inlet_name(const SimulationSetup& setup,
                       std::size_t inlet);  ///< "tap", or "inlet_2" for the second if it has no name
std::string outlet_name(const SimulationSetup& setup, std::size_t outlet);  ///< likewise

/// The particles that all nozzles hold at the start.
class FilledNozzles {
 public:
  explicit FilledNozzles(const SimulationSetup& setup);

  bool any() const { return !nozzles_.empty(); }
  /// Whether a particle of a body would be too near to one of a nozzle.
  bool near(Vec3 x) const;
  std::vector<Bounds> bounds() const;  ///< of each nozzle, with the distance within which near() may hold
  /// In the order of the inlets, layer by layer, the foremost one first.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t k = 0; k < nozzles_.size(); ++k)
      for (int layer = 0; layer < nozzles_[k].layers; ++layer)
        for (const auto& [x, y] : nozzles_[k].sites)
          visit(k, nozzles_[k].frame.at((nozzles_[k].layers - layer - 0.5) * spacing_, x, y));
  }
  std::size_t count() const;

 private:
  struct Nozzle {
    NozzleFrame frame;
    std::vector<std::array<float, 2>> sites;
    int layers = 0;
    Bounds bounds;
  };
  std::vector<Nozzle> nozzles_;
  double spacing_;
};

}  // namespace riffle
