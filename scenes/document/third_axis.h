#pragma once
/// The third numbers of a scene that becomes 3-D after it was 2-D, where lists of two numbers are enough.

#include <optional>
#include <string>
#include <vector>

#include "scenes/document/document.h"

namespace riffle::scenes {

struct SceneSource;

/// A value in YAML, "[1, 2]", with the third number of the list that it replaces: "[1, 2, 0.4]". Any other value comes
/// back as it is. @param path  of the key @param before  nullptr: none
std::string with_third_number(const std::string& path, const std::string& value, const Node* before);

/// What a document gets when it becomes 3-D.
struct ThirdAxis {
  struct Change {
    std::string path;
    std::optional<Node> value;  ///< nothing: the key is taken out
    bool is_new = false;        ///< the document has no such key, or another number there
  };
  std::vector<Change> changes;  ///< of lists without a third number, or with one that cannot be
  std::string note;             ///< what was chosen, in words; "" if the document knows it all
};

/// The third numbers that the document knows stay. A domain without a depth gets one of 20 particle spacings, or more
/// where the support radius or a sphere needs it. Then everything in it is extruded: boxes reach through the whole depth,
/// centres lie in its middle, and the faces across z are as those across x. Masses of solids and forces of joints, which a 2-D
/// scene gives per metre of depth, are multiplied by the depth that the domain gets. Velocities and gravity have no third component.
/// @param source  a document whose `dimension` is 3
ThirdAxis third_axis_of(const SceneSource& source);

}  // namespace riffle::scenes
