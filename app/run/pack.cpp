/// `riffle pack`: a state, or an output folder with its newest state, as one file that opens elsewhere.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/report/outputs.h"
#include "app/state/pack_file.h"
#include "app/state/pack_reader.h"
#include "app/state/state_file.h"
#include "app/terminal/progress.h"
#include "app/terminal/signals.h"
#include "core/error.h"
#include "core/text/file_ending.h"
#include "core/text/log.h"
#include "core/text/output_files.h"
#include "core/text/printable.h"
#include "scenes/document/file_keys.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

using PackJson = nlohmann::ordered_json;

struct PackOptions {
  std::string what, out, json;
};

/// Ends packing after a signal; main() never sees it.
struct PackingEnded {};

void add_pack_options(CLI::App& command, PackOptions& options) {
  command.add_option("FILE", options.what, "a state file, or a folder with the outputs and states of a run")
      ->required()
      ->type_name("");
  command
      .add_option("--out", options.out,
                  "the pack; when not given SCENE_packed.h5 of a state, FOLDER.zip of a folder, in the current folder")
      ->check(output_path())
      ->type_name("FILE.h5|zip");
  add_json_option(command, "what is in it", options.json);
}

/// A state has the files of its scene. @throws InputError if it names another one
void require_own_files(const OpenState& state, const SavedScene& scene) {
  std::set<std::string> own;
  for (const SceneFile& file : scene.files) own.insert(file.name);
  scenes::Node root = scenes::parse_source(scene.text, scene.name).root;
  scenes::for_each_file(root, [&](std::string& name) {
    if (!own.contains(name))
      throw InputError(
          fmt::format("{}: its scene names the file \"{}\", which is not in the state", state.shown, name));
  });
}

std::string moment(const StateSummary& state) {
  return fmt::format("{:.6g} {}, step {}, {} particles", state.time, state.unit, state.step, state.particles);
}

void show_progress(Progress& progress, std::uint64_t done, std::uint64_t all) {
  if (interrupted()) throw PackingEnded{};
  progress.update(all > 0 ? std::min(1.0, static_cast<double>(done) / static_cast<double>(all)) : 1.0, "packing");
}

// ---- of a state ---------------------------------------------------------------------------------------------------

