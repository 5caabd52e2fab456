/// `riffle unpack`: the files of a pack in a folder.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/report/outputs.h"
#include "app/state/pack_file.h"
#include "app/state/unpack.h"
#include "app/terminal/progress.h"
#include "app/terminal/signals.h"
#include "core/error.h"
#include "core/text/printable.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

struct UnpackOptions {
  std::string pack, out, json;
};

/// Ends unpacking after a signal; main() never sees it.
struct UnpackingEnded {};

void add_unpack_options(CLI::App& command, UnpackOptions& options) {
  command.add_option("FILE", options.pack, "a pack, FILE.zip, that `riffle pack` made")->required()->type_name("");
  command
      .add_option("--out", options.out,
                  "the folder, which is not there yet or empty; when not given the pack's name without .zip, in the "
                  "current folder")
      ->check(output_path())
      ->type_name("DIR");
  add_json_option(command, "what was in it", options.json);
}

int run_unpack(const UnpackOptions& options) {
  ReportOutputs{.json = options.json}.prepare();
  const Interruption interruption;
  const fs::path pack = options.pack;
  std::error_code none;
  if (!fs::is_regular_file(pack, none))
    throw InputError(fmt::format("{}: is no file; allowed: a pack, which `riffle pack` makes", options.pack));
  if (!begins_as_pack(pack) && pack.extension() != ".zip")
    throw InputError(
        fmt::format("{}: is no pack; allowed: what `riffle pack` makes of a folder, or of a state with --out FILE.zip",
                    options.pack));
  if (options.out.empty() && !pack.has_extension())
    throw InputError(
        fmt::format("{}: its name has no ending, so that the folder needs another; allowed: --out DIR", options.pack));
  const fs::path folder = options.out.empty() ? fs::path(pack.stem()) : fs::path(options.out);
  std::optional<Unpacked> done;
  try {
    Progress progress(true, 0);
    done = unpack(pack, folder, [&](std::uint64_t written, std::uint64_t all) {
      if (interrupted()) throw UnpackingEnded{};
      progress.update(static_cast<double>(written) / static_cast<double>(std::max<std::uint64_t>(all, 1)), "unpacking");
    });
  } catch (const UnpackingEnded&) {
    return exit_code_or_interrupted(1);
  }
  const std::string state = (folder / done->state).string();
  // A name with control characters cannot be shown as the shell takes it.
  const std::string goes_on =
      printable_line(state) == state ? fmt::format("`riffle resume {}` goes on from it\n", state) : "";
  ReportOutputs{.json = options.json}.deliver(
      fmt::format("folder:  {} ({:.4g} MB, {} files)\nstate:   {}\n{}", folder.string(),
                  static_cast<double>(done->bytes) * 1e-6, done->files, printable_line(done->state), goes_on),
      nlohmann::ordered_json{
          {"folder", folder.string()}, {"files", done->files}, {"bytes", done->bytes}, {"state", done->state}});
  return 0;
}

}  // namespace

CommandRow unpack_command() {
  return command_row("unpack", "write the files of a pack into a folder", add_unpack_options, run_unpack);
}

}  // namespace riffle
