#pragma once
/// The command line.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/device.h"
#include "neighbors/method.h"

namespace riffle {

enum class Command { Run, Check, BenchStep, BenchDraw, Doctor, List, Nothing };

/// What run and check share: which scene, and where.
struct SceneOptions {
  std::string scene;                   ///< name or path
  std::vector<std::string> overrides;  ///< --set key.path=value
  DeviceRequest device = DeviceRequest::Auto;
  std::optional<NeighborMethod> neighbors;  ///< in place of the scene's
  std::optional<std::uint64_t> seed;        ///< in place of the scene's
};

struct RunOptions {
  std::optional<std::uint64_t> steps;  ///< exactly so many
  std::optional<double> time;          ///< [s] simulated, exactly
  std::string out;                     ///< folder; "": output/<scene>
  std::uint64_t image_every = 0;       ///< [steps]; 0: only the last picture
  std::string video;                   ///< file; "": none
  std::string json;                    ///< file; "-": standard output; "": none
  bool quiet = false;
};

struct BenchOptions {
  double from_time = 0;     ///< [s] simulated before anything is measured
  std::uint64_t count = 0;  ///< steps or pictures measured
  std::string json;         ///< file; "-": standard output; "": none
};

struct Options {
  Command command = Command::Nothing;
  SceneOptions scene;
  RunOptions run;
  BenchOptions bench;
  bool wants_window = false;  ///< `riffle [SCENE]` without a command
  int exit_code = 0;          ///< of Command::Nothing: help and version 0, a wrong command line 2
};

/// Prints help, version and mistakes itself.
Options parse_command_line(int argc, char** argv);

}  // namespace riffle
