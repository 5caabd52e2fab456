#pragma once
/// Plots in the panels: a frame with labelled axes, and lines over time in it.

#include <imgui.h>

#include <span>
#include <string>
#include <vector>

#include "app/desktop/widgets/plot_scale.h"

namespace riffle::desktop {
enum class Appearance;
}

namespace riffle::desktop::ui {

/// A background with the y axis at its left and room for the x axis below. It is one item of Dear ImGui.
class PlotFrame {
 public:
  /// @param name for InterfaceTrace and for Dear ImGui
  /// @param x_marks whether the x axis is labelled
  PlotFrame(const char* name, float height, AxisRange x, AxisRange y, AxisScale y_scale, bool x_marks,
            const std::string& unit = "", const std::string& x_unit = "");

  ImVec2 min() const { return min_; }  ///< of the area within the axes [pixel]
  ImVec2 max() const { return max_; }
  const AxisMap& x() const { return x_; }
  const AxisMap& y() const { return y_; }
  bool hovered() const { return hovered_; }  ///< the area within the axes

  void vertical_line(double at, ImU32 color) const;
  void message(const char* text) const;  ///< text in the middle, instead of lines

 private:
  ImVec2 min_, max_;
  AxisMap x_, y_;
  bool hovered_ = false;
};

struct PlotPoint {
  double x = 0, low = 0, high = 0, last = 0;  ///< low and high: the range of the samples that the point stands for
};

struct PlotLine {
  std::string name;
  ImU32 color = 0;
  std::vector<PlotPoint> points;  ///< ascending in x; NaN leaves a gap
  bool dashed = false;
  bool faint = false;  ///< of Plot::beside, in a colour that the line of the same name has
};

inline constexpr std::size_t kPlotColors = 8;  ///< that differ: a plot has no more lines that are measured

/// One colour per line of a plot, dark enough on the light background too.
ImU32 plot_color(std::size_t index, Appearance appearance);

/// Between the line's points; NaN outside them, and beside a gap.
double value_at(const PlotLine& line, double x);

/// A moment at which something changed.
struct PlotMark {
  double at = 0;     ///< in x
  std::string text;  ///< for the tooltip
};

struct Plot {
  const char* name = "plot";  ///< for InterfaceTrace
  std::string x_label;        ///< "t"
  std::string x_unit;         ///< at the axis and in the tooltip; "" for none
  std::string unit;           ///< of the values
  AxisScale scale = AxisScale::Linear;
  float height = 0;  ///< [pixel]
  std::vector<PlotLine> lines;
  std::string beside;           ///< whose lines the faint ones are, for the legend
  std::vector<PlotMark> marks;  ///< small ones at the upper edge
  std::string note;             ///< over the lines, in the lower right corner; "" for none
  double now = 0;               ///< marked by a vertical line if it is within the range
};

/// Draws the plot, a crosshair with every line's value under the mouse, and a legend below.
void draw_plot(const Plot& plot);

/// The names of the lines in their colours, in as many rows as they need. The faint ones have one entry together.
/// @param beside  its name; "" if there are none
void draw_legend(std::span<const PlotLine> lines, const std::string& beside = "");

}  // namespace riffle::desktop::ui
