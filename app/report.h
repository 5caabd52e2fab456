#pragma once
/// What a run has done: the object behind --json, and the summary on the terminal.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenes/scene.h"
#include "sim/simulation.h"

namespace riffle {

struct RunReport {
  std::string scene;
  std::string solver = "wcsph";
  Device device;
  int particles = 0, wall_particles = 0;
  StepReport clock;              ///< at the end
  double wall_seconds = 0;       ///< of the steps, pictures included
  double recording_seconds = 0;  ///< the part of it that pictures took
  NeighborReport neighbors;
  std::vector<StageStats> stages;
  Diagnostics diagnostics;
  bool diagnosed = false;  ///< false: reading the final state failed, and diagnostics says nothing
  std::size_t memory_bytes = 0;
  bool interrupted = false;
  std::string failure;  ///< why the run ended early; "": it did not
  std::vector<std::string> pictures;
  std::string movie;  ///< "": none
  int movie_frames = 0;
  std::vector<std::string> warnings;

  double steps_per_second() const;  ///< without the time that pictures took
};

nlohmann::ordered_json to_json(const RunReport& report);

std::string summary_text(const RunReport& report);

}  // namespace riffle
