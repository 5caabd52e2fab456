#pragma once
/// A scene: the simulation's setup, how long it runs and how it is looked at.

#include <string>
#include <vector>

#include "core/math/camera.h"
#include "sim/setup.h"

namespace riffle {

struct RunSetup {
  double end_time = 2.0;          ///< [s] of simulated time for `riffle run` without --steps or --time
  double frames_per_second = 30;  ///< of the movie, per second of movie
  double time_scale = 1.0;        ///< simulated seconds per second of movie: 0.5 is slow motion

  double frame_interval() const { return time_scale / frames_per_second; }  ///< [s] simulated, between movie frames
};

struct PictureSetup {
  int width = 1280, height = 720;  ///< [pixel], both even: what video encoders need
  bool camera_given = false;       ///< false: whoever draws frames the domain
  Camera camera;                   ///< when camera_given
  std::string look = "auto";       ///< auto | spheres | fluid; auto: whoever draws decides
  std::string color_by = "auto";   ///< auto | speed | density | fluid; auto: follows from the look
  std::string colormap = "viridis";
  bool automatic_range = true;         ///< false: range_min..range_max is the colour scale
  float range_min = 0, range_max = 1;  ///< in the unit of color_by
  float particle_scale = 1.0f;         ///< drawn diameter in particle spacings
  std::string quality = "auto";        ///< auto | quick | full; auto: whoever draws decides
  float foam = -1;                     ///< [m/s] from which the fluid look whitens; 0: never; negative: auto
};

/// Something legal that is probably not meant.
struct SceneWarning {
  std::string where;  ///< "file:line:column", or "--set key.path"
  std::string key;    ///< "bodies[1]"
  std::string text;

  std::string message() const;  ///< one line, as printed
};

struct Scene {
  std::string path;  ///< the file, for messages
  std::string name;
  std::string description;
  SimulationSetup simulation;
  RunSetup run;
  PictureSetup picture;
  std::vector<SceneWarning> warnings;
};

}  // namespace riffle
