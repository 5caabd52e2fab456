/// The rows of `riffle bench rtnn` as text, as comma-separated values and as JSON.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/report/csv.h"
#include "app/terminal/signals.h"
#include "app/terminal/text_table.h"
#include "bench/cells.h"
#include "bench/rtnn/rtnn.h"
#include "core/text/number_text.h"

namespace riffle::bench {

namespace {

using Json = nlohmann::ordered_json;

struct StageColumn {
  const char* name;  ///< "first_search"
  const char* title;
  Spread RtnnRow::*spread;
};
constexpr StageColumn kStages[] = {
    {"data", "data", &RtnnRow::data},       {"opt", "opt", &RtnnRow::opt},
    {"bvh", "BVH", &RtnnRow::bvh},          {"first_search", "first", &RtnnRow::first_search},
    {"search", "search", &RtnnRow::search}, {"total", "total", &RtnnRow::total}};

bool same_case(const RtnnRow& a, const RtnnRow& b) {
  return a.cloud == b.cloud && a.input == b.input && a.structure == b.structure && a.task == b.task &&
         a.points == b.points && a.queries == b.queries && a.radius == b.radius && a.neighbors == b.neighbors &&
         a.leaf == b.leaf;
}

std::vector<std::string> header() {
  std::vector<std::string> cells{"  variant"};
  for (const StageColumn& stage : kStages) cells.emplace_back(stage.title);
  for (const char* title : {"p5..p95", "runs", "speed-up", "parts", "boxes", "IS calls", "nodes", "found", "recall",
                            "precision", "tree MiB", "results MiB", "checked", "state"})
    cells.emplace_back(title);
  return cells;
}

bool has_boxes(const RtnnRow& row) {
  return !row.structure.empty() && row.structure != to_string(PointStructure::Points);
}

/// The widths of the parts' boxes, from the narrowest to the widest.
std::string widths_cell(const RtnnRow& row) {
  if (!has_boxes(row) || row.parts.empty()) return "-";
  const double narrow = 2 * row.parts.front().box, wide = 2 * row.parts.back().box;
  return narrow == wide ? fmt::format("{:.3g}", wide) : fmt::format("{:.3g}..{:.3g}", narrow, wide);
}

/// "0.12:5000 0.24:120": width and queries of each part.
std::string parts_field(const RtnnRow& row) {
  std::string text;
  if (has_boxes(row))
    for (const SearchPart& part : row.parts)
      text += fmt::format("{}{:.6g}:{}", text.empty() ? "" : " ", 2 * part.box, part.queries);
  return text;
}

std::string parts_table(const RtnnRow& row) {
  std::vector<std::vector<std::string>> lines{
      {"  part", has_boxes(row) ? "width of its boxes" : "searched within", "queries"}};
  if (has_boxes(row)) lines.front().emplace_back("sphere test");
  for (std::size_t p = 0; p < row.parts.size(); ++p) {
    const SearchPart& part = row.parts[p];
    lines.push_back({fmt::format("  {}", p + 1), fmt::format("{:.6g}", has_boxes(row) ? 2 * part.box : part.box),
                     grouped(part.queries)});
    if (has_boxes(row)) lines.back().emplace_back(part.sphere ? "yes" : "no");
  }
  return fmt::format("{}:\n{}", row.variant, aligned_table(lines));
}

Json parts_json(const RtnnRow& row) {
  Json parts = Json::array();
  for (const SearchPart& part : row.parts) {
    const bool wide = has_boxes(row) && std::isfinite(part.box);  // JSON has no infinity
    parts.push_back({{"box_width", wide ? Json(2 * part.box) : Json(nullptr)},
                     {"queries", part.queries},
                     {"sphere_test", part.sphere}});
  }
  return parts;
}

std::vector<std::string> cells_of(const RtnnRow& row) {
  std::vector<std::string> cells{fmt::format("{}{}", row.fastest ? "* " : "  ", row.variant)};
  if (!row.measured()) {
    cells.resize(header().size(), "-");
    cells.back() = to_string(row.state);
    return cells;
  }
  for (const StageColumn& stage : kStages) cells.push_back(milliseconds_cell((row.*stage.spread).median));
  cells.push_back(fmt::format("{}..{}", milliseconds_cell(row.total.p5), milliseconds_cell(row.total.p95)));
  cells.push_back(std::to_string(row.runs));
  cells.push_back(number_cell(row.speed_up, "{:.2f}"));
  cells.push_back(std::to_string(row.parts.size()));
  cells.push_back(widths_cell(row));
  cells.push_back(number_cell(row.calls_mean, "{:.1f}"));
  cells.push_back(number_cell(row.nodes_mean, "{:.1f}"));
  cells.push_back(number_cell(row.found_mean, "{:.2f}"));
  cells.push_back(number_cell(row.recall, "{:.4f}"));
  cells.push_back(number_cell(row.precision, "{:.4f}"));
  cells.push_back(mebibytes_cell(row.structure_bytes, 1));
  cells.push_back(mebibytes_cell(row.result_bytes, 1));
  cells.push_back(grouped(static_cast<std::int64_t>(row.compared)));
  cells.push_back(to_string(row.state));
  return cells;
}

std::string title_of(const RtnnRow& row) {
  const char* task = row.task == RtnnTask::Range ? "range search, any K of each ball"
                     : row.task == RtnnTask::Knn
                         ? "the K nearest of each ball"
                         : "all of each ball counted, as simulations do; the tree beside a grid";
  std::string text = fmt::format("{}, {} points, {}: {}; r = {:.4g} ({:.1f} points per ball)", row.cloud,
                                 grouped(row.points), row.input, task, row.radius, row.ball_mean);
  if (row.neighbors > 0) text += fmt::format(", K = {}", row.neighbors);
  if (row.queries != row.points)
    text += row.queries == 1 ? ", 1 query" : fmt::format(", {} queries", grouped(row.queries));
  if (!row.structure.empty()) text += fmt::format(", in {}", row.structure);
  if (row.leaf > 0) text += fmt::format(", {} points per leaf", row.leaf);
  return text;
}

std::string costs_text(const RtnnCosts& costs) {
  const BoxCosts& c = costs.costs;
  return fmt::format(
      "Bundles in {} are chosen by these costs: a tree {:.3g} ms and k1 = {:.3g} ns per box; an IS call k2 = {:.3g} ns "
      "for the nearest, k3 = {:.3g} ns for any, {:.3g} ns with the sphere test\n",
      to_string(costs.structure), c.start, 1e6 * c.box, 1e6 * c.nearest, 1e6 * c.call, 1e6 * c.sphere_call);
}

std::string cloud_text(const RtnnCloud& cloud, std::int64_t points) {
  std::string text = fmt::format("{}: {} points, {}", cloud.name, grouped(points), cloud.text);
  if (cloud.dropped > 0)
    text += fmt::format("; {} bad ones left out, the first of them {}", grouped(cloud.dropped), cloud.first_dropped);
  return text + "\n";
}

Json row_json(const RtnnRow& row) {
  Json json{{"cloud", row.cloud},
            {"input", row.input},
            {"structure", row.structure.empty() ? Json(nullptr) : Json(row.structure)},
            {"search", to_string(row.task)},
            {"sweep", row.sweep},
            {"variant", row.variant},
            {"approximate", !row.approximation.empty()},
            {"approximation", row.approximation},
            {"state", to_string(row.state)},
            {"note", row.note},
            {"fastest", row.fastest},
            {"points", row.points},
            {"queries", row.queries},
            {"radius", row.radius},
            {"points_per_ball", row.ball_mean},
            {"K", row.neighbors > 0 ? Json(row.neighbors) : Json(nullptr)},
            {"points_per_leaf", row.leaf > 0 ? Json(row.leaf) : Json(nullptr)}};
  for (const StageColumn& stage : kStages) json[std::string(stage.name) + "_ms"] = spread_json(row.*stage.spread);
  json["runs"] = row.runs;
  json["speed_up"] = number_or_null(row.speed_up);
  json["parts"] = row.parts.size();
  json["part_list"] = parts_json(row);
  json["is_calls"] = number_or_null(row.calls);
  json["is_calls_mean"] = number_or_null(row.calls_mean);
  json["nodes_mean"] = number_or_null(row.nodes_mean);
  json["found_mean"] = number_or_null(row.found_mean);
  json["recall"] = number_or_null(row.recall);
  json["precision"] = number_or_null(row.precision);
  json["structure_bytes"] = number_or_null(row.structure_bytes);
  json["result_bytes"] = number_or_null(row.result_bytes);
  json["check"] = {{"compared", row.compared}, {"wrong", row.wrong}};
  return json;
}

}  // namespace

std::string rtnn_head_text(const BenchSession& session, const std::vector<RtnnCloud>& clouds) {
  std::string text = session_text(session);
  for (const RtnnCloud& cloud : clouds) text += cloud_text(cloud, static_cast<std::int64_t>(cloud.points.size()));
  return text;
}

std::string rtnn_tables_text(std::span<const RtnnRow> rows) {
  std::string text;
  for (std::size_t begin = 0, end; begin < rows.size(); begin = end) {
    std::vector<std::vector<std::string>> lines{header()};
    std::string notes;
    for (end = begin; end < rows.size() && same_case(rows[begin], rows[end]); ++end) {
      const RtnnRow& row = rows[end];
      lines.push_back(cells_of(row));
      for (const std::string& note : {row.note, row.approximation})
        if (!note.empty()) notes += fmt::format("  {}: {}\n", row.variant, note);
    }
    text += fmt::format("\n{}\n{}{}", title_of(rows[begin]), aligned_table(lines), notes);
    if (rows[begin].sweep == "parts")
      for (std::size_t r = begin; r < end; ++r)
        if (rows[r].measured()) text += parts_table(rows[r]);
  }
  return text;
}

std::string rtnn_end_text(const RtnnReport& report) {
  std::string text = interruption_text(report.interrupted);
  text += report.fits.empty() && report.costs.empty() ? "" : "\n";
  for (const RtnnBuildFit& fit : report.fits)
    text += fmt::format("{}, {}: a tree takes {:.4g} ms and {:.4g} ms per million boxes, R^2 = {:.4f}\n", fit.cloud,
                        fit.structure, fit.line.intercept, 1e6 * fit.line.slope, fit.line.r2);
  for (const RtnnCosts& costs : report.costs) text += costs_text(costs);
  return text +
         "\nHow to read it: every point is a query. Columns are the stages of Zhu 2022, figure 12: data copies the "
         "points to\n"
         "the device; opt sorts, partitions and bundles queries; BVH builds the tree; first is the pass that finds the "
         "order;\n"
         "* is the quickest exact row, by the total; p5..p95 are of the total, speed-up is NoOpt's total by the row's. "
         "found,\n"
         "recall and precision are of the queries checked: points per query, the share of what there was to be found, "
         "the\n"
         "share of what was found that was to be found. boxes are the widths of the boxes round the points, IS calls "
         "the "
         "points\n"
         "tested per query (by the paper's IS program), nodes the nodes of the tree tested; both are counted in a "
         "search "
         "that is\n"
         "not timed. Where all of a ball are counted, opt gathers the points, BVH "
         "builds\n"
         "the tree or the grid, and a query is no neighbour of itself. grid is a search by cells in place of the tree: "
         "BVH "
         "builds\n"
         "its cells, opt sorts the queries by cell. WRONG rows are not to be used.\n";
}

std::string rtnn_csv(const RtnnReport& report) {
  std::string text =
      "cloud,input,structure,search,sweep,variant,approximation,state,fastest,points,queries,radius,points_per_ball,K,"
      "leaf";
  for (const StageColumn& stage : kStages)
    for (const char* figure : {"median", "min", "max", "p5", "p95"})
      text += fmt::format(",{}_{}_ms", stage.name, figure);
  text +=
      ",runs,speed_up,parts,part_widths,is_calls,is_calls_mean,nodes_mean,found_mean,recall,precision,structure_bytes,"
      "result_bytes,compared,wrong,note\n";
  const auto given = [](auto value) { return value < 0 ? std::string() : fmt::format("{}", value); };
  for (const RtnnRow& row : report.rows) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", csv_field(row.cloud), row.input, row.structure,
                        to_string(row.task), row.sweep, csv_field(row.variant), csv_field(row.approximation),
                        to_string(row.state), row.fastest ? 1 : 0, row.points, row.queries, row.radius, row.ball_mean,
                        row.neighbors > 0 ? std::to_string(row.neighbors) : "",
                        row.leaf > 0 ? std::to_string(row.leaf) : "");
    for (const StageColumn& stage : kStages) {
      const Spread& s = row.*stage.spread;
      text += s.median < 0 ? ",,,,," : fmt::format(",{},{},{},{},{}", s.median, s.min, s.max, s.p5, s.p95);
    }
    text +=
        fmt::format(",{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", row.runs, given(row.speed_up), row.parts.size(),
                    parts_field(row), given(row.calls), given(row.calls_mean), given(row.nodes_mean),
                    given(row.found_mean), given(row.recall), given(row.precision), given(row.structure_bytes),
                    given(row.result_bytes), row.compared, row.wrong, csv_field(row.note));
  }
  return text;
}

