#include "scenes/missing_features.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace riffle::scenes {

namespace {

using Word = std::string_view;

constexpr Word kDevices[] = {"gpus", "devices", "multigpu", "mpi", "nodes"};
constexpr Word kScripts[] = {"python", "script", "plugin"};
constexpr Word kBonds[] = {"bond",   "polymer", "chain",  "molecule",
                           "angle", "cluster", "frozen",  "bounce", "bounceback"};
constexpr Word kVolumes[] = {"alembic", "vdb", "openvdb"};

constexpr MissingFeature kFeatures[] = {
    {"has no bonds between the particles of `dpd`, no rigid clusters of them and no walls of frozen particles",
     "Walls act like fluid in them, with `solver.walls: no_slip`, or reflect like mirrors, with `free_slip`.", kBonds},
    {"runs on one device",
     "Several runs share a machine; `CUDA_VISIBLE_DEVICES` selects the GPU of each. `riffle export lammps` writes scenes of "
     "`dpd` for LAMMPS, which runs on many.",
     kDevices},
    {"has no Python module", "Scripts can call `riffle run SCENE --set key.path=value --json -` and read the report.",
     kScripts},
    {"writes no volumes and no Alembic files",
     "`riffle run --surface FILE.usda` writes the fluid's surface, `--particles FILE.ply` its particles.", kVolumes},
};

/// The words of a name, in lower case: "--moving_Obstacles" has "moving" and "obstacles".
std::vector<std::string> words_in(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!words.back().empty())
      words.emplace_back();
  }
  return words;
}

bool is_word(const std::string& found, std::string_view word) {
  const bool ies = word.ends_with('y');
  return found == word || found == std::string(word) + "s" || found == std::string(word) + "es" ||
         (ies && found == std::string(word.substr(0, word.size() - 1)) + "ies");
}

}  // namespace

std::span<const MissingFeature> missing_features() { return kFeatures; }

const MissingFeature* missing_feature(std::string_view name) {
  for (const std::string& found : words_in(name))
    for (const MissingFeature& feature : kFeatures)
      if (std::any_of(feature.words.begin(), feature.words.end(),
                      [&](std::string_view word) { return is_word(found, word); }))
        return &feature;
  return nullptr;
}

std::string sentence(const MissingFeature& feature) {
  return "this version " + std::string(feature.what) + ". " + std::string(feature.instead);
}

}  // namespace riffle::scenes
