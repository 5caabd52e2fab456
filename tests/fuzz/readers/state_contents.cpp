/// What HDF5 hands over of a state file, and the simulation that goes on from it. The input is an HDF5 file as text
/// (hdf5_text.h), so that every input is one that HDF5 reads.

#include <algorithm>
#include <optional>
#include <sstream>
#include <vector>

#include "app/state/state_file.h"
#include "core/error.h"
#include "scenes/load.h"
#include "sim/simulation.h"
#include "tests/fuzz/hdf5_text.h"
#include "tests/fuzz/random_words.h"
#include "tests/fuzz/reader.h"
#include "tests/fuzz/readers/sites.h"
#include "tests/fuzz/sealed_state.h"

namespace riffle::fuzz {

namespace {

constexpr double kMostParticles = 1000;  // a simulation of so many is made in milliseconds

/// The state's scene, if it is small. The last one is kept: most inputs have the same.
std::optional<scenes::Scene> small_scene(const SavedScene& saved) {
  static std::string text;
  static std::optional<scenes::Scene> scene;
  if (!saved.files.empty()) return std::nullopt;
  if (scene && text == saved.text) return scene;
  scene.reset();
  text = saved.text;
  const scenes::SceneSource source = scenes::parse_source(saved.text, "input.yaml");
  scenes::Problems problems;
  scenes::KeyLocations locations;
  scenes::SceneDraft draft = scenes::read_document(source.root, problems, locations);
  const double sites = sites_of(draft);
  if (sites <= kMostParticles) scene = scenes::build_scene(source);
  return scene;
}

}  // namespace

void read_state_contents(std::string_view input) {
  const std::string bytes = hdf5_file_of(std::string(input));
  if (bytes.empty()) throw InputError("HDF5 made no file");
  SavedRun run = read_state(input_file(".contents.h5", with_right_sums(bytes)));
  require(run.state.count >= 0, "a negative number of particles");
  const std::optional<scenes::Scene> scene = small_scene(run.scene);
  if (!scene || run.state.count > kMostParticles) return;
  run.state.setup = scene->simulation;
  const Simulation simulation(scene->simulation, Device{DeviceKind::Cpu}, run.state);
  const SimulationState again = simulation.save_state();
  require(again.count == run.state.count, "another number of particles");
}

std::string mutated_state_contents(const std::string& input, std::mt19937& random) {
  std::vector<std::string> lines;
  std::istringstream text(input);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  if (lines.empty()) return input;
  for (std::size_t n = 1 + below(3, random); n > 0 && !lines.empty(); --n) {
    const std::size_t at = below(lines.size(), random);
    const auto where = lines.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(8, random)) {
      case 0: lines.erase(where); break;
      case 1: lines.insert(where, std::string(lines[at])); break;
      case 2: std::swap(lines[at], lines[below(lines.size(), random)]); break;
      default: {
        std::vector<std::string> words;
        std::istringstream line(lines[at]);
        for (std::string word; line >> word;) words.push_back(word);
        if (words.empty()) break;
        static const char* const kTypes[] = {"text", "u8", "i32", "u32", "u64", "f32", "f64"};
        static const char* const kSizes[] = {"-",   "0",   "1",   "3",     "4",    "8",   "12",
                                             "4x3", "3x4", "0x3", "1x1x1", "16x3", "12x4"};
        const std::size_t which = below(words.size(), random);
        const std::size_t kind = below(5, random);
        words[which] = kind == 0 ? one_of(kTypes, random) : kind == 1 ? one_of(kSizes, random) : random_number(random);
        lines[at].clear();
        for (const std::string& word : words) lines[at] += (lines[at].empty() ? "" : " ") + word;
      }
    }
  }
  std::string changed;
  for (const std::string& line : lines) changed += line + "\n";
  return changed;
}

}  // namespace riffle::fuzz
