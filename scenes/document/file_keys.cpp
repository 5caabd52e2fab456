#include "scenes/document/file_keys.h"

#include <cstddef>
#include <string>
#include <utility>

#include "scenes/document/key_path.h"

namespace riffle::scenes {

void for_each_file(Node& root, const std::function<void(std::string& file)>& each) {
  const auto visit = [&](Node* file) {
    if (file != nullptr && file->kind == Node::Kind::Scalar) each(file->text);
  };
  for (const auto& [list, key] :
       {std::pair("bodies", "particles.file"), std::pair("solids", "mesh.file"), std::pair("solids", "motion.table"),
        std::pair("inlets", "table"), std::pair("inlets", "mesh.file")})
    if (Node* entries = find(root, list))
      for (Node& entry : entries->items) visit(find(entry, key));
  for (const char* key : {"domain.motion.table", "gravity_change.table"}) visit(find(root, key));
  Node* const events = find(root, "events");
  for (std::size_t i = 0; events != nullptr && i < events->items.size(); ++i)
    if (Node* const set = find(events->items[i], "set"))
      for (Node::Member& member : set->members) {
        const std::string path = spelled_path(member.key);
        const bool of_inlet = path.starts_with("inlets[") && path.ends_with("].table");
        if (of_inlet || path == "gravity_change.table") visit(&member.value);
        if (path == "gravity_change") visit(find(member.value, "table"));
      }
}

}  // namespace riffle::scenes
