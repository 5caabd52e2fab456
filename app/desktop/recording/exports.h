#pragma once
/// Everything that leaves the window as a file: recordings, pictures, particles, tables.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/desktop/recording/background_writer.h"
#include "app/desktop/recording/recording.h"
#include "app/run/particle_export.h"

namespace riffle {

struct ViewState;

/// What each picture of a movie is of. Automatic: as seen where the simulation is slower than the movie's clock.
enum class MovieTime { Automatic, EveryMoment, AsSeen };

enum class ExportSize { Window, Hd, FullHd };  ///< the window's picture, 1280 x 720, 1920 x 1080

/// What the user has chosen in the panel.
struct ExportSettings {
  bool pictures = false;  ///< record PNG files in place of a movie
  ExportSize size = ExportSize::Window;
  float frames_per_second = 30;
  float interval = 0;  ///< [s] simulated per frame; 0: the scene's
  MovieTime time = MovieTime::Automatic;
  bool panels = false;
  bool caption = true;
  std::string folder;
  std::string name;  ///< without an ending; "": riffle-<scene>-<date-time>
};

/// How saved and recorded pictures look: as the window does.
PictureLook look_of(const ViewState& view, const ExportSettings& settings);

/// On the window's thread. Every file gets a name that nothing has yet.
class Exports {
 public:
  explicit Exports(Worker& worker);

  ExportSettings settings;
  Recording recording;

  /// What would be recorded if it were started now.
  RecordingPlan next_recording(const WorkerStatus& status, const ViewState& view);
  void start_recording(const WorkerStatus& status, const ViewState& view);
  void toggle_recording(const WorkerStatus& status, const ViewState& view);
  void save_picture(const WorkerStatus& status, const ViewState& view);
  void save_particles(const WorkerStatus& status, const std::string& ending);  ///< ".ply" or ".vtp"
  void save_timings(const WorkerStatus& status);
  void start_diagnostics(const WorkerStatus& status);  ///< a row of the table now, and every frame interval
  void save_diagnostics();

  /// Before every picture of the window: takes in what was written meanwhile.
  void advance(const WorkerStatus& status, const ViewState& view);

  /// "" where ffmpeg is; asked for once, when somebody wants to know.
  const std::string& why_no_movies();
  const std::string& last_saved() const { return last_saved_; }  ///< a line for the user; "" before the first
  void forget_last_saved() { last_saved_.clear(); }
  std::size_t writing() const { return writer_->waiting(); }
  std::deque<Notice> take_notices();

 private:
  std::filesystem::path next_file(const WorkerStatus& status, const std::string& what, const std::string& ending) const;

  Worker& worker_;
  std::shared_ptr<BackgroundWriter> writer_ = std::make_shared<BackgroundWriter>();  ///< the worker may outlive this
  std::optional<std::string> why_no_movies_;
  std::string last_saved_, last_recording_;
  double speed_ = 0;            ///< simulated per second when it last played; 0: not known
  std::uint64_t speed_of_ = 0;  ///< WorkerStatus::scene_version
  std::deque<Notice> notices_;
};

/// ~/Videos where that is, or else the current folder.
std::string default_export_folder();

}  // namespace riffle
