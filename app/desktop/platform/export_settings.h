#pragma once
/// The user's choices for pictures, movies and files of particles.

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace riffle::desktop {

/// How a movie's pictures are chosen. Automatic: as seen if the simulation is slower than the movie, else every moment.
enum class MovieTime { Automatic, EveryMoment, AsSeen };

/// As the window's picture, as the scene's picture.size, or one of kFixedSizes.
enum class ExportSize { Window, Scene, Hd, FullHd, UltraHd, Portrait, Square };

struct FixedSize {
  ExportSize size;
  const char* word;  ///< in the list and in settings that are kept
  int width, height;
};

inline constexpr FixedSize kFixedSizes[] = {{ExportSize::Hd, "1280 x 720", 1280, 720},
                                            {ExportSize::FullHd, "1920 x 1080", 1920, 1080},
                                            {ExportSize::UltraHd, "3840 x 2160", 3840, 2160},
                                            {ExportSize::Portrait, "1080 x 1920", 1080, 1920},
                                            {ExportSize::Square, "1080 x 1080", 1080, 1080}};

/// The user's choice in the panel.
struct ExportSettings {
  bool pictures = false;  ///< record PNG files instead of a movie
  ExportSize size = ExportSize::Window;
  float frames_per_second = 0;  ///< of the movie; 0: the scene's
  float interval = 0;           ///< [s] simulated per frame; 0: the scene's time_scale decides
  MovieTime time = MovieTime::Automatic;
  bool panels = false;
  std::string particle_ending = ".vtp";  ///< of a series of particles (particle_formats())
  std::string surface_ending = ".vtp";   ///< of surface_formats()
  float particle_interval = 0;           ///< [s] simulated between its files; 0: the scene's frames
  float surface_interval = 0;            ///< the same of a series of surfaces
  std::string folder;
  std::string name;  ///< without an ending; "": riffle-<scene>-<date-time>
};

/// What is kept from one start to the next: sizes, formats and how moments are chosen. Folder and name belong to where
/// Riffle was started, and intervals to a scene's times.
nlohmann::json kept_choices(const ExportSettings& settings);

/// Takes them over; a choice that is missing stays. @throws std::exception if one is not what kept_choices() gives
void take_kept_choices(const nlohmann::json& json, ExportSettings& settings);

}  // namespace riffle::desktop
