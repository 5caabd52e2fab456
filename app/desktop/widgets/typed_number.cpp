#include "app/desktop/widgets/typed_number.h"

#include <fmt/format.h>
#include <imgui.h>

#include <cmath>

#include "app/desktop/widgets/number_field.h"
#include "app/desktop/widgets/side_message.h"
#include "app/desktop/widgets/widgets.h"
#include "scenes/document/scene_number.h"

namespace riffle::desktop::ui {

std::optional<double> number_of(const std::string& text, const std::string& allowed, std::string& why) {
  std::string rest;
  const auto number = scenes::parse_number(text, rest);
  why.clear();
  if (number && rest.empty() && std::isfinite(*number)) return number;
  why = fmt::format("found '{}'{}, allowed: {}", text, scenes::number_hint(text, ""), allowed);
  return std::nullopt;
}

std::optional<double> typed_number(const std::string& name, const std::string& now, float width,
                                   const std::string& allowed, std::string& why) {
  const auto typed = text_field(("##" + name).c_str(), now, width, OnClick::SelectsAll);
  mark(name);
  const bool left = ImGui::IsItemDeactivated();
  if (left) why.clear();  // typed again as it was, or something else
  const auto number = typed ? number_of(*typed, allowed, why) : std::nullopt;
  if (!why.empty()) message_at_item({name, MessageKind::Refusal, why, {}, [&why] { why.clear(); }});
  return number;
}

}  // namespace riffle::desktop::ui
