#include "app/run/run_outputs.h"

#include <fmt/format.h>

#include <system_error>
#include <vector>

#include "app/report/parameter_changes.h"
#include "app/run/numbered_files.h"
#include "app/run/particle_export.h"
#include "app/run/state_before.h"
#include "app/run/surface_export.h"
#include "app/state/state_file.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/output_files.h"
#include "core/text/printable.h"
#include "render/media/video.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

constexpr const char* kGoodState = "the last good state";
constexpr const char* kStateBefore = "the state of before";

/// The file that a single export writes beside its own; "": none. A .pvd is of a series only.
fs::path list_of_particles(const fs::path& particles) {
  for (const ParticleFormatRow& row : particle_formats())
    if (row.one_file && *row.list != 0 && particles.extension() == row.ending)
      return fs::path(particles).replace_extension(row.list);
  return {};
}

/// Of a file that an XML file beside it names: XML has no way to write other names.
void refuse_name_without_xml(const char* option, const fs::path& file) {
  const std::string name = file.filename().string(), shown = printable_line(name);
  if (shown != name)
    throw InputError(
        fmt::format("{}: found the name '{}'; allowed: UTF-8 without control characters, since the file for ParaView "
                    "beside it has the name, too",
                    option, shown));
}

}  // namespace

Outputs::Outputs(const scenes::Scene& scene, const RunOptions& options)
    : folder(options.out.empty() ? fs::path("output") / fs::path(scene.path).stem() : fs::path(options.out)),
      movie(options.video),
      series(options.series),
      radial_distribution(options.radial_distribution),
      displacements(options.displacements),
      probes(options.probes),
      particles(options.particles),
      surface(options.surface) {
  if (!options.particle_fields.empty()) particle_fields = chosen_fields(options.particle_fields, scene.simulation);
  json_to_stdout = options.json == "-";
  if (!json_to_stdout) json = options.json;
  if (options.has_checkpoints())
    checkpoint = options.checkpoint.empty() ? folder / "state.h5" : fs::path(options.checkpoint);
  if (!options.no_guard) good_state = folder / "good_state.h5";
  if (options.recover && !movie.empty())
    throw InputError(
        "--recover: found with --video; allowed: without, since frames that a movie has cannot be taken back");
  refuse_collisions(scene, options);
  if (!options.no_picture || options.image_every > 0) make_folder(folder);
  if (!movie.empty()) make_folder_of(movie);
  if (!json.empty()) make_folder_of(json);
  if (!series.empty()) {
    make_folder_of(series);
    make_folder_of(changes_file(series));
  }
  for (const fs::path& table : {radial_distribution, displacements, probes})
    if (!table.empty()) make_folder_of(table);
  if (!particles.empty()) {
    make_folder_of(particles);
    if (options.particles_every > 0 && !particle_format_row(particles).one_file)
      make_folder_of(NumberedFiles::file_of(particles, 0));
    if (const fs::path list = list_of_particles(particles); !list.empty()) make_folder_of(list);
  }
  if (!surface.empty()) {
    make_folder_of(surface);
    if (options.surface_every > 0) make_folder_of(NumberedFiles::file_of(surface, 0));
  }
  if (checkpoint.empty()) return;
  try {
    make_folder_of(checkpoint);
    make_folder_of(companion_of(checkpoint));
    std::error_code none;
    if (fs::exists(checkpoint, none)) make_folder_of(name_of_state_before(checkpoint));
  } catch (const RuntimeFailure& why) {
    const bool is_wanted = !options.inherits_interval || (!options.checkpoint.empty() && !options.inherits_file);
    if (is_wanted && !options.inherits_file) throw;
    if (is_wanted) throw RuntimeFailure(std::string(why.what()) + "; --checkpoint FILE.h5 keeps states elsewhere");
    log::warn("{}; no states are kept, though the run before kept some; --checkpoint FILE.h5 keeps them elsewhere",
              why.what());
    checkpoint.clear();
  }
}

void Outputs::make_folder(const fs::path& made) {
  new_folders_.note(made);
  prepare_folder(made);
}

void Outputs::make_folder_of(const fs::path& file) {
  new_folders_.note(file.parent_path());
  prepare_file(file);
}

std::string Outputs::numbered_picture(std::uint64_t step) { return fmt::format("step_{:07}.png", step); }

