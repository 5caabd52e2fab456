#pragma once
/// The options of `riffle run` and `riffle resume`.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/command/scene_options.h"
#include "scenes/document/parameters.h"

namespace CLI {
class App;
}

namespace riffle {

struct RunOptions {
  SceneOptions scene;
  std::optional<std::uint64_t> steps;        ///< exactly this number, from the start or from the state on
  std::optional<double> time;                ///< [s] simulated, exactly; as all simulated times in the scene's unit
  std::string out;                           ///< folder; "": output/<scene>
  std::uint64_t image_every = 0;             ///< [steps]; 0: only the last picture
  bool no_picture = false;                   ///< not even the last one
  std::string video;                         ///< file; "": none
  std::string look;                          ///< "spheres" or "fluid", in place of the scene's; "": the scene's
  std::string json;                          ///< file; "-": standard output; "": none
  std::string series;                        ///< file; "": none
  double series_every = 0;                   ///< [s] simulated; 0: the movie's frames
  std::optional<double> means_from;          ///< [s] simulated; nothing: no means
  std::string radial_distribution;           ///< file of g(r); "": none
  std::string displacements;                 ///< file of mean square displacements; "": none
  double structure_every = 0;                ///< [s] simulated between the states of both; 0: the movie's frames
  std::optional<double> structure_from;      ///< [s] simulated; nothing: the start of this run
  double displacement_lag = 0;               ///< [s] the longest; 0: a tenth of what is measured
  std::string probes;                        ///< file; "": none
  double probes_every = 0;                   ///< [s] simulated; 0: time.probe_interval
  std::string particles;                     ///< file of the last state, of a format of particle_formats(); "": none
  double particles_every = 0;                ///< [s] simulated between the files of a series; 0: only the last state
  std::vector<std::string> particle_fields;  ///< that files of particles have; none: all
  std::string surface;                       ///< file of the last surface, of surface_formats(); "": none
  double surface_every = 0;                  ///< [s] simulated between the files of a series; 0: only the last surface
  std::string checkpoint;                    ///< file of the states, .h5; "": state.h5 in `out`, if there are to be any
  double checkpoint_every = 0;     ///< [s] simulated between states; 0: only at the end, if `checkpoint` is given
  bool no_checkpoint = false;      ///< keeps no states, even if the run that a state is of kept some
  bool inherits_interval = false;  ///< checkpoint_every is that of the run that the state is of
  bool inherits_file = false;      ///< likewise the name of `checkpoint`
  bool quiet = false;
  bool no_guard = false;  ///< holds no state to go back to
  bool recover = false;   ///< goes back to it after a fault, and on with shorter steps

  bool has_checkpoints() const { return !checkpoint.empty() || checkpoint_every > 0; }
  std::vector<scenes::Parameter> parameters;  ///< of the scene with all options
};

/// Those of `run`: a scene, where it is computed, when it ends and what is written.
void add_run_options(CLI::App& command, RunOptions& options);

/// Those of `resume`: the same with a state file in place of the scene, RunOptions::scene.scene.
void add_resume_options(CLI::App& command, RunOptions& options);

}  // namespace riffle
