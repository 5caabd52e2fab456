#pragma once
/// Where a run writes.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/run/new_folders.h"
#include "app/run/run_options.h"
#include "scenes/scene.h"

namespace riffle {

/// The outputs of the run. Checks before the first step that they can be written.
struct Outputs {
  std::filesystem::path folder, movie, json, series, radial_distribution, displacements, probes, particles, surface;
  std::vector<std::string> particle_fields;  ///< that files of particles have; none: all
  std::filesystem::path checkpoint;          ///< "": no states are wanted
  std::filesystem::path good_state;          ///< of the last moment before a fault; "": none is held
  bool json_to_stdout = false;

  /// @throws InputError for names that collide, RuntimeFailure for a place that cannot be written to
  Outputs(const scenes::Scene& scene, const RunOptions& options);

  std::filesystem::path final_picture() const { return folder / "final.png"; }
  static std::string numbered_picture(std::uint64_t step);

 private:
  void make_folder(const std::filesystem::path& made);
  void make_folder_of(const std::filesystem::path& file);
  /// Refuses two outputs in one file, before anything is written: only the later one would remain.
  void refuse_collisions(const scenes::Scene& scene, const RunOptions& options) const;
  void refuse_checkpoint() const;

  NewFolders new_folders_;
};

}  // namespace riffle