Json to_json(const RtnnReport& report) {
  Json clouds = Json::array(), rows = Json::array();
  for (std::size_t c = 0; c < report.clouds.size(); ++c) {
    const RtnnCloud& cloud = report.clouds[c];
    clouds.push_back({{"name", cloud.name},
                      {"text", cloud.text},
                      {"points", report.cloud_points[c]},
                      {"dropped", cloud.dropped},
                      {"first_dropped", cloud.first_dropped},
                      {"origin", cloud.origin}});
  }
  for (const RtnnRow& row : report.rows) rows.push_back(row_json(row));
  Json fits = Json::array(), costs = Json::array();
  for (const RtnnBuildFit& fit : report.fits)
    fits.push_back({{"cloud", fit.cloud},
                    {"structure", fit.structure},
                    {"ms", fit.line.intercept},
                    {"ms_per_box", fit.line.slope},
                    {"r2", fit.line.r2}});
  for (const RtnnCosts& c : report.costs)
    costs.push_back({{"structure", to_string(c.structure)},
                     {"tree_ms", c.costs.start},
                     {"k1_ms", c.costs.box},
                     {"k2_ms", c.costs.nearest},
                     {"k3_ms", c.costs.call},
                     {"k3_sphere_test_ms", c.costs.sphere_call}});
  Json json = session_json("rtnn", report, report.wrong());
  json["clouds"] = clouds;
  json["rows"] = rows;
  json["build_fits"] = fits;
  json["costs"] = costs;
  return json;
}

}  // namespace riffle::bench