void copy_state(const OpenState& state, std::uint64_t bytes, const fs::path& out, Progress& progress) {
  write_stream(out, [&](std::ostream& file) {
    std::vector<char> piece(std::size_t{1} << 20);
    for (std::uint64_t done = 0; done < bytes && file;) {
      const ssize_t got = pread(state.file(), piece.data(), std::min<std::uint64_t>(piece.size(), bytes - done),
                                static_cast<off_t>(done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0)
        throw RuntimeFailure(fmt::format("{}: cannot be read: {}", state.shown,
                                         got < 0 ? std::strerror(errno) : "it ended while it was read"));
      file.write(piece.data(), got);
      done += static_cast<std::uint64_t>(got);
      show_progress(progress, done, bytes);
    }
  });
}

// ---- of a folder --------------------------------------------------------------------------------------------------

struct PackedFile {
  fs::path path;
  std::string name;  ///< in the archive
  std::uint64_t bytes = 0;
  fs::file_time_type written;
};

bool is_partial(const fs::path& file) {
  const std::string name = file.filename();
  return name.starts_with(".") && name.find(".riffle-partial-") != std::string::npos;
}

/// @throws InputError for a name that unpack() refuses
void require_packable(const std::string& name, const std::string& shown) {
  if (const std::string fault = fault_of_packed_name(name); !fault.empty())
    throw InputError(fmt::format("{}: its name has {}", printable_line(shown), fault));
  if (name + "/" == kPackFolder)
    throw InputError(fmt::format("{}: has the name of the folder that a pack adds; allowed: another name", shown));
}

/// The files below the folder by their names. Links and devices are left out and named.
std::vector<PackedFile> files_below(const fs::path& folder, const fs::path& out) {
  std::vector<PackedFile> files;
  for (auto at = fs::recursive_directory_iterator(folder); at != fs::recursive_directory_iterator(); ++at) {
    const fs::path path = at->path();
    const std::string name = path.lexically_relative(folder).generic_string();
    if (at->is_symlink() || (!at->is_regular_file() && !at->is_directory())) {
      log::warn("{}: is {} and is left out", path.string(), at->is_symlink() ? "a link" : "no regular file");
      continue;
    }
    if (at->is_directory()) {
      // An earlier pack that was unpacked here: its manifest tells of another moment.
      if (name + "/" == kPackFolder || is_partial(path)) at.disable_recursion_pending();
      continue;
    }
    if (is_partial(path) || same_file(path, out)) continue;
    require_packable(name, path.string());
    files.push_back({path, name, at->file_size(), at->last_write_time()});
  }
  std::sort(files.begin(), files.end(), [](const PackedFile& a, const PackedFile& b) { return a.name < b.name; });
  return files;
}

struct NewestState {
  std::string name;
  OpenState state;
  StateSummary summary;
};

/// The complete state that was written last, and the one of the latest step among those of the same time.
/// @throws InputError if there is none
NewestState newest_state(const fs::path& folder, const std::vector<PackedFile>& files) {
  std::vector<const PackedFile*> newest_first;
  for (const PackedFile& file : files)
    if (has_state_ending(file.path)) newest_first.push_back(&file);
  std::stable_sort(newest_first.begin(), newest_first.end(),
                   [](const PackedFile* a, const PackedFile* b) { return a->written > b->written; });
  std::string refused;
  std::optional<NewestState> newest;
  fs::file_time_type written;
  for (const PackedFile* file : newest_first) {
    if (newest && file->written != written) break;
    try {
      NewestState found{file->name, open_state(file->path), {}};
      found.summary = summary_of(found.state);
      if (newest && newest->summary.step >= found.summary.step) continue;
      newest = std::move(found);
      written = file->written;
    } catch (const InputError& failure) {
      if (!newest) refused += fmt::format("\n  {}", failure.what());
    }
  }
  if (newest) {
    if (!refused.empty())
      log::warn("{} is taken, since newer files are no complete states:{}", (folder / newest->name).string(), refused);
    return std::move(*newest);
  }
  throw InputError(fmt::format(
      "{}: has no complete state; allowed: a folder with one, which `riffle run --checkpoint-every` writes{}",
      folder.string(), refused));
}

Descriptor opened(const PackedFile& file) {
  Descriptor descriptor(open(file.path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  if (descriptor < 0)
    throw RuntimeFailure(fmt::format("{}: cannot be read: {}", file.path.string(), std::strerror(errno)));
  return descriptor;
}

std::string manifest_text(const NewestState& newest, std::size_t files, std::uint64_t bytes) {
  const PackJson manifest{{"note", "Made by `riffle pack`. `riffle resume FILE.zip` goes on from the state."},
                          {"format", 1},
                          {"state", newest.name},
                          {"time", newest.summary.time},
                          {"time_unit", newest.summary.unit},
                          {"step", newest.summary.step},
                          {"particles", newest.summary.particles},
                          {"version", newest.summary.version},
                          {"scene", std::string(kPackFolder) + "scene/" + newest.summary.scene.name},
                          {"files", files},
                          {"bytes", bytes}};
  return text_of_json(manifest);
}

void pack_files(const std::vector<PackedFile>& files, const NewestState& newest, const fs::path& out,
                Progress& progress) {
  const SavedScene& scene = newest.summary.scene;
  const std::string folder = std::string(kPackFolder) + "scene/";
  require_packable(folder + scene.name, newest.state.shown + ": the scene " + scene.name);
  for (const SceneFile& file : scene.files)
    require_packable(folder + file.name, newest.state.shown + ": the scene's file " + file.name);
  std::uint64_t all = 0;
  for (const PackedFile& file : files) all += file.bytes;
  write_whole(out, [&](const fs::path& partial) {
    PackWriter archive(partial, out.string(), [&](std::uint64_t done) { show_progress(progress, done, all); });
    archive.add_text(kPackManifest, manifest_text(newest, files.size(), all));
    archive.add_text(folder + scene.name, scene.text);
    for (const SceneFile& file : scene.files) archive.add_text(folder + file.name, file.bytes);
    for (const PackedFile& file : files) {
      // The verified file, even if the run has replaced it by now.
      if (file.name == newest.name)
        archive.add_file(file.name, newest.state.file());
      else
        archive.add_file(file.name, opened(file));
    }
    archive.finish();
  });
}

// ---- the command --------------------------------------------------------------------------------------------------

/// @param allowed endings
fs::path checked_out(const PackOptions& options, const std::string& usual, const std::vector<std::string>& allowed) {
  const fs::path out = options.out.empty() ? usual : options.out;
  if (std::find(allowed.begin(), allowed.end(), ending_of(out)) == allowed.end()) {
    std::string words;
    for (const std::string& ending : allowed) words += (words.empty() ? "" : ", ") + ending;
    throw InputError(fmt::format("--out {}: found the ending '{}'; allowed for a pack of {}: {}", out.string(),
                                 out.extension().string(), options.what, words));
  }
  if (same_file(out, options.what)) throw InputError(fmt::format("--out {}: is what is to be packed", out.string()));
  return out;
}

struct Packed {
  fs::path out;
  std::string state;
  StateSummary summary;
  std::size_t files = 1;
};

Packed pack_state(const PackOptions& options, Progress& progress) {
  OpenState state = open_state(options.what);
  if (state.copied) throw InputError(fmt::format("{}: is a pack; allowed: a state or a folder", options.what));
  StateSummary summary = summary_of(state);
  require_own_files(state, summary.scene);
  const fs::path out =
      checked_out(options, fs::path(summary.scene.name).stem().string() + "_packed.h5", {".h5", ".hdf5", ".zip"});
  const std::string name = fs::path(options.what).filename();
  if (ending_of(out) == ".zip") require_packable(name, options.what);
  prepare_file(out);
  if (ending_of(out) != ".zip") {
    copy_state(state, summary.bytes, out, progress);
    return {out, name, std::move(summary), 1};
  }
  const NewestState newest{name, std::move(state), std::move(summary)};
  pack_files({{options.what, name, newest.summary.bytes, {}}}, newest, out, progress);
  return {out, name, newest.summary, 1};
}

Packed pack_folder(const PackOptions& options, Progress& progress) {
  const fs::path folder = options.what;
  const fs::path out = checked_out(options, fs::canonical(folder).filename().string() + ".zip", {".zip"});
  const std::vector<PackedFile> files = files_below(folder, out);
  const NewestState newest = newest_state(folder, files);
  require_own_files(newest.state, newest.summary.scene);
  prepare_file(out);
  pack_files(files, newest, out, progress);
  return {out, newest.name, newest.summary, files.size()};
}

int pack(const PackOptions& options) {
  ReportOutputs{.json = options.json}.prepare();
  const Interruption interruption;
  std::optional<Packed> packed;
  try {
    Progress progress(true, 0);
    std::error_code none;
    packed = fs::is_directory(options.what, none) ? pack_folder(options, progress) : pack_state(options, progress);
  } catch (const PackingEnded&) {
    return exit_code_or_interrupted(1);
  }
  const std::uint64_t bytes = fs::file_size(packed->out);
  const PackJson json{{"pack", packed->out.string()},
                      {"bytes", bytes},
                      {"files", packed->files},
                      {"state", packed->state},
                      {"time", packed->summary.time},
                      {"step", packed->summary.step},
                      {"particles", packed->summary.particles}};
  ReportOutputs{.json = options.json}.deliver(
      fmt::format("pack:    {} ({:.4g} MB, {} file{})\nstate:   {} ({})\n`riffle resume {}` goes on from it\n",
                  packed->out.string(), static_cast<double>(bytes) * 1e-6, packed->files, packed->files == 1 ? "" : "s",
                  packed->state, moment(packed->summary), packed->out.string()),
      json);
  return 0;
}

}  // namespace

CommandRow pack_command() {
  return command_row("pack", "make one file of a state or an output folder, which opens elsewhere and goes on",
                     add_pack_options, pack);
}

}  // namespace riffle
