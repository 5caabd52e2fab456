#pragma once
/// A scene: the simulation's setup, how long it runs and how it is looked at.

#include <string>
#include <vector>

#include "core/math/camera.h"
#include "core/text/words.h"
#include "scenes/warning.h"
#include "sim/setup.h"

namespace riffle::scenes {

struct RunSetup {
  double end_time = 2.0;          ///< [s] simulated, of `riffle run` without --steps or --time
  double frames_per_second = 30;  ///< of the movie, per second of movie
  double time_scale = 1.0;        ///< simulated seconds per second of movie: 0.5 is slow motion

  double frame_interval() const { return time_scale / frames_per_second; }  ///< [s] simulated, between movie frames
};

/// How particles are drawn.
enum class LookChoice { Auto, Spheres, Fluid };
inline constexpr Word<LookChoice> kLookWords[] = {
    {LookChoice::Auto, "auto", "`fluid` if one fluid in 3-D, not of `dpd`, is drawn by a GPU, otherwise `spheres`"},
    {LookChoice::Spheres, "spheres", "one sphere for every particle"},
    {LookChoice::Fluid, "fluid",
     "the common surface of the particles, as water with its colour; in 2-D an area with a "
     "smooth outline"},
};
constexpr std::span<const Word<LookChoice>> words_of(LookChoice) { return kLookWords; }

/// The quantity that colours show.
enum class ColorChoice { Auto, Speed, Density, Fluid };
inline constexpr Word<ColorChoice> kColorWords[] = {
    {ColorChoice::Auto, "auto", "`fluid` in the fluid look and with several fluids, otherwise `speed`"},
    {ColorChoice::Speed, "speed"},
    {ColorChoice::Density, "density"},
    {ColorChoice::Fluid, "fluid"},
};
constexpr std::span<const Word<ColorChoice>> words_of(ColorChoice) { return kColorWords; }

enum class QualityChoice { Auto, Quick, Full };
inline constexpr Word<QualityChoice> kQualityWords[] = {
    {QualityChoice::Auto, "auto",
     "where a GPU draws, what it does without loss of speed; where the processor draws, `full` for the pictures of "
     "`riffle run` of up to 1920 x 1080 pixels, and `quick` for movies and the window"},
    {QualityChoice::Quick, "quick", "smooth outlines; floor and shadow in the fluid look only"},
    {QualityChoice::Full, "full", "2 x 2 samples per pixel, ambient occlusion, floor and shadow"},
};
constexpr std::span<const Word<QualityChoice>> words_of(QualityChoice) { return kQualityWords; }

struct PictureSetup {
  int width = 1280, height = 720;            ///< [pixel], both even: what video encoders need
  bool camera_given = false;                 ///< false: whoever draws frames the domain
  Camera camera;                             ///< when camera_given
  LookChoice look = LookChoice::Auto;        ///< Auto: settle_picture() decides
  ColorChoice color_by = ColorChoice::Auto;  ///< Auto: settle_picture() decides
  std::string colormap = "viridis";
  bool automatic_range = true;                  ///< false: range_min..range_max is the colour scale
  float range_min = 0, range_max = 1;           ///< in the unit of color_by
  float particle_scale = 1.0f;                  ///< drawn diameter in particle spacings
  QualityChoice quality = QualityChoice::Auto;  ///< Auto: the renderer decides
  float foam = -1;                              ///< [m/s] from which the fluid look whitens; 0: never; negative: auto
};

struct Scene {
  std::string path;  ///< the file, for messages
  std::string name;
  std::string description;
  SimulationSetup simulation;
  RunSetup run;
  PictureSetup picture;
  std::vector<Warning> warnings;
  std::vector<IdleKey> idle_keys;
};

}  // namespace riffle::scenes
