#include "neighbors/neighbor_search.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/atomic.h"
#include "core/error.h"
#include "core/reduce.h"
#include "neighbors/neighbor_list.h"
#include "neighbors/search_method.h"

namespace riffle {

namespace {

struct FlagLargeDisplacement {
  const Vec4* now;
  const Vec4* then;
  PeriodicWrap wrap;
  float limit2;  ///< ((h_build - h) / 2)^2
  std::uint32_t* flag;

  // Written so that NaN raises it: a particle that is no longer a number counts as moved. All writers write the same.
  RIFFLE_HD void operator()(std::int64_t i) const {
    if (!(squared_length(separation(xyz(now[i]), xyz(then[i]), wrap)) < limit2)) atomic_max(flag, 1u);
  }
};

struct CountNonFinite {
  const Vec4* positions;

  RIFFLE_HD static int identity() { return 0; }
  RIFFLE_HD static int combine(int a, int b) { return a + b; }
  RIFFLE_HD int operator()(std::int64_t i) const { return is_finite(xyz(positions[i])) ? 0 : 1; }
};

class BruteForceSearch : public SearchMethod {
 public:
  void build(const BuildInput& input) override { make_grid(input.domain, input.h); }  // only for its checks
  SearchView view() const override { return BruteForceView{}; }
  const std::uint32_t* order() const override { return nullptr; }
  OccupancyStats occupancy() const override { return {}; }
  std::size_t memory_bytes() const override { return 0; }
};

std::unique_ptr<SearchMethod> make_method(const Device& device, const SearchSettings& settings) {
  switch (settings.method) {
    case NeighborMethod::Hoetzlein: return make_hoetzlein_search(device, settings);
    case NeighborMethod::BruteForce: return std::make_unique<BruteForceSearch>();
  }
  throw std::logic_error("unknown neighbour method");
}

}  // namespace

NeighborSearch::NeighborSearch(const Device& device, const SearchSettings& settings)
    : device_(device),
      settings_(settings),
      method_(make_method(device, settings)),
      built_positions_(device),
      moved_too_far_(device) {}
NeighborSearch::~NeighborSearch() = default;
NeighborSearch::NeighborSearch(NeighborSearch&&) noexcept = default;
NeighborSearch& NeighborSearch::operator=(NeighborSearch&&) noexcept = default;

void NeighborSearch::build(const Vec4* positions, int count, const Domain& domain, float h) {
  h_build_ = 0;  // should the build throw, a traversal of what it has left of the last one throws too
  method_->build({positions, count, domain, h});
  view_ = method_->view();
  wrap_ = periodic_wrap(domain);
  h_build_ = h;
  count_ = count;
  ++version_;
  if (settings_.track_displacement) {
    built_positions_.resize(static_cast<std::size_t>(count));
    if (const std::uint32_t* new_order = order(); new_order && count > 0) {
      const GatherArray array{positions, built_positions_.data(), 16};
      gather(device_, new_order, static_cast<std::size_t>(count), &array, 1);
    } else {
      copy_on_device(device_, built_positions_.data(), positions, built_positions_.size() * sizeof(Vec4));
    }
  }
}

void NeighborSearch::list_neighbors(const Vec4* positions) {
  const auto* grid = std::get_if<GridView>(&view_);
  if (!device_.is_cuda() || !grid || count_ == 0) return;
  if (!list_) list_ = std::make_unique<NeighborList>(device_);
  const NeighborQuery query{positions, positions, count_, h_build_ * h_build_, wrap_, true};
  if (list_->build(*grid, query)) view_ = list_->view(*grid);
}

bool NeighborSearch::wants_reorder() const { return method_->order() != nullptr; }
const std::uint32_t* NeighborSearch::order() const { return method_->order(); }

const std::uint32_t* NeighborSearch::check_displacement(const Vec4* positions, float h) {
  if (!settings_.track_displacement) throw std::logic_error("check_displacement: track_displacement is off");
  moved_too_far_.resize(1);
  moved_too_far_.fill_zero();
  // Rounded down, so that the flag is never late. With no slack at all every particle is over it.
  const double slack = std::max(0.0, (double{h_build_} - double{h}) / 2);
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

OccupancyStats NeighborSearch::occupancy() const { return method_->occupancy(); }
std::size_t NeighborSearch::memory_bytes() const {
  return method_->memory_bytes() + built_positions_.bytes() + moved_too_far_.bytes() + (list_ ? list_->memory_bytes() : 0);
}

int count_non_finite(const Device& device, const Vec4* positions, int count) {
  return reduce<int>(device, "count non-finite", count, CountNonFinite{positions});
}

}  // namespace riffle
