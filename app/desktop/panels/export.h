#pragma once
/// A part of the transport bar.

namespace riffle::desktop {

struct PanelContext;

void draw_record_button(PanelContext& context);  ///< and the export menu beside it

}  // namespace riffle::desktop
