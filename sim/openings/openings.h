#pragma once
/// The inlets and outlets of a simulation on its device. A nozzle's particles move as its flow is given, by a function of the
/// way that the flow has gone; those in an outlet are marked and taken out.
///
/// The host knows what a step did kOpeningsLag steps later. Then it adds the layers that have room in a nozzle by now, and
/// takes out the particles that were marked in that step: always that many steps later, so that a run repeats, and without
/// waiting for the step that was begun last.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/device/algorithms.h"
#include "core/device/buffer.h"
#include "core/device/late_copy.h"
#include "sim/openings/nozzle.h"
#include "sim/openings/nozzle_flow.h"
#include "sim/openings/opening.h"
#include "sim/openings/openings_report.h"
#include "sim/particle_set.h"
#include "sim/setup.h"
#include "sim/shapes/distance.h"
#include "sim/step_control.h"

namespace riffle {

/// What steps count on the device.
struct OpeningCounts {
  double time = 0;                          ///< [s] up to which the flow has gone
  double way[kMostInlets] = {};             ///< [m] that each inlet's flow has gone
  double speed[kMostInlets] = {};           ///< [m/s] now
  double due[kMostOutlets] = {};            ///< particles that an outlet with a rate may still take
  std::uint64_t taken[kMostOutlets] = {};   ///< particles that each outlet has marked before the last step
  std::uint32_t marked[kMostOutlets] = {};  ///< in the last step
  std::uint32_t inside[kMostOutlets] = {};  ///< particles in an outlet with a rate, in the last step

  friend bool operator==(const OpeningCounts&, const OpeningCounts&) = default;
};

/// A layer of particles that moves as given.
struct NozzleLayer {
  std::uint32_t first_id = 0;  ///< its particles have consecutive ids, in the order of the mouth's sites
  std::uint32_t inlet = 0;
  std::uint64_t number = 0;  ///< of the layers of that inlet since the start, from 0

  friend bool operator==(const NozzleLayer&, const NozzleLayer&) = default;
};

/// What a run goes on from. Marks are an attribute of the particles.
struct KeptOpenings {
  OpeningCounts counts;
  std::vector<OpeningCounts> late;  ///< after the last steps, the oldest first; up to kOpeningsLag
  std::vector<NozzleLayer> layers;
  std::vector<std::uint64_t> made;          ///< (inlets) layers since the start
  std::vector<std::uint32_t> length;        ///< (inlets) layers that a nozzle holds
  std::vector<std::uint64_t> paused_steps;  ///< (inlets)
  std::uint32_t turn = 0;                   ///< steps with length so far
  std::uint32_t standing = 0;               ///< bit i: inlet i is paused

  bool empty() const { return counts == OpeningCounts{} && layers.empty() && turn == 0; }
};

class Openings {
 public:
  /// With outlets: the mark, carried, and what take_out() works with.
  static constexpr const char* kOutflowPlace =
      "outflow place";  ///< an attribute: where a particle is that an outlet moves
  static constexpr std::size_t kBytesPerParticle =
      3 * sizeof(std::uint32_t) + sizeof(std::uint8_t) + sizeof(std::uint32_t);

  /// first_id: of the particles of FilledNozzles, in its order
  Openings(const Device& device, const SimulationSetup& setup, std::uint32_t first_id);
  ~Openings();

  bool any() const { return any_inlet() || any_outlet(); }
  bool any_inlet() const { return !inlets_.empty(); }
  bool any_outlet() const { return !outlets_.empty(); }
  bool any_outflow() const { return std::any_of(outlets_.begin(), outlets_.end(), moves_out); }

  /// Adds the attributes that outlets need. Once.
  void prepare(ParticleSet& particles) const;

  /// After a step with length: the flow goes on, nozzles' particles are put where they belong, those in outlets are marked.
  /// @return how many particles take_out() is to take out now
  int follow(ParticleSet& particles, const ClockState* clock);

  /// Takes out what follow() said, but never the last particle.
  void take_out(ParticleSet& particles, int count);

  /// An inlet that has room for a layer; -1: none. place_layer() or pause() follows.
  int next_due();
  int layer_size(int inlet) const { return static_cast<int>(mouths_[static_cast<std::size_t>(inlet)].size()); }
  /// The particles from `first` on become the next layer of the inlet. All else at them is 0.
  void place_layer(ParticleSet& particles, int first, int inlet, std::uint32_t first_id);
  /// The inlet stands still until next_due() names it in a later step and place_layer() follows.
  void pause(int inlet, const std::string& why);

  OpeningsReport report() const;  ///< waits
  KeptOpenings kept() const;      ///< waits
  /// kept: of the same nozzles; empty: of a run without openings
  void restore(const KeptOpenings& kept, double time);

  std::size_t memory_bytes() const;

 private:
  const OpeningCounts* late_counts() const;
  void upload_layers();
  void move_out(ParticleSet& particles, const ClockState* clock);

  Device device_;
  Domain domain_;
  double spacing_, volume_;  ///< [m], [m^d] of a particle
  double outflow_length_;    ///< [m]
  std::vector<double> rest_density_;
  std::uint64_t seed_;
  std::vector<std::string> names_;  ///< (inlets)
  std::vector<std::vector<std::array<float, 2>>> mouths_;
  std::vector<std::uint32_t> length_;  ///< (inlets) layers of a nozzle
  std::vector<NozzleFlow> host_inlets_;
  Buffer<NozzleFlow> inlets_;
  Buffer<std::array<float, 2>> sites_;
  Buffer<MotionKnot> knots_;
  std::vector<OutletSetup> outlets_;
  Buffer<FlatShape> shapes_;
  Buffer<Corner2> corners_;

  Buffer<OpeningCounts> counts_;
  std::vector<std::unique_ptr<LateCopy>> ring_;           ///< (kOpeningsLag + 1)
  std::vector<std::optional<OpeningCounts>> from_state_;  ///< (kOpeningsLag + 1) in place of the ring's
  std::uint32_t turn_ = 0;

  std::vector<NozzleLayer> layers_;  ///< that move as given, by their first ids
  Buffer<NozzleLayer> on_device_;
  std::vector<std::uint64_t> made_, paused_steps_;
  std::vector<std::string> why_paused_;
  std::uint32_t standing_ = 0;
  std::size_t asked_ = 0;  ///< inlets that have no more layers in this step
  OpeningCounts known_;    ///< the late ones

  Buffer<std::uint8_t> flags_;
  Buffer<std::uint32_t> places_, gone_, selected_;
  ScratchMemory scratch_;
};

}  // namespace riffle
