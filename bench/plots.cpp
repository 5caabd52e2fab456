/// Draws the benchmark's tables with gnuplot, where it is installed. Scripts and data are written in any case.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "app/report/gnuplot.h"
#include "bench/rows.h"
#include "core/error.h"
#include "core/text/number_text.h"
#include "core/text/output_files.h"
#include "render/media/process.h"

namespace riffle::bench {

namespace fs = std::filesystem;

namespace {

/// Rows of one picture.
struct Picture {
  std::string name;  ///< of its files, without the ending
  std::string title;
  std::vector<const BenchRow*> rows;
};

std::string series_of(const BenchRow& row) {
  if (row.source.empty()) return row.method;
  // A line for each of the many public codes would hide ours: a sweep shows the fastest of them only.
  if (row.source.starts_with("H200")) return "quickest public code on an H200";
  return row.method + ", " + row.source;
}

/// A method has the same colour in every picture. A paper's figures have the colour of their method.
std::string color_of(const std::string& series) {
  const std::string name = slug(series);
  const std::pair<std::string_view, std::string_view> variants[] = {
      {"fenns_18", "#8c1d40"}, {"bucket_iterative", "#c49c00"}, {"bucket_re", "#e377c2"}};
  const std::pair<std::string_view, std::string_view> others[] = {
      {"thrust", method_info(NeighborMethod::ThrustPairs).color}, {"re_sort", "#e377c2"}, {"2_re_sort", "#e377c2"},
      {"sort", method_info(NeighborMethod::Bucket).color},        {"gpusort", "#17becf"}, {"quickest", "#000000"}};
  for (const auto& [start, color] : variants)
    if (name.starts_with(start)) return std::string(color);
  for (const NeighborMethodInfo& info : neighbor_methods())
    if (name.starts_with(info.name)) return std::string(info.color);
  for (const auto& [start, color] : others)
    if (name.starts_with(start)) return std::string(color);
  return "#555555";
}

std::string head(const Picture& picture, int width, int height) {
  return fmt::format(
      "set terminal svg size {},{} font 'DejaVu Sans,13' background '#ffffff' noenhanced\n"
      "set output '{}.svg'\n"
      "set datafile separator ','\n"
      "set title {}\n"
      "set border 3 lc rgb '#444444'\n"
      "set tics nomirror\n"
      "set grid lc rgb '#dddddd' lt 1 lw 0.5\n",
      width, height, picture.name, gp_text(picture.title));
}

/// Maps (x, series) to milliseconds; keeps the smallest of several rows at the same place.
struct Sweep {
  std::vector<double> x;
  std::vector<std::string> series;
  std::map<std::pair<double, std::string>, double> ms;
  std::set<std::string> published;
};

Sweep sweep_of(const Picture& picture) {
  Sweep sweep;
  for (const BenchRow* row : picture.rows) {
    const double ms = row->deciding_ms();
    if (!(row->state == RowState::Measured || row->state == RowState::Published) || ms < 0) continue;
    const std::string series = series_of(*row);
    if (std::find(sweep.x.begin(), sweep.x.end(), row->value) == sweep.x.end()) sweep.x.push_back(row->value);
    if (std::find(sweep.series.begin(), sweep.series.end(), series) == sweep.series.end())
      sweep.series.push_back(series);
    if (row->state == RowState::Published) sweep.published.insert(series);
    const auto [at, fresh] = sweep.ms.try_emplace({row->value, series}, ms);
    if (!fresh) at->second = std::min(at->second, ms);
  }
  std::sort(sweep.x.begin(), sweep.x.end());
  std::stable_partition(sweep.series.begin(), sweep.series.end(),
                        [&](const std::string& s) { return !sweep.published.contains(s); });
  return sweep;
}

void write_lines(const Picture& picture, const fs::path& folder) {
  const Sweep sweep = sweep_of(picture);
  const BenchRow& first = *picture.rows.front();
  std::string data = "place," + csv_text(first.sweep);
  for (const std::string& series : sweep.series) data += fmt::format(",{}", csv_text(series));
  data += "\n";
  for (std::size_t k = 0; k < sweep.x.size(); ++k) {
    data += fmt::format("{},{}", k, sweep.x[k]);
    for (const std::string& series : sweep.series) {
      const auto at = sweep.ms.find({sweep.x[k], series});
      data += at == sweep.ms.end() ? ",NaN" : fmt::format(",{}", at->second);
    }
    data += "\n";
  }
  // 0 has no logarithm, so such values are placed side by side.
  const bool places = !sweep.x.empty() && sweep.x.front() <= 0;
  std::string script = head(picture, 1060, 560);
  script += fmt::format(
      "set xlabel {}\nset ylabel '{} [ms], median'\nset logscale y\nset key outside right top Left reverse samplen "
      "2.5 spacing 1.15\n",
      gp_text(first.sweep), first.builds_only ? "build" : "build + reorder + list + query");
  script += "set format y '%g'\n";
  std::string tics;
  for (std::size_t k = 0; k < sweep.x.size(); ++k)
    tics += fmt::format("{}'{}' {}", k ? ", " : "", grouped(static_cast<std::int64_t>(sweep.x[k])),
                        places ? double(k) : sweep.x[k]);
  script += fmt::format("set xtics ({}) rotate by -25\n", tics);
  script += places ? fmt::format("set xrange [-0.3:{}]\n", double(sweep.x.size()) - 0.7) : "set logscale x\n";
  std::string plots;
  for (std::size_t s = 0; s < sweep.series.size(); ++s) {
    const std::string& series = sweep.series[s];
    const bool published = sweep.published.contains(series);
    const bool second = series.find("Titan") != std::string::npos;
    plots += fmt::format("{} '{}.csv' skip 1 using {}:{} with linespoints lc rgb '{}' lw {} dt {} pt {} ps {} title {}",
                         s ? ", \\\n " : "", picture.name, places ? 1 : 2, s + 3, color_of(series),
                         published ? 1.2 : 2.4, published ? (second ? 3 : 2) : 1, published ? (second ? 8 : 6) : 7,
                         published ? 0.4 : 0.6, gp_text(series));
  }
  if (!plots.empty()) script += "plot" + plots + "\n";
  write_text(folder / (picture.name + ".csv"), data);
  write_text(folder / (picture.name + ".gp"), script);
}

constexpr const char* kParts[] = {"build", "reorder", "list", "query", "not divided"};
constexpr const char* kPartColors[] = {"#4878a8", "#9ecae1", "#c7a252", "#e07b39", "#b0b0b0"};

/// Ends of the parts, one after the other. A total without parts is the last part.
std::array<double, 5> part_ends(const BenchRow& row) {
  std::array<double, 5> ends{};
  double sum = 0;
  const double parts[] = {row.build.median, row.reorder.median, row.list.median, row.query.median};
  for (int k = 0; k < 4; ++k) ends[static_cast<std::size_t>(k)] = sum += std::max(0.0, parts[k]);
  ends[4] = row.total.median >= 0 && sum == 0 ? row.total.median : sum;
  return ends;
}

void write_bars(const Picture& picture, const fs::path& folder) {
  std::vector<const BenchRow*> rows;
  for (const BenchRow* row : picture.rows)
    if (row->state == RowState::Measured || row->state == RowState::Published) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const BenchRow* a, const BenchRow* b) { return part_ends(*a)[4] < part_ends(*b)[4]; });
  double slowest = 0;
  for (const BenchRow* row : rows)
    if (row->state == RowState::Measured) slowest = std::max(slowest, part_ends(*row)[4]);
  double quickest = slowest;
  for (const BenchRow* row : rows) quickest = std::min(quickest, part_ends(*row)[4]);
  // One bar a hundred times as long as the others would make the others invisible.
  double end = 0;
  for (const BenchRow* row : rows)
    if (part_ends(*row)[4] <= 12 * quickest) end = std::max(end, part_ends(*row)[4]);
  std::string data = "row,label";
  for (const char* part : kParts) data += fmt::format(",end of {} [ms]", part);
  data += "\n";
  std::string tics, labels;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto ends = part_ends(*rows[k]);
    const std::string label =
        rows[k]->source.empty() ? "Riffle: " + rows[k]->method : rows[k]->method + " (" + rows[k]->source + ")";
    data += fmt::format("{},{}", k, csv_text(label));
    for (const double x : ends) data += fmt::format(",{}", x);
    data += "\n";
    tics += fmt::format("{}{} {}", k ? ", " : "", gp_text(label), k);
    labels += fmt::format("set label {} \" {:.4g} ms{}\" at {},{} left front\n", k + 1,
                          rows[k]->total.median >= 0 ? rows[k]->total.median : ends[4],
                          ends[4] > end ? ", cut off" : "", std::min(ends[4], end), k);
  }
  Picture titled = picture;
  titled.title += ": median times [ms]";
  std::string script = head(titled, 1060, 130 + 24 * static_cast<int>(rows.size()));
  script += fmt::format(
      "set xrange [0:{}]\nset yrange [{}:-0.6]\nset ytics ({})\nset key outside bottom center "
      "horizontal\n",
      end * 1.22, double(rows.size()) - 0.4, tics);
  script +=
      fmt::format("set style fill solid 1 noborder\nset grid noytics\ncut(x) = x > {0} ? {0} : x\n{1}", end, labels);
  std::string plots;
  for (int k = 0; k < 5; ++k) {
    const std::string from = k == 0 ? "(0)" : fmt::format("(cut(${}))", k + 2);
    const std::string to = fmt::format("(cut(${}))", k + 3);
    plots +=
        fmt::format("{} '{}.csv' skip 1 using {}:1:{}:{}:($1-0.36):($1+0.36) with boxxyerror lc rgb '{}' title '{}'",
                    k ? ", \\\n " : "", picture.name, to, from, to, kPartColors[k], kParts[k]);
  }
  if (!rows.empty()) script += "plot" + plots + "\n";
  write_text(folder / (picture.name + ".csv"), data);
  write_text(folder / (picture.name + ".gp"), script);
}

