#pragma once
/// Quantities measured over many states of a fluid: the radial distribution function and the mean square displacement.

#include <cstdint>
#include <vector>

#include "core/device/buffer.h"
#include "sim/simulation.h"

namespace riffle {

/// Of fluids a and b, in either order: 0 for 00, 1 for 01, 2 for 11, 3 for 02 and so on.
RIFFLE_HD inline int fluid_pair(int a, int b) { return a > b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a; }

/// g(r): the number of pairs at a distance, over the number for particles without forces at the same mean density. For
/// a box that is full; particles near walls lack neighbours there. Both numbers are sums over the states. With several
/// fluids also those of the particles of two of them, or of one.
class RadialDistribution {
 public:
  /// r_max: at most half of the shortest periodic axis. near: at most r_max, neighbors_near() counts nearer ones.
  RadialDistribution(double r_max, int bins, double near = 0);

  /// The state as it is now; fewer than two particles have no pairs, and add nothing. Waits.
  /// @param volume [m^d] over which so many particles without forces would be spread; 0: the domain's
  void add(const Simulation& simulation, double volume = 0);

  /// Adds the states of another one, which has the same bins.
  void join(const RadialDistribution& other);

  int states() const { return states_; }
  /// Middle of the bin.
  double radius(int bin) const { return (bin + 0.5) * r_max_ / static_cast<double>(bins_); }

  std::vector<double> values() const;  ///< (bins) of all particles
  /// (bins) Of the pairs of two fluids. NaN where they have none.
  std::vector<double> values(int fluid, int other) const;
  double neighbors_near() const;  ///< mean number

 private:
  double r_max_, near_;
  using Bins = std::vector<double>;
  Bins ratio(const Bins& pairs, double expected) const;

  std::size_t bins_;
  std::vector<Bins> pairs_;  ///< (fluid_pair(), bins) ordered pairs, over all states
  double pairs_near_ = 0;    ///< ordered, over all states
  double particles_ = 0;     ///< over all states
  std::vector<double>
      expected_;  ///< (fluid_pair()) [1/m^d] ordered pairs per volume around the particles without forces,
                  ///< over all states
  int dimension_ = 3;
  int states_ = 0;
};

/// <|x(t) - x(0)|^2>, where x is relative to the centre of mass of all. Particles are followed through periodic faces: between
/// two calls none may move by half an axis. Of particles that were added or removed since the start none counts.
class MeanSquareDisplacement {
 public:
  explicit MeanSquareDisplacement(const Simulation& simulation);  ///< from now on. Waits.

  void add(const Simulation& simulation);  ///< Waits.

  struct Sample {
    double time;                   ///< [s] since the start
    double value;                  ///< [m^2]
    std::vector<double> of_fluid;  ///< (fluids of the scene) [m^2] likewise without the motion of all; NaN: it has none
  };
  const std::vector<Sample>& samples() const { return samples_; }

  static constexpr int kAll = -1;  ///< fluids

  /// Slope of a straight line through the samples of from <= time <= to, over twice the dimension [m^2/s].
  /// @throws InputError if there are fewer than two samples.
  double diffusion(double from, double to, int fluid = kAll) const;

 private:
  std::vector<Vec4> follow(const Simulation& simulation);

  double begin_;
  Domain domain_;
  std::vector<double> mass_;          ///< (fluids) of a particle, in a unit that all share
  std::vector<std::uint32_t> id_;     ///< of the particles that have been there from the start, ascending
  std::vector<Vec4> last_;            ///< by id, wrapped
  std::vector<Vec4> start_;           ///< by id
  std::vector<std::uint32_t> fluid_;  ///< by id
  std::vector<std::int32_t> turns_;   ///< (3 per id) times it went round each periodic axis
  std::vector<Sample> samples_;
};

}  // namespace riffle
