/// The panel of diagnostics: means of the columns over a span of the run, with their errors.

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/panel_parts.h"
#include "app/desktop/playback/sampled/column_means.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/scene/shown_unit.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/widgets/side_message.h"
#include "app/desktop/widgets/typed_number.h"
#include "app/desktop/widgets/widgets.h"
#include "app/report/series_columns.h"
#include "scenes/scene.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

struct MeansChoice {
  bool on = false;
  MeanSpan span;
  std::uint64_t scene_version = 0;        ///< WorkerStatus's when the means were asked for
  std::optional<MeanSpan> asked;          ///< nullopt: none
  std::string refused_from, refused_to;   ///< why the last text was no end of a span
  bool reveal = false;                    ///< they have just been asked for, and may lie below the panels' edge
  std::shared_ptr<const MeansView> last;  ///< of this scene: shown until those of the present span are there
  int gaps = 0;                           ///< pictures without any, for InterfaceTrace
};

std::string text_of(double time) { return std::isinf(time) ? "end" : fmt::format("{:.6g}", time); }

/// At the last item, which is the field of that name. @return false
bool show_refusal(const char* name, std::string& refused) {
  if (!refused.empty()) ui::message_at_item({name, ui::MessageKind::Refusal, refused, {}, [&] { refused.clear(); }});
  return false;
}

/// A field for one end of the span. @return whether it was changed
bool choose_end(const char* name, const char* label, double& end, bool may_be_open, const char* tip,
                std::string& refused) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  ImGui::SameLine();
  const auto typed =
      ui::text_field((std::string("##") + name).c_str(), text_of(end), 5 * ui::em(), ui::OnClick::SelectsAll);
  ui::mark(name);
  ui::tip(tip);
  if (ImGui::IsItemDeactivated()) refused.clear();  // typed again as it was, or something else
  if (!typed) return show_refusal(name, refused);
  if (may_be_open && (typed->empty() || *typed == "end")) {
    end = MeanSpan{}.to;
    return true;
  }
  const auto time =
      ui::number_of(*typed, std::string("a time of the run") + (may_be_open ? ", or \"end\"" : ""), refused);
  if (!time) return show_refusal(name, refused);
  end = *time;
  return true;
}

bool choose_span(PanelContext& context, MeansChoice& choice) {
  const char* const unit = units_of(context.status).time;
  bool changed = choose_end("means.from", "from", choice.span.from, false,
                            "Where the span begins: where the plots have become level.", choice.refused_from);
  ui::same_line_if_fits(7 * ui::em());
  changed = choose_end("means.to", "to", choice.span.to, true, "Where the span ends; \"end\": as far as the run is.",
                       choice.refused_to) ||
            changed;
  ImGui::SameLine();
  ImGui::TextUnformatted(unit);
  if (ui::small_button("means.now", "From now on", "The span begins at the present moment, and has no end.")) {
    choice.span = {context.status.clock.time};
    changed = true;
  }
  ui::same_line_if_fits(ui::button_width("All"));
  if (ui::small_button("means.all", "All", "The span is the whole run.")) {
    choice.span = {};
    changed = true;
  }
  if (changed) choice.refused_from.clear();
  if (changed) choice.refused_to.clear();
  if (changed && !(choice.span.to > choice.span.from))
    choice.refused_to = "No row is between these times: the span ends before it begins.";
  return changed;
}

void draw_rows(const SeriesMeans& means) {
  nlohmann::json traced = nlohmann::json::object();
  for (const SeriesMeans::Column& column : means.columns) {
    const std::string text = mean_text(column.mean, shown_unit(column.unit));
    const SeriesColumn* const row = row_of_column(column.name);
    const std::string note = note_on(column, means);
    std::string tip = row != nullptr ? row->meaning : "";
    if (!note.empty()) tip += (tip.empty() ? "" : "\n\n") + note + ".";
    ui::row(column.name.c_str(), text, tip.c_str());
    ui::mark("mean." + column.name);
    traced[column.name] = text;
  }
  InterfaceTrace::instance().value("means", traced);
}

}  // namespace

void draw_means(PanelContext& context, bool for_forces) {
  MeansChoice& choice = context.memory.of<MeansChoice>();
  const bool switched =
      ui::checkbox("means.on", "Means and errors", &choice.on,
                   "Of every column of the diagnostics, over a span of the run: the mean and its standard error. Rows "
                   "that follow each other are alike, and the error counts that. riffle run --means-from gives the "
                   "same for a row at every interval.");
  if (switched) choice.reveal = choice.on;
  // The times of another scene are others.
  const bool another = choice.scene_version != context.status.scene_version;
  if (another) {
    choice.span = {};
    choice.refused_from.clear();
    choice.refused_to.clear();
  }
  const bool changed = choice.on && choose_span(context, choice);
  // The numbers beside a plot of forces are means as well, of the whole run unless a span is chosen.
  const std::optional<MeanSpan> wanted = choice.on    ? std::optional(choice.span)
                                         : for_forces ? std::optional(MeanSpan())
                                                      : std::nullopt;
  if (wanted != choice.asked || choice.scene_version != context.status.scene_version) {
    choice.scene_version = context.status.scene_version;
    choice.asked = wanted;
    context.worker.show_means(wanted);
  }
  InterfaceTrace::instance().value("means", nlohmann::json());
  if (!choice.on || another) choice.last.reset();
  if (!choice.on) return;
  const auto& present = context.status.instruments.means;
  const bool taken = !another && !changed && present && present->span == choice.span;
  if (taken) choice.last = present;
  InterfaceTrace::instance().value("means_taken", taken);
  const std::shared_ptr<const MeansView> view = choice.last;
  if (!view) {
    InterfaceTrace::instance().value("means_gaps", ++choice.gaps);
    ui::dim_text("nothing taken yet");
    return;
  }
  const SeriesMeans& means = view->means;
  const char* const unit = units_of(context.status).time;
  ui::dim_text(means.rows == 0
                   ? "no row of the diagnostics lies in this span yet"
                   : fmt::format("{}, t = {:.4g} to {:.4g} {}", rows_text(means), means.first, means.last, unit));
  ui::mark("means.rows");
  ui::tip(
      "Every row counts alike. Where rows were measured closer together than elsewhere in the span, only those count "
      "that "
      "are as far apart as there.");
  InterfaceTrace::instance().value("means_rows", means.rows);
  const std::string mixed = changes_text(means, unit);
  InterfaceTrace::instance().value("means_changes", mixed);
  if (!mixed.empty()) {
    ui::text(mixed + ".");
    ui::mark("means.changes");
  }
  if (means.rows > 0) {
    draw_rows(means);
    if (ui::small_button("means.copy", "Copy the table", "As text, with what is to know of each mean."))
      ImGui::SetClipboardText(means_table(means, unit).c_str());
  }
  if (std::exchange(choice.reveal, false)) ImGui::SetScrollHereY(1);
}

}  // namespace riffle::desktop