/// A name for the files of one more picture.
std::string free_name(const std::vector<Picture>& pictures, const std::string& text) {
  const std::string plain = slug(text);
  const std::string first = plain.empty() ? "table" : plain;
  std::string name = first;
  const auto taken = [&](const Picture& p) { return p.name == name; };
  for (int k = 2; std::any_of(pictures.begin(), pictures.end(), taken); ++k) name = fmt::format("{}_{}", first, k);
  return name;
}

std::vector<Picture> pictures_of(const BenchReport& report) {
  std::vector<Picture> pictures;
  for (const BenchRow& row : report.rows) {
    if (row.state == RowState::LeftOut || row.state == RowState::Refused || row.state == RowState::Wrong) continue;
    const std::string input = row.sweep.empty() ? row.input : "";
    const std::string title =
        fmt::format("{}: {}{}, on {}", row.scenario, row.table, input.empty() ? "" : ", " + input, report.device_name);
    // Compared by title: tables whose names differ only in punctuation have the same slug but are different pictures.
    auto at = std::find_if(pictures.begin(), pictures.end(), [&](const Picture& p) { return p.title == title; });
    if (at == pictures.end())
      at = pictures.insert(pictures.end(),
                           {free_name(pictures, row.scenario + " " + row.table + " " + input), title, {}});
    at->rows.push_back(&row);
  }
  return pictures;
}

}  // namespace

std::string write_plots(const BenchReport& report, const std::string& folder) {
  const std::vector<Picture> pictures = pictures_of(report);
  if (pictures.empty()) return "no plots: no row was measured and right";
  for (const Picture& picture : pictures)
    picture.rows.front()->sweep.empty() ? write_bars(picture, folder) : write_lines(picture, folder);
  const std::string gnuplot = render::find_program("gnuplot");
  if (gnuplot.empty())
    return fmt::format(
        "{}: {} scripts and their data, and no pictures: gnuplot is not on the PATH (Debian: apt install gnuplot-nox); "
        "`gnuplot *.gp` in that folder draws them",
        folder, pictures.size());
  for (const Picture& picture : pictures) draw_with_gnuplot(gnuplot, folder, picture.name);
  return fmt::format("{}: {} pictures (.svg), their scripts and data", folder, pictures.size());
}

}  // namespace riffle::bench
