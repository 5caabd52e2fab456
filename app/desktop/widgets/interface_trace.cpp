#include "app/desktop/widgets/interface_trace.h"

#include <imgui.h>
// After imgui.h.
#include <imgui_internal.h>

#include <cstdlib>
#include <fstream>
#include <memory>

#include "core/text/output_files.h"

namespace riffle::desktop {

InterfaceTrace& InterfaceTrace::instance() {
  static InterfaceTrace trace;
  return trace;
}

InterfaceTrace::InterfaceTrace() {
  const char* file = std::getenv("RIFFLE_INTERFACE_TRACE");
  if (!file) return;
  file_ = file;
  on_exit(
      [](int exit_code, void* name) {
        const std::unique_ptr<std::string> end_file(static_cast<std::string*>(name));
        std::ofstream(*end_file) << exit_code;
      },
      new std::string(file_ + ".end"));
}

void InterfaceTrace::item(const std::string& name) {
  if (!on()) return;
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  items_[name] = {{"x", min.x},
                  {"y", min.y},
                  {"width", max.x - min.x},
                  {"height", max.y - min.y},
                  {"visible", ImGui::IsItemVisible()},
                  {"measured", ImGui::GetCurrentWindow()->HiddenFramesCannotSkipItems == 0},  // not its first picture
                  {"window", ImGui::GetCurrentWindow()->Name},
                  {"room",
                   {ImGui::GetCurrentWindow()->InnerClipRect.Min.x, ImGui::GetCurrentWindow()->InnerClipRect.Min.y,
                    ImGui::GetCurrentWindow()->InnerClipRect.Max.x, ImGui::GetCurrentWindow()->InnerClipRect.Max.y}},
                  {"mouse", ImGui::IsMouseHoveringRect(min, max, false)}};
}

void InterfaceTrace::text(const std::string& name, float width, float room) {
  if (on() && items_.contains(name)) items_[name]["cut_text"] = width > room + 1;
}

void InterfaceTrace::value(const std::string& key, nlohmann::json value) {
  if (on()) values_[key] = std::move(value);
}

void InterfaceTrace::end_frame() {
  if (!on()) return;
  values_["frame"] = ++frames_;
  write_text(file_, nlohmann::json{{"items", items_}, {"values", values_}}.dump());
  items_ = nlohmann::json::object();
}

}  // namespace riffle::desktop
