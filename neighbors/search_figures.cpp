#include "neighbors/search_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "neighbors/tree/tree_structures.h"

namespace riffle {

namespace {

struct CountUnit {
  std::string_view name, unit;
};

/// "" also where the name says what is counted.
constexpr CountUnit kUnits[] = {
    {"cells", ""},
    {"occupied", "cells"},
    {"fullest", "particles"},
    {"mean in occupied", "particles"},
    {kShareResorted, kShare},
    {"list width", "entries"},
    {"longest list", "entries"},
    {"lists beyond the width", "particles"},
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

SearchFigure figure_named(std::string name, double value) {
  const std::string_view* const unit = unit_of_count(name);
  return {std::move(name), value, unit ? *unit : ""};
}

const std::string_view* unit_of_count(std::string_view name) {
  const auto* const at = std::ranges::find(kUnits, name, &CountUnit::name);
  return at == std::end(kUnits) ? nullptr : &at->unit;
}

std::vector<SearchFigure> figures_of(const SearchStats& search, const ListStats& lists, int particles) {
  std::vector<SearchFigure> figures;
  if (!search.built()) return figures;
  const OccupancyStats& o = search.occupancy;
  const auto add = [&figures](std::string_view name, double value) {
    figures.push_back(figure_named(std::string(name), value));
  };
  add("cells", double(o.cells));
  add("occupied", double(o.occupied));
  add("fullest", double(o.max));
  add("mean in occupied", o.mean);
  for (const SearchCount& count : search.counts) {
    add(count.name, count.value);
    if (count.name == kResorted) add(kShareResorted, count.value / std::max(1, particles));
  }
  if (lists.kind == ListKind::Slices) {
    add("list width", double(lists.width));
    add("longest list", double(lists.longest));
    add("lists beyond the width", double(lists.overflowing));
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
