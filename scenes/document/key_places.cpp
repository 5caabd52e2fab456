#include "scenes/document/key_places.h"

#include "scenes/document/key_path.h"
#include "scenes/document/yaml_writer.h"

namespace riffle::scenes {

std::string place_in_file(const SceneSource& file, const SceneSource& document, const std::string& key) {
  for (std::string path = key; !path.empty();) {
    if (const Node* const there = find(file.root, path)) {
      const Node* const now = find(document.root, path);
      return now && flow_text(*now) == flow_text(*there) ? there->location.text() : "";
    }
    if (find(document.root, path)) return "";
    const auto cut = path.find_last_of(".[");
    path = cut == std::string::npos ? "" : path.substr(0, cut);
  }
  return "";
}

}  // namespace riffle::scenes
