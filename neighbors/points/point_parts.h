#pragma once
/// What a structure is asked for once the queries are in order and in parts. Each structure answers one PartsSearch:
/// PointSearch::search_parts() chooses among them.

#include <optional>

#include "neighbors/points/point_search.h"

namespace riffle {

struct PartsSearch {
  const Vec4* points;             ///< (count) in the tree's order
  const std::uint32_t* original;  ///< (count) the caller's index by the tree's
  int count;
  int dimension;
  const Vec4* queries;         ///< (query_count) as given
  const std::uint32_t* order;  ///< (query_count) the queries part after part; nullptr: as given
  int query_count;
  float radius;  ///< points are found within it, see SearchPart::sphere
  int capacity;  ///< K
  bool nearest;  ///< the K nearest; otherwise any K
  const PointSearchSettings& settings;
  const std::vector<SearchPart>& parts;
  PointMatches&
      matches;  ///< has its size; `count` is to be filled if it is not empty: then the search does not end at K
  SearchCounts* counts;  ///< has its size; nullptr: nothing is to be counted
  StageTimer* timer;     ///< nullptr: not timed. Stages: "bvh" for each part's boxes, "search" for each part

  float radius2() const { return radius * radius; }
  std::uint32_t* match_count() const { return matches.count.size() > 0 ? matches.count.data() : nullptr; }
};

/// A timed stage, from here to the end of the block; does nothing without a timer.
class PointStage {
 public:
  PointStage(StageTimer* timer, const char* name) {
    if (timer) scope_.emplace(*timer, name);
  }

 private:
  std::optional<StageTimer::Scope> scope_;
};

}  // namespace riffle
