#pragma once
/// One function per command, each in its own file. They return the exit code and throw InputError, Unavailable or
/// RuntimeFailure, which main() prints.

#include <functional>
#include <string>

#include "app/cli/options.h"
#include "scenes/load.h"

namespace riffle {

int run_scene(const SceneOptions& scene, const RunOptions& run);
int check_scene(const SceneOptions& scene);
int bench_step(const SceneOptions& scene, const BenchOptions& bench);
int bench_draw(const SceneOptions& scene, const BenchOptions& bench);
int bench_neighbors(const NeighborBenchOptions& options);
int bench_rng(const RngBenchOptions& options);
int bench_rtnn(const RtnnBenchOptions& options);
int audit_scene(const SceneOptions& scene, const AuditOptions& options);
int validate_physics(const ValidateOptions& options);

/// @param why_no_window tries the display: "" where a window could be opened on it
int examine_machine(const std::function<std::string()>& why_no_window);

int list_scenes_and_methods();

/// Finds and reads the scene, with what the command line says in place of its keys. @throws InputError
SceneSource source_with_options(const SceneOptions& options);

/// Finds and loads the scene, with the command line's overrides, method and seed; logs its warnings.
Scene load_with_options(const SceneOptions& options);

}  // namespace riffle
