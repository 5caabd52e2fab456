#pragma once
/// A scene: the simulation's setup, how long it runs and how it is looked at.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/math/camera.h"
#include "core/text/words.h"
#include "scenes/document/changed_keys.h"
#include "scenes/warning.h"
#include "sim/measure/quantity.h"
#include "sim/probes/probe.h"
#include "sim/setup.h"

namespace riffle::scenes {

enum class PaceChoice { Free, Real };
inline constexpr Word<PaceChoice> kPaceWords[] = {
    {PaceChoice::Free, "free", "steps and bounds of errors are those of the scene, however long they take"},
    {PaceChoice::Real, "real",
     "while a second of the simulation takes more than a second, steps become longer and bounds of errors wider, "
     "within "
     "limits; they come back when there is time"},
};
constexpr std::span<const Word<PaceChoice>> words_of(PaceChoice) { return kPaceWords; }

struct RunSetup {
  PaceChoice pace = PaceChoice::Free;
  double end_time = 2.0;          ///< [s] simulated, of `riffle run` without --steps or --time
  double frames_per_second = 30;  ///< of the movie, per second of movie
  double time_scale = 1.0;        ///< simulated seconds per second of movie: 0.5 is slow motion

  double probe_interval = 0;  ///< [s] simulated, between rows of `--probes`; 0: the movie's frames

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

enum class QualityChoice { Auto, Quick, Full };
inline constexpr Word<QualityChoice> kQualityWords[] = {
    {QualityChoice::Auto, "auto",
     "where a GPU draws, what it does without loss of speed; where the processor draws, `full` for the pictures of "
     "`riffle run` of up to 1920 x 1080 pixels, and `quick` for movies and the window"},
    {QualityChoice::Quick, "quick", "smooth outlines; floor and shadow in the fluid look only"},
    {QualityChoice::Full, "full", "2 x 2 samples per pixel, ambient occlusion, floor and shadow"},
};
constexpr std::span<const Word<QualityChoice>> words_of(QualityChoice) { return kQualityWords; }

/// A plane that leaves out the particles on one side of it, so that one sees inside. 2-D pictures have none.
struct CutSetup {
  int axis = -1;            ///< normal: 0, 1 or 2; -1: no cut
  float at = 0;             ///< [m] along the axis
  bool other_side = false;  ///< false: the particles below it are drawn; true: those above

  bool operator==(const CutSetup&) const = default;
};

/// What stands still in pictures of a scene whose domain moves.
enum class SeenFrom { World, Domain };
inline constexpr Word<SeenFrom> kSeenFromWords[] = {
    {SeenFrom::World, "world", "the domain moves in the picture"},
    {SeenFrom::Domain, "domain", "the camera moves with it"},
};
constexpr std::span<const Word<SeenFrom>> words_of(SeenFrom) { return kSeenFromWords; }

/// The grey gradient behind everything. Auto: a light one in pictures and movies of `riffle run`, the appearance's in the window.
enum class StudioChoice { Auto, Dark, Light };

struct PictureSetup {
  int width = 1280, height = 720;  ///< [pixel], both even: what video encoders need
  bool camera_given = false;       ///< false: whoever draws frames the domain
  Camera camera;                   ///< when camera_given
  float camera_aspect = 0;         ///< width over height of what it must show at least; 0: those of the size
  SeenFrom seen_from = SeenFrom::World;
  LookChoice look = LookChoice::Auto;  ///< Auto: settle_picture() decides
  std::optional<Quantity> color_by;    ///< what colours show; nullopt: settle_picture() decides
  std::string colormap = "viridis";
  bool automatic_range = true;                  ///< false: range_min..range_max is the colour scale
  float range_min = 0, range_max = 1;           ///< in the unit of color_by
  float particle_scale = 1.0f;                  ///< drawn diameter in particle spacings
  QualityChoice quality = QualityChoice::Auto;  ///< Auto: the renderer decides
  float foam = -1;                              ///< [m/s] from which the fluid look whitens; 0: never; negative: auto
  CutSetup cut;
  std::optional<Vec3> background;            ///< sRGB, 0..1; nullopt: a grey gradient
  StudioChoice studio = StudioChoice::Auto;  ///< that gradient, where there is no colour
  bool transparent = false;                  ///< PNG files have alpha in place of it; movies and the window have it
  std::optional<bool> floor;                 ///< and its shadow, in 3-D; nullopt: as look and quality have it
  bool legend = true;
  bool caption = true;  ///< time and number of particles, in movies and saved pictures
  bool box = true;      ///< the domain's edges
  bool solids = true;
};

/// A change of keys while the scene runs (scenes/scene_events.h).
struct SceneEvent {
  std::uint64_t step = 0;  ///< it acts when the run has made that many steps, before the next one
  std::vector<std::pair<std::string, std::string>> set;  ///< paths of keys and their values as YAML, in this order
  bool live = false;                                     ///< the solver goes on with other parameters
  bool search = false;                                   ///< the neighbour search starts again
  std::vector<KeyChange> changes = {};                   ///< what it makes of the scene as it was before it
  std::shared_ptr<const SimulationSetup> after = {};     ///< what the simulation has from it on
  std::string where = {};                                ///< as Warning has it
};

struct Scene {
  std::string path;                 ///< the file, for messages
  bool is_new = false;              ///< it has no file, even if there is one at `path`
  std::vector<std::string> inputs;  ///< other files that it was made from: particles
  std::string name;
  std::string description;
  SimulationSetup simulation;
  std::vector<ProbeSetup> probes;
  std::vector<SceneEvent> events;  ///< by their steps
  RunSetup run;
  PictureSetup picture;
  std::vector<Warning> warnings;
  std::vector<IdleKey> idle_keys;
};

}  // namespace riffle::scenes
