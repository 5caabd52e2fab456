#pragma once
/// Long waves of the pressure. An iteration carries a change of pressure one reach further, so that a tank N spacings deep
/// needs about N of them to learn its pressure. Here the residuals of a solve's base are summed in cells of kCellWidth spacings,
/// and a multigrid cycle finds the impulses that take the sums away (cells as in a marker-and-cell method, a free surface where
/// cells are empty). They are added to the trial. How far to go there is what the search decides (sim/dfsph/line_search.cuh), so
/// that a wrong guess beside disordered particles, surfaces or solids costs an iteration and does no harm.
///
/// Only a fluid with a free surface does so whose pressures are not negative. In a full domain the cells' equations say nothing
/// about the mean pressure, and in a long run a Rayleigh-Taylor instability was slowed by it, or blew up. Low domains
/// (kLeastDepth) do without. Devices that divide a fluid share the sums of the cells (sim/halo.h) and find the same waves.

#include <vector>

#include "core/device/buffer.h"
#include "sim/dfsph/coarse/coarse_grid.h"
#include "sim/dfsph/solve_state.h"
#include "sim/halo.h"
#include "sim/setup.h"
#include "sim/step_control.h"
#include "sim/wcsph/wcsph.h"

namespace riffle::dfsph {

/// Which trials of a density solve have long waves. In a fluid at rest the first one has, and solves then mostly end. In a fluid
/// that moves, the first errors are short waves: trials after them have. A step that is cut short would take a huge pressure for
/// what it takes away of an excess; its solve only has them if it is long.
enum class WaveTurn { Never, Calm, Always };
inline constexpr int kWaveEvery = 4;
inline WaveTurn wave_turn(int iteration) {
  if (iteration == 0) return WaveTurn::Calm;
  return iteration % kWaveEvery == 0 ? WaveTurn::Always : WaveTurn::Never;
}
RIFFLE_INLINE bool wants_waves(WaveTurn turn, float share, const ClockState& clock) {
  const bool calm = share <= kCalmCorrection && !(clock.dt < 0.5f * clock.previous_dt);
  return turn == WaveTurn::Always || (turn == WaveTurn::Calm && calm);
}

class CoarsePressure {
 public:
  /// Width of a cell [spacings], and the most cells: in a larger domain they are wider, which the log says.
  static constexpr int kCellWidth = 4;
  static constexpr std::int64_t kMostCells = std::int64_t{1} << 18;
  /// A domain that is lower than this along gravity [spacings], or has no gravity, does without: iterations reach through a
  /// shallow fluid soon. So a drop under a body force moves as before.
  static constexpr float kLeastDepth = 16;
  static bool is_on(const SimulationSetup& setup);

  /// Bytes of the cells for each fluid particle, of a domain that is a quarter full.
  static std::size_t cell_bytes(int dimension);

  /// bias: as of AddToMean
  CoarsePressure(const SimulationSetup& setup, const Device& device, float bias);
  bool is_on() const { return !levels_.empty(); }
  std::size_t memory_bytes() const;

  /// A solve, on the device.
  struct Problem {
    int particles, walls;
    Halo* halo;                    ///< nullptr: the fluid is not divided
    const std::uint32_t* foreign;  ///< nullptr: none
    wcsph::FluidTable fluids;
    bool clamped;
    const ClockState* clock;
    const SolveState* state;
    const std::uint32_t* fluid;
    Vec4* record;
    const Base* base;
    const float* inverse;
    const Vec4* wall;
    WallConstraint* constraint;
  };
  /// Adds long waves to the trial, if state->waves.
  void add_to_trial(const Problem& problem);

 private:
  void find(const Problem& problem);
  void share_sums(Halo& halo);

  Device device_;
  coarse::Placing placing_;
  float face_, scale_, least_density_;
  Buffer<coarse::CellSums> sums_;  ///< (cells of the first level)
  Buffer<coarse::CellValue> value_;
  Buffer<Vec4> coefficient_;  ///< (cells of all levels), and so on
  Buffer<float> right_, q_, next_;
  Buffer<double> shared_;  ///< (0) until a halo wants it
  std::vector<coarse::Level> levels_;
};

}  // namespace riffle::dfsph
