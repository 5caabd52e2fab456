#pragma once
/// The command line.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/device/device.h"
#include "neighbors/method.h"
#include "render/sphere_method.h"

namespace riffle {

enum class Command {
  Run,
  Check,
  Audit,
  BenchStep,
  BenchDraw,
  BenchNeighbors,
  BenchRng,
  BenchRtnn,
  Validate,
  Doctor,
  List,
  Nothing
};

/// What run and check share: which scene, and where.
struct SceneOptions {
  std::string scene;                   ///< name or path
  std::vector<std::string> overrides;  ///< --set key.path=value
  DeviceRequest device = DeviceRequest::Auto;
  std::optional<NeighborMethod> neighbors;  ///< in place of the scene's
  bool automatic_neighbors = false;         ///< --neighbors auto
  std::optional<std::uint64_t> seed;        ///< in place of the scene's
};

struct RunOptions {
  std::optional<std::uint64_t> steps;  ///< exactly so many
  std::optional<double> time;          ///< [s] simulated, exactly
  std::string out;                     ///< folder; "": output/<scene>
  std::uint64_t image_every = 0;       ///< [steps]; 0: only the last picture
  std::string video;                   ///< file; "": none
  std::string look;                    ///< "spheres" or "fluid", in place of the scene's; "": the scene's
  std::string json;                    ///< file; "-": standard output; "": none
  std::string series;                  ///< file; "": none
  double series_every = 0;             ///< [s] simulated; 0: the movie's frames
  std::string particles;               ///< file of the last state, .ply or .vtp; "": none
  bool quiet = false;
};

struct BenchOptions {
  double from_time = 0;                       ///< [s] simulated before anything is measured
  std::uint64_t count = 0;                    ///< steps or pictures measured
  SphereMethod spheres = SphereMethod::Auto;  ///< of pictures
  int steps_per_picture = 0;                  ///< done before each picture, and measured with it
  std::string json;                           ///< file; "-": standard output; "": none
};

struct NeighborBenchOptions {
  std::vector<std::string> scenarios;  ///< "fenns1" ... "scene"; none with `from`
  std::string scene;                   ///< of the scenario "scene"
  double from_time = 0;                ///< [s] simulated before that scene's particles are taken
  DeviceRequest device = DeviceRequest::Auto;
  std::vector<NeighborMethod> methods;  ///< all when none is given
  std::int64_t max_particles = 0;       ///< larger rows are left out; 0: none is
  int runs = 20;                        ///< timed, of each row
  double row_seconds = 20;              ///< after so long no further run of a row is begun
  std::string csv, json, plots;         ///< files and a folder; json "-": standard output; "": none
  std::string from;                     ///< a saved JSON report to show in place of measuring; "": none
  std::string command;                  ///< as given, for the report
};

struct RngBenchOptions {
  DeviceRequest device = DeviceRequest::Auto;
  std::int64_t count = 10000000;  ///< numbers of each row
  std::uint64_t seed = 1;
  std::string csv, json;  ///< files; "-": standard output; "": none
  std::string command;    ///< as given, for the report
};

struct RtnnBenchOptions {
  std::vector<std::string> clouds;  ///< names of cloud_kinds(), or files; never none
  std::int64_t count = 100000;      ///< points of those that are made up
  std::uint64_t seed = 1;
  bool drop_bad_points = false;           ///< of files, in place of refusing them
  double radius = 0;                      ///< 0: so that kRtnnMeanCount points are in a ball on average
  int neighbors = 0;                      ///< K; 0: 32 of range search, 8 of nearest neighbours
  bool range = true, knn = true;          ///< which searches
  bool shuffled = true, in_order = true;  ///< orders of the points, and so of the queries
  std::string sweep = "none";             ///< "radius", "neighbors", "leaf"
  int leaf = 0;                           ///< points per leaf; 0: the device's own
  DeviceRequest device = DeviceRequest::Auto;
  int runs = 20;            ///< timed, of each row
  double row_seconds = 20;  ///< after so long no further run of a row is begun
  std::string csv, json;    ///< files; "-": standard output; "": none
  std::string command;      ///< as given, for the report
};

struct AuditOptions {
  std::uint64_t steps = 100;
  std::uint64_t every = 10;  ///< [steps]
  std::string json;          ///< file; "-": standard output; "": none
};

struct ValidateOptions {
  std::vector<std::string> cases;  ///< all when none is given
  bool list = false;               ///< name them and do nothing else
  bool full = false;               ///< the size that the acceptance is stated for
  DeviceRequest device = DeviceRequest::Auto;
  std::string out = "output/validation";  ///< folder of curves and pictures
  std::string reference;                  ///< folder of the reference tables; "": where they are installed
  std::string json;                       ///< file; "-": standard output; "": none
  std::string markdown;                   ///< file of the tables as docs/validation.md has them; "": none
  std::string command;                    ///< as given, for the report
};

struct Options {
  Command command = Command::Nothing;
  SceneOptions scene;
  RunOptions run;
  BenchOptions bench;
  NeighborBenchOptions neighbors;
  RngBenchOptions rng;
  RtnnBenchOptions rtnn;
  AuditOptions audit;
  ValidateOptions validate;
  bool wants_window = false;  ///< `riffle [SCENE]` without a command and without what only a run has
  int exit_code = 0;          ///< of Command::Nothing: help and version 0, a wrong command line 2
};

/// Prints help, version and mistakes itself.
Options parse_command_line(int argc, char** argv);

}  // namespace riffle
