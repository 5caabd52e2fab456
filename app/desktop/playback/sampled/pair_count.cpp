#include "app/desktop/playback/sampled/pair_count.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/error.h"
#include "core/timing/seconds_since.h"

namespace riffle::desktop {

namespace {

/// Adds each figure to the course of its name.
std::vector<SearchCourse> continued(std::vector<SearchCourse> before, const std::vector<SearchFigure>& figures) {
  constexpr std::size_t kKept = 300;
  std::vector<SearchCourse> courses;
  for (const SearchFigure& figure : figures) {
    SearchCourse course{figure, {}};
    const auto same = std::ranges::find(before, figure.name, [](const SearchCourse& c) { return c.latest.name; });
    if (same != before.end()) course.values = std::move(same->values);
    if (course.values.size() == kKept) course.values.erase(course.values.begin());
    course.values.push_back(static_cast<float>(figure.value));
    courses.push_back(std::move(course));
  }
  return courses;
}

}  // namespace

void PairCount::count(Simulation& simulation, double wall) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<SearchCourse> courses = std::move(status_.courses);
  status_ = {};
  counted_ = true;
  try {
    const NeighborReport now = simulation.neighbors();
    status_.fluid = now.mean;
    status_.walls = now.walls;
    status_.search = now.search;
    if (std::string name = now.name(); name != counted_search_) {
      courses.clear();
      counted_search_ = std::move(name);
    }
    status_.courses = continued(std::move(courses), figures_of(now.search, now.lists, simulation.particle_count()));
  } catch (const Unavailable& shortage) {  // a run must not end for it
    status_.courses = std::move(courses);
    status_.why_none = shortage.what();
  }
  const double took = seconds_since(begin);
  status_.ms = 1e3 * took;
  next_ = wall + took + std::max(kLeastInterval, took / kMostShare);
}

}  // namespace riffle::desktop
