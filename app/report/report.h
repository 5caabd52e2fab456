#pragma once
/// The result of a run: the object behind --json, and the summary on the terminal.

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/report/contact_text.h"
#include "app/report/fastest_particle.h"
#include "app/report/series_means.h"
#include "app/report/structure_report.h"
#include "scenes/document/changed_keys.h"
#include "scenes/scene.h"
#include "sim/measure/pair_mixing.h"
#include "sim/simulation.h"
#include "sim/units.h"
#include "validation/mixing.h"

namespace riffle {

struct RunReport {
  std::string scene;
  std::string solver;
  nlohmann::ordered_json parameters;  ///< every key of the scene with its value
  Units units = kSiUnits;             ///< of the text; the JSON has numbers without units
  Device device;
  int particles = 0, wall_particles = 0;
  int dimension = 3;
  bool mirrors = false;            ///< has_mirrors()
  StepReport clock;                ///< at the end
  double wall_seconds = 0;         ///< of the steps, and of what was measured, drawn and written between them
  double recording_seconds = 0;    ///< the part of it that pictures took
  double diagnostics_seconds = 0;  ///< the part that the rows of a series and the looks at the whole state took
  double file_seconds = 0;         ///< the part that files of particles and surfaces took
  NeighborReport neighbors;
  std::optional<TuningReport> tuning;  ///< of neighbors.method: auto
  std::vector<StageStats> stages;
  Diagnostics diagnostics;
  FastestParticle fastest;  ///< of this run
  std::vector<std::string> inlet_names, outlet_names;
  std::string volume_unit;              ///< of the text
  std::vector<std::string> load_names;  ///< of solids and faces, and what the fluid does to them
  std::vector<SolidLoad> loads;         ///< empty: none is measured
  double local_temperature = std::numeric_limits<double>::quiet_NaN();  ///< [kT] with dpd
  bool diagnosed = false;  ///< false: reading the final state failed, and diagnostics says nothing
  std::size_t memory_bytes = 0;
  bool interrupted = false;
  std::string failure;  ///< why the run ended early; "": it did not
  std::vector<std::string> pictures;
  std::string movie;  ///< "": none
  int movie_frames = 0;
  std::string spheres;       ///< how the last picture's were drawn; "": no picture
  std::string series;        ///< "": none
  std::string changes_file;  ///< beside it, of parameters that were changed; "": none
  nlohmann::ordered_json probe_places = nlohmann::ordered_json::object();
  std::string probes;         ///< file of --probes; "": none
  std::string particle_file;  ///< "": none
  struct Surface {
    std::string file;  ///< of the last surface; of a series its list or pattern
    std::uint64_t files = 0;
    std::uint64_t triangles = 0;  ///< of the last one, likewise the others
    double volume = 0, volume_of_particles = 0;
    std::uint32_t left_out = 0;  ///< particles

    /// By how much the volume differs from that of the particles.
    double percent() const { return volume_of_particles > 0 ? 100 * (volume / volume_of_particles - 1) : 0; }
  };
  std::optional<Surface> surface;  ///< of --surface
  struct Resumed {
    std::string file;
    std::uint64_t step = 0;
    double time = 0;                              ///< [s]
    std::vector<scenes::KeyChange> changes = {};  ///< of parameters there
  };
  std::optional<Resumed> resumed;  ///< the state that it went on from
  struct Event {
    std::uint64_t step = 0;  ///< before the next one
    double time = 0;         ///< [s]
    std::vector<scenes::KeyChange> changes = {};
  };
  std::vector<Event> events;                  ///< of the scene, that have acted in this run
  std::vector<std::uint64_t> events_to_come;  ///< steps of those that it did not come to
  struct States {
    std::string file;
    std::uint64_t written = 0;
    double seconds = 0;  ///< of wall time until the disk had one, on average; the run goes on meanwhile
  };
  std::optional<States> state;  ///< the file of --checkpoint
  struct Pace {
    double share = 0, largest_share = 0;  ///< by which it was eased at the end, and at most
    std::string settings;                 ///< those at the end, in words
  };
  std::optional<Pace> pace;                  ///< of time.pace: real
  std::optional<SeriesMeans> means;          ///< of --means-from
  std::optional<StructureReport> structure;  ///< of --radial-distribution and --displacements
  std::string structure_text;                ///< in words
  struct Recovery {
    std::string fault;                       ///< what had happened
    std::uint64_t fault_step = 0, step = 0;  ///< of the fault, and of the state that the run went back to
    double fault_time = 0, time = 0;         ///< [s] likewise
    double step_share = 1;                   ///< of the step's length from there on
  };
  std::vector<Recovery> recoveries;  ///< of --recover
  std::string good_state;            ///< file of the state before a fault; "": none was written
  ContactHistory contact;
  std::optional<PairMixing> pairs;       ///< of several fluids
  bool parting = false;                  ///< their domains have a size
  std::optional<MixingMeasures> mixing;  ///< of two fluids with an interface between them
  std::vector<std::string> warnings;

  double stepping_seconds() const;
  double steps_per_second() const;                                                         ///< without what is no step
  std::uint64_t steps_done() const { return clock.step - (resumed ? resumed->step : 0); }  ///< by this run
  double time_done() const { return clock.time - (resumed ? resumed->time : 0); }          ///< [s] by this run
  double real_time_factor() const;  ///< simulated over wall time, without what is no step
};

/// The shortest double that prints as the float does: 0.1f gives 0.1, not 0.10000000149011612.
double shortest(float value);

nlohmann::ordered_json to_json(const RunReport& report);
nlohmann::ordered_json to_json(const TuningReport& tuning);
/// The search, its lists and how many neighbours there are.
/// @param particles of the simulation
nlohmann::ordered_json to_json(const NeighborReport& neighbors, const std::optional<TuningReport>& tuning,
                               int particles);
/// Pair rates of a run with that many [particle-steps/s].
nlohmann::ordered_json gpips_json(const NeighborReport& neighbors, double rate);

std::string summary_text(const RunReport& report);

}  // namespace riffle
