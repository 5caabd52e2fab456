/// The rows of `riffle bench rtnn` as text, as comma-separated values and as JSON.

#include <fmt/format.h>

#include <algorithm>

#include "app/report/csv.h"
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
  return a.cloud == b.cloud && a.input == b.input && a.task == b.task && a.radius == b.radius &&
         a.neighbors == b.neighbors && a.leaf == b.leaf;
}

std::vector<std::string> header() {
  std::vector<std::string> cells{"  variant"};
  for (const StageColumn& stage : kStages) cells.emplace_back(stage.title);
  for (const char* title : {"p5..p95", "runs", "speed-up", "parts", "found", "recall", "precision", "tree MiB",
                            "results MiB", "checked", "state"})
    cells.emplace_back(title);
  return cells;
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
  cells.push_back(std::to_string(row.parts));
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
  if (row.leaf > 0) text += fmt::format(", {} points per leaf", row.leaf);
  return text;
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
            {"search", to_string(row.task)},
            {"sweep", row.sweep},
            {"variant", row.variant},
            {"approximate", !row.approximation.empty()},
            {"approximation", row.approximation},
            {"state", to_string(row.state)},
            {"note", row.note},
            {"fastest", row.fastest},
            {"points", row.points},
            {"radius", row.radius},
            {"points_per_ball", row.ball_mean},
            {"K", row.neighbors > 0 ? Json(row.neighbors) : Json(nullptr)},
            {"points_per_leaf", row.leaf > 0 ? Json(row.leaf) : Json(nullptr)}};
  for (const StageColumn& stage : kStages) json[std::string(stage.name) + "_ms"] = spread_json(row.*stage.spread);
  json["runs"] = row.runs;
  json["speed_up"] = number_or_null(row.speed_up);
  json["parts"] = row.parts;
  json["found_mean"] = number_or_null(row.found_mean);
  json["recall"] = number_or_null(row.recall);
  json["precision"] = number_or_null(row.precision);
  json["structure_bytes"] = number_or_null(row.structure_bytes);
  json["result_bytes"] = number_or_null(row.result_bytes);
  json["check"] = {{"compared", row.compared}, {"wrong", row.wrong}};
  return json;
}

}  // namespace

std::string rtnn_text(const RtnnReport& report) {
  std::string text = session_text(report);
  for (std::size_t c = 0; c < report.clouds.size(); ++c) text += cloud_text(report.clouds[c], report.cloud_points[c]);
  for (std::size_t begin = 0, end; begin < report.rows.size(); begin = end) {
    std::vector<std::vector<std::string>> lines{header()};
    std::string notes;
    for (end = begin; end < report.rows.size() && same_case(report.rows[begin], report.rows[end]); ++end) {
      const RtnnRow& row = report.rows[end];
      lines.push_back(cells_of(row));
      for (const std::string& note : {row.note, row.approximation})
        if (!note.empty()) notes += fmt::format("  {}: {}\n", row.variant, note);
    }
    text += fmt::format("\n{}\n{}{}", title_of(report.rows[begin]), aligned_table(lines), notes);
  }
  return text +
         "\nHow to read it: every point is a query. Columns are the stages of Zhu 2022, figure 12: data copies the "
         "points to\n"
         "the device; opt sorts, partitions and bundles queries; BVH builds the tree; first is the pass that finds the "
         "order;\n"
         "* is the quickest exact row, by the total; p5..p95 are of the total, speed-up is NoOpt's total by the row's. "
         "found,\n"
         "recall and precision are of the queries checked: points per query, the share of what there was to be found, "
         "the\n"
         "share of what was found that was to be found. Where all of a ball are counted, opt gathers the points, BVH "
         "builds\n"
         "the tree or the grid, and a query is no neighbour of itself. grid is a search by cells in place of the tree: "
         "BVH "
         "builds\n"
         "its cells, opt sorts the queries by cell. WRONG rows are not to be used.\n";
}

std::string rtnn_csv(const RtnnReport& report) {
  std::string text =
      "cloud,input,search,sweep,variant,approximation,state,fastest,points,radius,points_per_ball,K,leaf";
  for (const StageColumn& stage : kStages)
    for (const char* figure : {"median", "min", "max", "p5", "p95"})
      text += fmt::format(",{}_{}_ms", stage.name, figure);
  text += ",runs,speed_up,parts,found_mean,recall,precision,structure_bytes,result_bytes,compared,wrong,note\n";
  const auto given = [](auto value) { return value < 0 ? std::string() : fmt::format("{}", value); };
  for (const RtnnRow& row : report.rows) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}", csv_field(row.cloud), row.input, to_string(row.task),
                        row.sweep, csv_field(row.variant), csv_field(row.approximation), to_string(row.state),
                        row.fastest ? 1 : 0, row.points, row.radius, row.ball_mean,
                        row.neighbors > 0 ? std::to_string(row.neighbors) : "",
                        row.leaf > 0 ? std::to_string(row.leaf) : "");
    for (const StageColumn& stage : kStages) {
      const Spread& s = row.*stage.spread;
      text += s.median < 0 ? ",,,,," : fmt::format(",{},{},{},{},{}", s.median, s.min, s.max, s.p5, s.p95);
    }
    text += fmt::format(",{},{},{},{},{},{},{},{},{},{},{}\n", row.runs, given(row.speed_up), row.parts,
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
  Json json = session_json("rtnn", report, report.wrong());
  json["clouds"] = clouds;
  json["rows"] = rows;
  return json;
}

}  // namespace riffle::bench
