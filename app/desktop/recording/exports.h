#pragma once
/// Files that the window saves: recordings, pictures, particles, tables.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/desktop/platform/export_settings.h"
#include "app/desktop/recording/background_writer.h"
#include "app/desktop/recording/recording.h"
#include "app/desktop/recording/state_wish.h"
#include "app/run/particle_export.h"

namespace riffle {
struct SavedScene;
}

namespace riffle::desktop {

class Playback;
struct ViewState;

double frames_per_second(const ExportSettings& settings, const WorkerStatus& status);  ///< of the next movie
double usual_interval(const ExportSettings& settings, const WorkerStatus& status);     ///< [s] simulated, at its pace

/// The look of saved and recorded pictures: that of the window, but for the legend, which lies where `riffle run` puts it.
/// Only PNG files can be transparent.
PictureLook look_of(const ViewState& view, const ExportSettings& settings, bool png);

struct PictureSize {
  int width = 0, height = 0;  ///< [pixel]
};

/// The look of a single saved picture: the window's view in the quality that `riffle run` gives its pictures.
PictureLook still_of(PictureLook look, PictureSize size, bool software_gl);

/// The window's view in a picture of another size: all that it shows is there, as `riffle run` draws it once the view is
/// kept.
/// @param seen  the view's size, from which `picture` is framed; the window may have another one since
PictureLook framed(PictureLook look, const ViewState& view, const scenes::Scene& scene, PictureSize seen,
                   PictureSize picture);

/// For the window's thread. Every file gets a new name; none is replaced.
class Exports {
 public:
  explicit Exports(Worker& worker);

  ExportSettings settings;
  Recording recording;

  /// The recording that would begin now.
  RecordingPlan next_recording(const WorkerStatus& status, const ViewState& view);
  void start_recording(const WorkerStatus& status, const ViewState& view);
  void toggle_recording(const WorkerStatus& status, const ViewState& view);
  void save_picture(const WorkerStatus& status, const ViewState& view);
  void save_particles(const WorkerStatus& status, const std::string& ending);  ///< ".ply" or ".vtp"
  void save_surface(const WorkerStatus& status);      ///< of the fluids, in the format of the settings
  void toggle_particles(const WorkerStatus& status);  ///< starts or ends the series of particles
  void toggle_surfaces(const WorkerStatus& status);   ///< the same with the surface, in the format of the settings
  void save_timings(const WorkerStatus& status);
  /// Writes a state of the present run, in place of a file of that name. @param state for which the scene is
  void save_state(const std::filesystem::path& file, SavedScene scene, std::uint64_t state);
  int states_asked() const { return states_asked_; }      ///< for so far, of save_state()
  const StateWish& last_state() const { return state_; }  ///< of the last save_state()
  void save_diagnostics(const WorkerStatus& status);      ///< the table since time 0

  /// Something was to be saved in a folder that does not exist, and waits for the user's answer; "" for no question.
  const std::string& missing_folder() const { return missing_folder_; }
  /// The answer. @param make  makes the folder, and saves
  void answer_missing_folder(bool make, const WorkerStatus& status, const ViewState& view);

  /// What is being written when the window is closed, in words and with how far it is; "" for nothing. While the
  /// program ends, call finish() first and then this until it is "".
  std::string unfinished() const;
  void finish(const WorkerStatus& status);  ///< ends what is being recorded and saved; the files are completed
  void end_early();                         ///< after finish(): no more is written than what is needed for whole files
  void go_on();                             ///< the program does not end after all
  bool ends_early() const { return early_; }

  /// Call this before every picture of the window: notes what has been written.
  void advance(const WorkerStatus& status, const ViewState& view);

  /// Of the recording in progress.
  PictureLook recorded_look(const WorkerStatus& status, const ViewState& view);

  /// "" if ffmpeg is there. Looked up once, at the first call.
  const std::string& why_no_movies();
  const std::string& last_saved() const { return last_saved_; }     ///< a line for the user; "" before the first
  void note_saved(const std::string& file) { last_saved_ = file; }  ///< by others
  void forget_last_saved() { last_saved_.clear(); }
  std::size_t writing() const { return writer_->waiting(); }
  std::deque<Notice> take_notices();

 private:
  std::filesystem::path next_file(const WorkerStatus& status, const std::string& what, const std::string& ending) const;

  using Save = std::function<void(const WorkerStatus& status, const ViewState& view)>;
  bool may_write(const std::string& refusal, Save again);
  void start_particles(const WorkerStatus& status);
  void start_surfaces(const WorkerStatus& status);

  /// Files at regular times.
  struct Series {
    const char* refusal;  ///< title of a notice
    const char* what;     ///< "particles"
    void (Playback::*finish)();
    std::shared_ptr<BackgroundWriter> writer = std::make_shared<BackgroundWriter>();
    std::string saved = {};  ///< what is being saved, a line for the user; "": nothing
    bool failed = false;
  };
  void follow(Series& series, const std::optional<SavedFiles>& now, const std::optional<SavedFiles>& ended);

  Worker& worker_;
  std::shared_ptr<BackgroundWriter> writer_ =
      std::make_shared<BackgroundWriter>();  ///< shared with the worker, which may outlive this
  Series particles_, surfaces_;
  bool early_ = false;
  std::string missing_folder_;
  Save waiting_;                                            ///< for the answer about missing_folder_
  std::string named_in_;                                    ///< the scene's file when settings.name was last looked at
  PictureSize recorded_from_;                               ///< of the window's picture when the recording began
  std::optional<Camera> recorded_camera_;                   ///< of the first picture, until the camera is moved
  bool recorded_moves_ = false;                             ///< it was moved: the legend would jump between places
  std::shared_ptr<bool> asked_ = std::make_shared<bool>();  ///< also held by what the worker has still to do for a file
  StateWish state_;
  int states_asked_ = 0;
  std::optional<std::string> why_no_movies_;
  std::string last_saved_, last_recording_;
  std::uint64_t note_of_ = 0;  ///< WorkerStatus::scene_version of last_saved_
  /// What decides how fast a simulation is.
  struct Pacemaker {
    std::uint64_t scene_version = 0;
    int particles = 0, wall_particles = 0, dimension = 0;
    SolverKind solver{};
    bool gpu = false;
    /// Within a factor of two of its particles: inlets and outlets change their number all the time.
    bool is_as_fast_as(const Pacemaker& other) const;
  };
  static Pacemaker pacemaker_of(const WorkerStatus& status);

  double speed_ = 0;    ///< simulated per second when it last played; 0: unknown
  Pacemaker speed_of_;  ///< another simulation has another speed
  std::deque<Notice> notices_;
};

/// ~/Videos if it exists, otherwise the current folder.
std::string default_export_folder();

}  // namespace riffle::desktop
