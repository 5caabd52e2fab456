#include "neighbors/search_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "neighbors/tree/tree_structures.h"

namespace riffle {

namespace {

struct CountUnit {
  std::string_view name, unit;
};

/// "" also where the name says what is counted.
constexpr CountUnit kUnits[] = {
    {kResorted, ""},
    {"inserted atomically after 64 rounds", "particles"},
    {"insertion rounds", ""},
    {"full builds", ""},
    {"re-sorts", ""},
    {"refits", ""},
    {"refits refused", ""},
    {"cells of the box", ""},
    {"slots of the table", ""},
    {"border fraction", kShare},
    {"particles loaded per tile", ""},
    {"fine cells per tile", ""},
    {"parts of crowded cells", ""},
    {"leaves", ""},
    {"boxes", ""},
    {"boxes more than doubled", kShare},
    {"boxes moved on", kShare},
    {"candidates", "pairs"},
    {"half pairs", ""},
    {"pairs listed", ""},
    {"chunks", ""},
    {"peak bytes", ""},
    {kMsByLbvh, ""},
    {kMsByOptix, ""},
};

}  // namespace

std::string SearchFigure::key() const {
  std::string key = name;
  std::ranges::replace_if(
      key, [](char c) { return c == ' ' || c == '-'; }, '_');
  return key;
}

std::string SearchFigure::text() const {
  if (unit == kShare) return fmt::format("{:.3g} %", 100 * value);
  const std::string number = value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
  return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

const std::string_view* unit_of_count(std::string_view name) {
  const auto* const at = std::ranges::find(kUnits, name, &CountUnit::name);
  return at == std::end(kUnits) ? nullptr : &at->unit;
}

std::vector<SearchFigure> figures_of(const SearchStats& search, const ListStats& lists, int particles) {
  std::vector<SearchFigure> figures;
  if (!search.built()) return figures;
  const OccupancyStats& o = search.occupancy;
  figures = {{"cells", double(o.cells), ""},
             {"occupied", double(o.occupied), "cells"},
             {"fullest", double(o.max), "particles"},
             {"mean in occupied", o.mean, "particles"}};
  for (const SearchCount& count : search.counts) {
    const std::string_view* const unit = unit_of_count(count.name);
    figures.push_back({count.name, count.value, unit ? *unit : ""});
    if (count.name == kResorted)
      figures.push_back({std::string(kShareResorted), count.value / std::max(1, particles), kShare});
  }
  if (lists.kind == ListKind::Slices) {
    figures.push_back({"list width", double(lists.width), "entries"});
    figures.push_back({"longest list", double(lists.longest), "entries"});
    figures.push_back({"lists beyond the width", double(lists.overflowing), "particles"});
  }
  return figures;
}

std::string describe(const std::vector<SearchFigure>& figures) {
  std::string text;
  for (const SearchFigure& figure : figures)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", figure.name, figure.text());
  return text;
}

}  // namespace riffle
