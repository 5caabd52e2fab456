#pragma once
/// Messages at the fields of the panels. They stand over the picture, beside their field, so that no field moves when one
/// comes or goes: the next click is often on its way already.

#include <functional>
#include <string>

#include "app/desktop/widgets/beside.h"

namespace riffle::desktop::ui {

enum class MessageKind { Refusal, Note };

struct SideMessage {
  std::string name;  ///< for InterfaceTrace, as "message.<name>"
  MessageKind kind = MessageKind::Refusal;
  std::string text;
  std::function<void()> more = {};    ///< drawn below the text
  std::function<void()> closed = {};  ///< what its button "Close" does; none: it has no button
};

/// Asks for a message at the last item in this picture: a frame in the message's colour around it, and the text beside it.
void message_at_item(SideMessage message);

/// Asks for a message at no item.
void message_at_top(SideMessage message);

bool has_message(const std::string& name);  ///< asked for in this picture

/// Does what the button "Close" of the uppermost message does that was drawn last. @return false if there is none
bool close_message();

/// Where the messages were that were drawn last; empty if there were none. [pixel]
Rectangle messages_place();

/// Draws what was asked for since the last call, one below the other. @param area of the picture [pixel]
void draw_side_messages(const Rectangle& area);

}  // namespace riffle::desktop::ui
