/// Over the picture: what the fields of the panels have to say (widgets/side_message.h).

#include "app/desktop/panels/panel.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/widgets/side_message.h"

namespace riffle::desktop {

namespace {

void draw_messages(PanelContext& context) {
  SceneEditor& editor = context.editor;
  // Its field may be closed, or not have been found by the search, or there is none.
  if (!editor.error().empty() && !ui::has_message("refusal"))
    ui::message_at_top({"refusal", ui::MessageKind::Refusal, editor.error(), {}, [&editor] { editor.forget_error(); }});
  if (!editor.scaling_note().empty())
    ui::message_at_top(
        {"mesh_scaled", ui::MessageKind::Note, editor.scaling_note(), {}, [&editor] { editor.forget_scaling_note(); }});
  const auto [x, y, width, height] = context.picture;
  ui::draw_side_messages({{x, y + context.taken_above}, {x + width, y + height}});  // below the note of a recording
}

}  // namespace

extern const Panel messages{"messages", "", Panel::Place::Picture, true, draw_messages};

}  // namespace riffle::desktop