void Outputs::refuse_collisions(const scenes::Scene& scene, const RunOptions& options) const {
  struct Named {
    std::string what;
    fs::path file;
  };
  std::vector<Named> all = {{"the scene", scene.path}};
  if (!options.no_picture) all.push_back({"the last picture", final_picture()});
  if (!movie.empty()) all.push_back({"--video", movie});
  if (!json.empty()) all.push_back({"--json", json});
  if (!series.empty()) {
    all.push_back({"--series", series});
    all.push_back({"the changes beside --series", changes_file(series)});
  }
  if (!radial_distribution.empty()) all.push_back({"--radial-distribution", radial_distribution});
  if (!displacements.empty()) all.push_back({"--displacements", displacements});
  if (!probes.empty()) all.push_back({"--probes", probes});
  if (!particles.empty()) all.push_back({"--particles", particles});
  if (!surface.empty()) all.push_back({"--surface", surface});
  if (const fs::path list = list_of_particles(particles); !list.empty())
    all.push_back({"the companion of --particles", list});
  if (!checkpoint.empty()) {
    all.push_back({"--checkpoint", checkpoint});
    all.push_back({"the companion of --checkpoint", companion_of(checkpoint)});
    std::error_code none;
    if (fs::exists(checkpoint, none)) all.push_back({kStateBefore, name_of_state_before(checkpoint)});
  }
  if (!good_state.empty()) {
    all.push_back({kGoodState, good_state});
    all.push_back({"the companion of the last good state", companion_of(good_state)});
  }
  // A state that could not be replaced has both names.
  const auto may_be_one = [](const Named& one, const Named& other) {
    return one.what == "--checkpoint" && other.what == kStateBefore;
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = i + 1; k < all.size(); ++k)
      if (same_file(all[i].file, all[k].file) && !may_be_one(all[i], all[k]))
        throw InputError(fmt::format("{} ({}) and {} ({}) are the same file; each needs a name of its own", all[k].what,
                                     all[k].file.string(), all[i].what, all[i].file.string()));
  for (const Named& output : all)
    for (const std::string& input : scene.inputs)
      if (output.what != "--checkpoint" && output.what != kGoodState && output.what != kStateBefore &&
          same_file(output.file, input))  // a state may replace the one it began from
        throw InputError(fmt::format("{} ({}) is a file that the scene is made from ({}); it needs a name of its own",
                                     output.what, output.file.string(), input));
  for (const Named& output :
       {Named{"--json", json}, Named{"--series", series}, Named{"--probes", probes},
        Named{"--radial-distribution", radial_distribution}, Named{"--displacements", displacements}}) {
    const std::string name = output.file.filename().string();
    if (options.image_every > 0 && !output.file.empty() && name.starts_with("step_") && name.ends_with(".png") &&
        same_file(folder / name, output.file))
      throw InputError(fmt::format("{} ({}) has the name of a picture of --image-every; it needs one of its own",
                                   output.what, output.file.string()));
  }
  if (!movie.empty()) render::require_movie_name(movie.string());
  if (!checkpoint.empty()) refuse_name_without_xml("--checkpoint", checkpoint);
  if (!particles.empty()) {
    const ParticleFormatRow& row = particle_format_row(particles);
    if (*row.list != 0 && (row.one_file || options.particles_every > 0))
      refuse_name_without_xml("--particles", particles);
    refuse_special_file(particles);
  }
  if (!surface.empty()) {
    surface_format_row(surface);
    if (options.surface_every > 0 && !surface_list(surface).empty()) refuse_name_without_xml("--surface", surface);
    if (scene.simulation.domain.dimension != 3)
      throw InputError(
          "--surface: found a scene in 2-D; allowed: one in 3-D, since a fluid in 2-D has no surface of triangles");
  }
  for (const Named& table :
       {Named{"--series", series}, Named{"--probes", probes}, Named{"--radial-distribution", radial_distribution},
        Named{"--displacements", displacements}})
    if (table.file == "-") throw InputError(table.what + ": found '-', allowed: the name of a file");
  if ((options.structure_every > 0 || options.structure_from) && radial_distribution.empty() && displacements.empty())
    throw InputError(std::string(options.structure_every > 0 ? "--structure-every" : "--structure-from") +
                     ": found alone; allowed: with --radial-distribution or --displacements");
  if (!probes.empty() && scene.probes.empty())
    throw InputError("--probes: the scene has none; allowed: with a list `probes` in it (docs/scene-format.md)");
  if (!checkpoint.empty()) refuse_checkpoint();
  std::error_code ignored;
  if (!movie.empty() && fs::exists(movie, ignored) && !fs::is_regular_file(movie, ignored))
    throw InputError(
        fmt::format("--video ({}) is there and is no regular file; a movie would replace it", movie.string()));
}

void Outputs::refuse_checkpoint() const {
  const std::string ending = checkpoint.extension().string();
  if (ending != ".h5" && ending != ".hdf5")
    throw InputError(
        fmt::format("--checkpoint: found '{}'; allowed: a name that ends in .h5 or .hdf5", checkpoint.string()));
  std::error_code ignored;
  if (fs::exists(checkpoint, ignored) && !fs::is_regular_file(checkpoint, ignored) &&
      !fs::is_directory(checkpoint, ignored))
    throw InputError(fmt::format("--checkpoint ({}) is there and is no regular file; a state would replace it",
                                 checkpoint.string()));
}

}  // namespace riffle
