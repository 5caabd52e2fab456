/// Writes each curve as data (.csv), as a gnuplot script (.gp) and, where gnuplot is installed, as a picture (.png).

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "app/report/gnuplot.h"
#include "app/report/validation_report.h"
#include "core/text/output_files.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLineFrom = 25;  ///< from this many reference points on a line is drawn
constexpr const char* kColors[] = {"#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b"};
constexpr int kDashes[] = {1, 2, 4, 3};
constexpr int kPoints[] = {6, 4, 8, 10, 12};

/// Every series has two columns: measured and reference values have different x.
std::string data_of(const std::vector<const Series*>& all, const Curve& curve) {
  std::string text;
  std::size_t rows = 0;
  for (const Series* s : all) {
    text += fmt::format("{}{},{}", text.empty() ? "" : ",", csv_text(s->label + ": " + curve.x_label),
                        csv_text(s->label + ": " + curve.y_label));
    rows = std::max(rows, s->x.size());
  }
  text += "\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (k > 0) text += ",";
      text += row < all[k]->x.size() ? fmt::format("{},{}", all[k]->x[row], all[k]->y[row]) : std::string(",");
    }
    text += "\n";
  }
  return text;
}

/// Curves that are never negative and come near 0 are drawn from 0, which shows their relative changes.
bool starts_at_zero(const std::vector<const Series*>& all) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const Series* s : all)
    for (const double y : s->y) least = std::min(least, y), most = std::max(most, y);
  return least >= 0 && least < 0.3 * most;
}

std::string script_of(const std::vector<const Series*>& all, const Curve& curve, const std::string& name) {
  std::string script = fmt::format(
      "set terminal pngcairo size 900,540 font 'DejaVu Sans,12' background '#ffffff' noenhanced\n"
      "set output '{0}.png'\n"
      "set datafile separator ','\n"
      "set title {1}\nset xlabel {2}\nset ylabel {3}\n"
      "set border 3 lc rgb '#444444'\nset tics nomirror\nset grid lc rgb '#dddddd' lt 1 lw 0.5\n"
      "set key tmargin center horizontal Left reverse samplen 2.5\nset offsets graph 0, graph 0, graph 0.03, graph "
      "0.03\n",
      name, gp_text(curve.title), gp_text(curve.x_label), gp_text(curve.y_label));
  if (curve.log_x) script += "set logscale x\nset xrange [*:*] noextend\nset format x '%g'\n";
  if (curve.log_y) script += "set logscale y\nset yrange [*:*] noextend\nset format y '%g'\n";
  if (!curve.log_y && starts_at_zero(all)) script += "set yrange [0:*]\n";
  std::string plots;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool reference = k >= curve.measured.size();
    const std::size_t nth = reference ? k - curve.measured.size() : k;
    const std::size_t count = all[k]->x.size();
    std::string style;
    if (!reference)
      style = fmt::format("{} lc rgb '{}' lw 2.2{}", count > 30 ? "lines" : "linespoints",
                          kColors[nth % std::size(kColors)], count > 30 ? "" : " pt 7 ps 0.5");
    else if (count >= kLineFrom || count == 2)
      style = fmt::format("lines lc rgb '#000000' lw 1.4 dt {}", kDashes[nth % std::size(kDashes)]);
    else
      style = fmt::format("points lc rgb '#000000' lw 1.6 pt {} ps 1.1", kPoints[nth % std::size(kPoints)]);
    plots += fmt::format("{} '{}.csv' skip 1 using {}:{} with {} title {}", plots.empty() ? "" : ", \\\n ", name,
                         2 * k + 1, 2 * k + 2, style, gp_text(all[k]->label));
  }
  return script + "plot" + plots + "\n";
}

}  // namespace

std::vector<std::string> write_curves(const ValidatedCase& validated, const std::string& folder,
                                      const std::string& gnuplot) {
  std::vector<std::string> files;
  for (const Curve& curve : validated.result.curves) {
    std::vector<const Series*> all;
    for (const Series& s : curve.measured) all.push_back(&s);
    for (const Series& s : curve.reference) all.push_back(&s);
    if (all.empty()) continue;
    const std::string name = slug(validated.which->name + "_" + curve.name);
    const fs::path base = fs::path(folder) / name;
    write_text(base.string() + ".csv", data_of(all, curve));
    write_text(base.string() + ".gp", script_of(all, curve, name));
    files.push_back(base.string() + ".csv");
    files.push_back(base.string() + ".gp");
    if (gnuplot.empty()) continue;
    draw_with_gnuplot(gnuplot, folder, name);
    files.push_back(base.string() + ".png");
  }
  return files;
}

}  // namespace riffle
