#pragma once
/// Where reviews report what they find.

#include <initializer_list>
#include <string>
#include <vector>

#include "scenes/document/reader.h"

namespace riffle::scenes {

class Findings {
 public:
  /// @param scene gets the warnings and the idle keys
  Findings(const KeyLocations& locations, Problems& problems, Scene& scene)
      : locations_(locations), problems_(problems), scene_(scene) {}

  /// The scene cannot run.
  void refuse(const std::string& key, const std::string& text) { problems_.add(at(key), key, text); }

  /// The scene can run but is probably not what was meant.
  void warn(WarningKind kind, const std::string& key, const std::string& text) {
    scene_.warnings.push_back({kind, at(key).text(), key, text});
  }

  /// The key does nothing in this scene, and no scene gives it here: its value is refused.
  void idle(const IdleKey& key) { scene_.idle_keys.push_back(key); }

  /// The key does nothing in this scene. @param warns whether that is a warning: who does not give the key needs none
  void idle(WarningKind kind, const IdleKey& key, bool warns) {
    idle(key);
    if (warns) warn(kind, key.key, key.text);
  }

  bool given(const std::string& key) const { return locations_.given(key); }
  const Location& at(const std::string& key) const { return locations_.of(key); }

  bool none_refused() const { return problems_.empty(); }

  /// Whether nothing is wrong with any of these keys, so that a review may rely on their values.
  bool intact(std::initializer_list<const char*> keys) const;
  bool intact(const std::string& key) const { return !problems_.touch(key); }

 private:
  const KeyLocations& locations_;
  Problems& problems_;
  Scene& scene_;
};

/// "0.02 m", in the unit of the scene's solver.
std::string length_text(const SimulationSetup& setup, double value);

/// "x from 0 to 1 m, the domain has 0 to 0.5 m"
std::string place_text(const SimulationSetup& setup, const Bounds& bounds, int axis);
/// "[0.5, 1]" in 2-D
std::string place_text(const SimulationSetup& setup, Vec3 place);

inline constexpr const char* kAxisNames[] = {"x", "y", "z"};

}  // namespace riffle::scenes
