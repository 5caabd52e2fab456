#include "neighbors/neighbor_search.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/device/atomic.h"
#include "core/device/reduce.cuh"
#include "core/error.h"
#include "core/text/log_write.h"
#include "neighbors/build_sorted.h"
#include "neighbors/lists/csr_list.h"
#include "neighbors/lists/neighbor_list.h"
#include "neighbors/search_method.h"

namespace riffle {

namespace {

struct FlagLargeDisplacement {
  const Vec4* now;
  const Vec4* then;
  PeriodicWrap wrap;
  float limit2;  ///< ((h_build - h) / 2)^2
  std::uint32_t* flag;

  // Written so that NaN raises the flag: such a particle counts as moved. All writers write the same value.
  RIFFLE_HD void operator()(std::int64_t i) const {
    if (!(squared_length(separation(xyz(now[i]), xyz(then[i]), wrap)) < limit2)) atomic_max(flag, 1u);
  }
};

/// h with its skin, or with the part of the skin for which periodic axes leave room.
float radius_with_skin(const Domain& domain, float h, float skin) {
  float radius = h * (1 + skin);
  for (int a = 0; a < domain.dimension; ++a) {
    const float half = component(domain.extent(), a) / 2;
    if (skin > 0 && domain.periodic(a) && half >= h && half < radius) radius = half;
  }
  return radius;
}

}  // namespace

NeighborSearch::NeighborSearch(const Device& device, const SearchSettings& settings)
    : device_(device),
      settings_(settings),
      method_(method_info(settings.method).make(device, settings)),
      view_(method_->view()),
      method_view_(view_),
      built_positions_(device),
      moved_too_far_(device) {
  if (!(settings.skin >= 0 && settings.skin <= 10))
    throw InputError("skin: " + std::to_string(settings.skin) + " support radii; it must be from 0 to 10");
}
NeighborSearch::~NeighborSearch() = default;
NeighborSearch::NeighborSearch(NeighborSearch&&) noexcept = default;
NeighborSearch& NeighborSearch::operator=(NeighborSearch&&) noexcept = default;

bool NeighborSearch::still_exact(const Vec4* positions, int count, const Domain& domain, float h) {
  if (settings_.skin <= 0 || !(h_build_ >= h) || count != count_ || count == 0) return false;
  if (!(domain == domain_)) return false;
  if (h_build_ != radius_with_skin(domain, h, settings_.skin)) return false;  // built for another h
  return !displacement_exceeds(positions, h);
}

void NeighborSearch::build(const Vec4* positions, int count, const Domain& domain, float h, int unmoved) {
  if (unmoved < 0 || unmoved > count)
    throw std::logic_error("build: unmoved must be from 0 to the number of positions");
  kept_ = still_exact(positions, count, domain, h);
  if (kept_) return;
  h_build_ = 0;  // if the build throws, a traversal of the remains of the last one throws too
  const float radius = radius_with_skin(domain, h, settings_.skin);
  method_->build({positions, count, domain, radius, unmoved});
  note_build(domain, count, radius);
  if (settings_.skin > 0) copy_in_order(*this, positions, built_positions_);
}

void NeighborSearch::note_build(const Domain& domain, int count, float radius) {
  method_view_ = view_ = method_->view();
  domain_ = domain;
  wrap_ = periodic_wrap(domain);
  h_build_ = radius;
  count_ = count;
  ++version_;
  ++builds_;
}

KeptSearch NeighborSearch::kept() const {
  if (h_build_ <= 0) return {};
  KeptSearch kept{{}, h_build_, method_->kept()};
  if (settings_.skin > 0) kept.positions = built_positions_.to_host();
  return kept;
}

/// Whether the method's last build left the particles in the order that they had.
bool NeighborSearch::keeps_order() const {
  const std::uint32_t* order = method_->order();
  if (order == nullptr) return true;
  std::vector<std::uint32_t> places(static_cast<std::size_t>(count_));
  copy_to_host(device_, places.data(), order, places.size() * sizeof places[0]);
  for (std::size_t p = 0; p < places.size(); ++p)
    if (places[p] != p) return false;
  return true;
}

bool NeighborSearch::restore(const KeptSearch& kept, const Vec4* positions, int count, const Domain& domain, float h) {
  const bool listed = settings_.skin > 0;
  if (count == 0 || kept.empty() || kept.radius != radius_with_skin(domain, h, settings_.skin)) return false;
  if (!listed) return method_->restore({positions, count, domain, kept.radius}, kept.builds, false);
  if (kept.positions.size() != static_cast<std::size_t>(count)) return false;
  built_positions_.assign(kept.positions);
  const BuildInput input{built_positions_.data(), count, domain, kept.radius};
  if (!method_->restore(input, kept.builds, true)) method_->build(input);
  note_build(domain, count, kept.radius);
  if (!keeps_order()) {
    forget();
    return false;
  }
  list_neighbors(built_positions_.data());
  return true;
}

void NeighborSearch::forget() {
  h_build_ = 0;  // no skin is kept, and a traversal before the next build throws
  kept_ = false;
  ++version_;
  method_->forget();
  if (list_) list_->forget();
  short_of_rows_ = false;
}

void NeighborSearch::list_neighbors(const Vec4* positions) {
  if (count_ == 0 || (lists_always() && listed_version_ == version_)) return;
  if (std::visit([](const auto& view) { return view.lists(); }, method_view_) == PairLists::Own) {
    // Those of a tree that stood in for OptiX's.
    list_.reset();
    csr_list_.reset();
    return;
  }
  view_ = method_view_;
  if (device_.is_cuda()) {
    if (!list_) list_ = std::make_unique<NeighborList>(device_);
    const auto* grid = std::get_if<GridView>(&method_view_);
    const bool dense = grid != nullptr && !grid->lap;
    const NeighborQuery query{positions, positions, count_, h_build_ * h_build_, wrap_, true};
    if (dense ? list_->build(*grid, query, settings_.deterministic) : list_->build(*this, positions))
      view_ = dense ? list_->view(*grid) : list_->view();
  }
  if (lists_always() && view_.index() == method_view_.index()) list_rows(positions);
  if (view_.index() != method_view_.index()) ++list_builds_;
  listed_version_ = version_;
}

// A run on a GPU goes on without lists: there they only save time, and slices may have left too little memory for rows.
void NeighborSearch::list_rows(const Vec4* positions) {
  if (device_.is_cuda() && short_of_rows_) return;
  if (!csr_list_) csr_list_ = std::make_unique<CsrList>(device_);
  try {
    csr_list_->build(*this, positions);
    view_ = csr_list_->view();
  } catch (const Unavailable& shortage) {
    if (device_.is_cpu()) throw;
    csr_list_.reset();
    short_of_rows_ = true;
    log::write(log::Level::Warning,
               std::string("rows of neighbours are given up, every pass searches instead: ") + shortage.what());
  }
}

bool NeighborSearch::wants_reorder() const { return order() != nullptr; }
const std::uint32_t* NeighborSearch::order() const { return kept_ ? nullptr : method_->order(); }

const std::uint32_t* NeighborSearch::check_displacement(const Vec4* positions, float h) {
  if (settings_.skin <= 0)
    throw std::logic_error("check_displacement: only a search with a skin keeps the old positions");
  moved_too_far_.resize(1);
  moved_too_far_.fill_zero();
  // The flag is never late. Two particles just beyond the build's radius may each move by just less than the slack and
  // end just within h, where all distances and displacements are rounded. A distance is off by about 2^-23 of itself,
  // and across a periodic face by 2^-24 of the distance to the other face. With no slack at all, every particle exceeds
  // the limit.
  double rounding = 0x1p-20 * h_build_;
  for (int a = 0; a < domain_.dimension; ++a)
    if (domain_.periodic(a)) rounding = std::max(rounding, 0x1p-21 * component(domain_.extent(), a));
  const double slack = std::max(0.0, (double{h_build_} - double{h}) / 2 - rounding);
  const float limit2 = std::nextafter(static_cast<float>(slack * slack), 0.0f);
  parallel_for(device_, "check displacement", count_,
               FlagLargeDisplacement{positions, built_positions_.data(), wrap_, limit2, moved_too_far_.data()});
  return moved_too_far_.data();
}

bool NeighborSearch::displacement_exceeds(const Vec4* positions, float h) {
  std::uint32_t flag = 0;
  copy_to_host(device_, &flag, check_displacement(positions, h), sizeof flag);
  return flag != 0;
}

// A build that failed may have left its data half written.
OccupancyStats NeighborSearch::occupancy() const { return h_build_ > 0 ? method_->occupancy() : OccupancyStats{}; }
SearchStats NeighborSearch::stats() const { return h_build_ > 0 ? method_->stats() : SearchStats{}; }
ListStats NeighborSearch::list_stats() const {
  ListStats stats;
  stats.builds = list_builds_;
  if (h_build_ <= 0) return stats;
  if (std::holds_alternative<ListView>(view_)) {
    stats = list_->stats_of_build(list_builds_);
    stats.builds = list_builds_;
  }
  const bool own = std::visit([](const auto& view) { return view.lists(); }, method_view_) == PairLists::Own;
  const bool listed = std::visit([](const auto& view) { return view.lists(); }, view_) == PairLists::Own;
  stats.kind = own ? ListKind::OfMethod : stats.width > 0 ? ListKind::Slices : listed ? ListKind::Rows : ListKind::None;
  if (own) stats.builds = builds_;
  return stats;
}
std::size_t NeighborSearch::memory_bytes() const {
  return method_->memory_bytes() + built_positions_.bytes() + moved_too_far_.bytes() +
         (list_ ? list_->memory_bytes() : 0) + (csr_list_ ? csr_list_->memory_bytes() : 0);
}

}  // namespace riffle
