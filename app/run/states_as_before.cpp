#include "app/run/states_as_before.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "core/error.h"
#include "core/text/output_files.h"
#include "scenes/document/edited_scene.h"
#include "scenes/document/parameters.h"
#include "scenes/document/yaml_writer.h"

namespace riffle {

namespace fs = std::filesystem;

void keep_states_as_before(RunOptions& options, const StateStart& start) {
  const std::optional<SavedKeeping>& before = start.saved.keeping;
  if (!before || options.no_checkpoint) return;
  if (!options.has_checkpoints() && options.steps == 0) return;  // the file that it goes on from is as good
  if (options.checkpoint_every == 0) {
    options.checkpoint_every = before->every;
    options.inherits_interval = true;
  }
  if (!options.checkpoint.empty() || !options.out.empty() || start.is_pack) return;
  // A name alone: a file that came from elsewhere may not choose a folder.
  options.checkpoint = fs::path(start.file).replace_filename(before->file).string();
  options.inherits_file = true;
}

std::string difference_of_scenes(const SavedScene& theirs, const SavedScene& ours) {
  if (theirs.files != ours.files) return "a state whose scene has other files";
  const auto source = [](const SavedScene& scene) { return scenes::parse_source(scene.text, scene.name); };
  const scenes::SceneSource there = source(theirs), here = source(ours);
  const auto effect = scenes::effect_of_change(there, here);
  const auto events = [](const scenes::SceneSource& scene) {
    const scenes::Node* const list = scene.root.find("events");
    return list ? scenes::flow_text(*list) : "";
  };
  if (events(there) != events(here)) return "a state of a scene with other events";
  if (effect && *effect != scenes::Effect::Picture) return "a state of another scene, or of other values";
  return "";
}

void refuse_to_replace_a_later_state(const Outputs& outputs, const RunOptions& options, const RunStart& from) {
  const fs::path& target = outputs.checkpoint;
  std::error_code none;
  const bool is_named = !options.checkpoint.empty() && !options.inherits_file;
  if (target.empty() || is_named || !fs::exists(target, none) || same_file(target, from.file)) return;
  const auto refuse = [&](const std::string& found) {
    throw InputError(
        fmt::format("{}: found {}; the run that goes on from {} would replace it; allowed: --checkpoint with another "
                    "name, or --no-checkpoint",
                    target.string(), found, from.file));
  };
  StateSummary there;
  try {
    there = summary_of(open_state(target));
  } catch (const std::exception& why) {
    refuse(fmt::format("a file that is no complete state ({})", why.what()));
  }
  if (there.step > from.saved.state.clock.step)
    refuse(fmt::format("a state of step {}, which is later than step {}", there.step, from.saved.state.clock.step));
  if (const std::string other = difference_of_scenes(there.scene, from.saved.scene); !other.empty()) refuse(other);
}

}  // namespace riffle
