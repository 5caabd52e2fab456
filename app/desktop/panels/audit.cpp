/// The audit of the search in use: a part of the search panel.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/panel_parts.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/widgets/combo.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/typed_number.h"
#include "app/desktop/widgets/widgets.h"

namespace riffle::desktop {

namespace {

void draw_mark(bool right) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = ImGui::GetTextLineHeight(), r = 0.36f * line;
  const ImVec2 c{at.x + 0.5f * line, at.y + 0.5f * line};
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 white = IM_COL32(255, 255, 255, 255);
  draw->AddCircleFilled(c, r + 1, right ? IM_COL32(46, 140, 84, 255) : IM_COL32(206, 58, 52, 255));
  if (right) {
    draw->AddLine({c.x - 0.5f * r, c.y}, {c.x - 0.1f * r, c.y + 0.45f * r}, white, 1.6f);
    draw->AddLine({c.x - 0.1f * r, c.y + 0.45f * r}, {c.x + 0.55f * r, c.y - 0.45f * r}, white, 1.6f);
  } else {
    draw->AddLine({c.x - 0.45f * r, c.y - 0.45f * r}, {c.x + 0.45f * r, c.y + 0.45f * r}, white, 1.6f);
    draw->AddLine({c.x - 0.45f * r, c.y + 0.45f * r}, {c.x + 0.45f * r, c.y - 0.45f * r}, white, 1.6f);
  }
  ImGui::Dummy({line, line});
  ui::mark(right ? "audit.tick" : "audit.cross");
  ImGui::SameLine(0, 0.4f * ui::em());
}

void choose_oracle(AuditSettings& wanted, bool* changed) {
  const auto label = [](NeighborMethod method) {
    return method == NeighborMethod::BruteForce ? std::string("brute force (oracle)") : std::string(to_string(method));
  };
  const ui::Combo combo("audit.against", "##against", label(wanted.against),
                        {.width = -1,
                         .tip = "The reference. Brute force looks at every pair and cannot be wrong. Another method is "
                                "quicker, and as good unless both make the same mistake."});
  if (!combo.open()) return;
  for (const NeighborMethodInfo& info : neighbor_methods())
    if (combo.entry(std::string(info.name), label(info.method), info.method == wanted.against)) {
      wanted.against = info.method;
      *changed = true;
    }
}

void draw_verdict(const AuditStatus& audit) {
  if (!audit.refused.empty()) {
    ImGui::PushTextWrapPos();
    ImGui::TextDisabled("not checked: %s", audit.refused.c_str());
    ImGui::PopTextWrapPos();
  }
  if (audit.checks == 0) return;
  draw_mark(audit.wrong_checks == 0);
  const std::string verdict =
      audit.wrong_checks == 0
          ? fmt::format("{} right, {} {}", audit.method, ui::count(static_cast<double>(audit.checks)),
                        audit.checks == 1 ? "check" : "checks")
          : fmt::format("{} of {} checks wrong", audit.wrong_checks, ui::count(static_cast<double>(audit.checks)));
  ImGui::TextUnformatted(verdict.c_str());
  ui::mark("audit.verdict");
  std::string all;
  for (const std::string& line : audit.first) all += line + "\n";
  ui::tip(all.c_str());
  ui::row("last checked",
          fmt::format("step {}, {} ms", ui::count(static_cast<double>(audit.step)), ui::milliseconds(audit.ms)),
          "The simulation stops for this time.");
  ui::row("particles compared", ui::count(audit.compared),
          "All of them up to 200,000; of more, others at every check. For all of them it is checked that i has j "
          "exactly as "
          "often as j has i.");
  ui::row(
      "pairs missing, extra, twice",
      fmt::format("{}, {}, {}", ui::count(static_cast<double>(audit.sum.missing)),
                  ui::count(static_cast<double>(audit.sum.extra)), ui::count(static_cast<double>(audit.sum.duplicate))),
      "Over all checks: neighbours within the support radius that were not found, particles that are no neighbours but "
      "were found, and neighbours that were found more than once.");
}

constexpr const char* kEvery = "a number of steps, 1 or more";

/// Why the last text was no number of steps.
struct RefusedEvery {
  std::string why;
};

}  // namespace

void draw_audit(PanelContext& context) {
  const AuditStatus& audit = context.status.instruments.audit;
  AuditSettings wanted = audit.settings;
  bool changed =
      ui::checkbox("audit", "Verify every", &wanted.on,
                   "Compares the neighbours that the search in use finds with the right ones, on the running "
                   "particles.");
  ImGui::SameLine();
  std::string& why = context.memory.of<RefusedEvery>().why;
  if (const auto every = ui::typed_number("audit.every", std::to_string(wanted.every), 6 * ui::em(), kEvery, why)) {
    if (*every >= 1) {
      wanted.every = static_cast<int>(std::min(*every, 1e6));
      changed = true;
    } else {
      why = fmt::format("found {:g}, allowed: {}", *every, kEvery);
    }
  }
  ui::same_line_if_fits(ImGui::CalcTextSize("steps against").x);
  ImGui::TextUnformatted("steps against");
  ui::mark("audit.steps");
  choose_oracle(wanted, &changed);
  if (changed) context.worker.set_audit(wanted);
  if (audit.settings.on) draw_verdict(audit);
  InterfaceTrace& trace = InterfaceTrace::instance();
  if (!trace.on()) return;
  trace.value("audit", {{"on", audit.settings.on},
                        {"every", audit.settings.every},
                        {"checks", audit.checks},
                        {"wrong", audit.wrong_checks},
                        {"step", audit.step},
                        {"compared", audit.compared},
                        {"refused", audit.refused},
                        {"pairs", audit.sum.pairs}});
}

}  // namespace riffle::desktop
