#pragma once
/// Long waves of the pressure. An iteration carries a change of pressure one reach further, so that a tank N spacings deep
/// needs about 2 N of them to learn its pressure. Here residuals are summed in cells of kCellWidth spacings, a multigrid cycle
/// finds the impulses that take the sums away (cells as in a marker-and-cell method, a free surface where cells are empty), and
/// the iterate becomes the next one plus these impulses.
///
/// How far to go along that change is known after the next residuals: the energy whose gradient the residuals are is a parabola
/// along it. Where the end lies beyond the lowest place, impulses go back to it. The energy never grows, whatever the cells say
/// of disordered particles, surfaces or solids.
///
/// Low domains (kLeastDepth) do without, and so does a device that owns only some of the particles (sim/halo.h).

#include <vector>

#include "core/device/buffer.h"
#include "sim/dfsph/coarse/coarse_grid.h"
#include "sim/dfsph/solve_state.h"
#include "sim/setup.h"
#include "sim/step_control.h"
#include "sim/wcsph/wcsph.h"

namespace riffle::dfsph {

/// Which iterations of a density solve try long waves. A fluid at rest does in its first one, and then its solves mostly end. In
/// motion iterations extrapolate from the start, and only solves that are long gain.
enum class WaveTurn { Never, Calm, Always };
inline constexpr int kWaveEvery = 8;
inline WaveTurn wave_turn(int iteration) {
  if (iteration == 0) return WaveTurn::Calm;
  if (iteration % (2 * kWaveEvery) == 0) return WaveTurn::Always;
  return iteration % kWaveEvery == 0 ? WaveTurn::Calm : WaveTurn::Never;
}

class CoarsePressure {
 public:
  /// Width of a cell [spacings], and the most cells: in a larger domain they are wider, which the log says.
  static constexpr int kCellWidth = 4;
  static constexpr std::int64_t kMostCells = std::int64_t{1} << 18;
  /// A domain that is lower than this along gravity [spacings], or has no gravity, does without: iterations reach through a
  /// shallow fluid soon. So a drop under a body force moves as before.
  static constexpr float kLeastDepth = 64;
  static bool is_on(const SimulationSetup& setup);

  /// Bytes for each fluid particle and each wall particle, without the cells.
  static constexpr std::size_t kParticleBytes = sizeof(coarse::Wave);
  /// Bytes of the cells for each fluid particle, of a domain that is a quarter full.
  static std::size_t cell_bytes(int dimension);

  /// bias: as of AddToMean; most_walls: wall particles
  CoarsePressure(const SimulationSetup& setup, const Device& device, float bias, int most_walls);
  bool is_on() const { return !levels_.empty(); }
  void reserve(int capacity);
  std::size_t memory_bytes() const;

  /// A solve, on the device.
  struct Problem {
    int particles, walls;
    wcsph::FluidTable fluids;
    float relaxation;
    bool clamped;
    const ClockState* clock;
    SolveState* state;
    const std::uint32_t* fluid;
    Vec4* record;
    float* residual;
    const float* inverse;
    float* impulse;
    const Vec4* wall;
    WallConstraint* constraint;
  };
  /// The next impulses: with long waves if state->waves, otherwise as ever.
  void advance(const Problem& problem);
  /// After the residuals that followed: goes back if that was too far.
  void judge(const Problem& problem);
  /// Of the last judge().
  const LineSums* line() const { return line_.data(); }

 private:
  void find(const Problem& problem);

  Device device_;
  coarse::Placing placing_;
  float face_, scale_, least_density_;
  Buffer<coarse::CellSums> sums_;  ///< (cells of the first level)
  Buffer<Vec4> coefficient_;       ///< (cells of all levels), and so on
  Buffer<float> right_, q_, next_;
  std::vector<coarse::Level> levels_;
  Buffer<coarse::Wave> wave_;       ///< (N)
  Buffer<coarse::Wave> wall_wave_;  ///< (most walls)
  Buffer<LineSums> line_, partial_;
};

}  // namespace riffle::dfsph
