#pragma once
/// The handles of what is selected, in the picture: drawn, taken hold of with the mouse, and let go as one edit of the scene.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/desktop/handles/handle_drag.h"
#include "app/desktop/handles/outline.h"

namespace riffle::desktop {

class SceneHandles {
 public:
  /// Before the mouse is looked at: follows the scene, and forgets what it no longer has.
  void follow(PanelContext& context);

  /// @param over  the mouse is over the picture, and nothing else is being dragged
  /// @return the mouse is on a handle or moves one: nothing else gets it
  bool take_mouse(PanelContext& context, bool over);

  void draw(PanelContext& context);

 private:
  struct Drag {
    HandleDrag drag;
    scenes::PlacedEntry now;
    std::vector<scenes::Edit> edits;  ///< that it would make now
    std::string refused;  ///< why they are not allowed; "": they are, or the scene would start again with them
  };
  void let_go(PanelContext& context);
  void draw_words(PanelContext& context, ImDrawList* draw, const std::string& text, ImVec2 at) const;
  std::string words_of(PanelContext& context, const std::vector<scenes::Edit>& edits) const;

  std::optional<scenes::PlacedEntry> entry_;
  std::vector<scenes::SizeHandle> sizes_;
  std::vector<Handle> handles_;
  int lit_ = -1;
  std::optional<Drag> drag_;
  Outlines outlines_;
  std::uint64_t scene_version_ = 0;
  std::string list_;       ///< in which the selected entry is
  std::size_t count_ = 0;  ///< entries in that list
};

}  // namespace riffle::desktop
