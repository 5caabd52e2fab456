#include "sim/walls/wall_sites.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <tuple>

#include "core/math/periodic.h"
#include "sim/walls/wall_weights.h"

namespace riffle {

namespace {

/// In the domain's frame. Parts of driven solids lie beyond periodic faces.
Vec4 place_of(const Solid& solid, const Domain& domain, Vec4 site) {
  const Vec3 x = placed(solid.placement.pose, xyz(site));
  return make_vec4(solid.driven ? periodic_image(x, domain) : x);
}

bool before(Vec4 a, Vec4 b) { return std::tie(a.z, a.y, a.x) < std::tie(b.z, b.y, b.x); }

/// A wall site of one solid.
struct PlacedSite {
  Vec4 at;  ///< in the domain's frame
  std::uint32_t solid, index;
};

/// The sites of solids that are not driven, then those of driven ones; both by place. Those at one place are adjacent, in the
/// order of their solids.
std::vector<PlacedSite> sites_by_place(const std::vector<Solid>& solids, const Domain& domain) {
  std::vector<PlacedSite> sites;
  for (std::uint32_t s = 0; s < solids.size(); ++s) {
    const std::vector<Vec4>& wall = solids[s].samples->wall;
    for (std::uint32_t i = 0; i < wall.size(); ++i) sites.push_back({place_of(solids[s], domain, wall[i]), s, i});
  }
  std::sort(sites.begin(), sites.end(), [&solids](const PlacedSite& a, const PlacedSite& b) {
    const bool a_driven = solids[a.solid].driven, b_driven = solids[b.solid].driven;
    if (a_driven != b_driven) return b_driven;
    if (before(a.at, b.at) || before(b.at, a.at)) return before(a.at, b.at);
    return std::tie(a.solid, a.index) < std::tie(b.solid, b.index);
  });
  return sites;
}

std::vector<std::uint32_t> first_at_each_place(const std::vector<PlacedSite>& sites, const std::vector<Solid>& solids) {
  std::vector<std::uint32_t> first(sites.size());
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    const bool shares = s > 0 && !before(sites[s - 1].at, sites[s].at) && !solids[sites[s].solid].driven;
    first[s] = shares ? first[s - 1] : s;
  }
  return first;
}

/// For each solid the first of those that it is weighed with.
std::vector<std::uint32_t> lattice_of(const std::vector<PlacedSite>& sites, const std::vector<std::uint32_t>& first,
                                      const std::vector<Solid>& solids) {
  std::vector<std::uint32_t> lattice(solids.size());
  std::iota(lattice.begin(), lattice.end(), 0u);
  for (std::size_t s = 0; s < solids.size(); ++s) {
    if (solids[s].group < 0) continue;
    const auto first_of_group =
        std::find_if(solids.begin(), solids.end(), [&](const Solid& solid) { return solid.group == solids[s].group; });
    lattice[s] = static_cast<std::uint32_t>(first_of_group - solids.begin());
  }
  for (std::size_t s = 0; s < sites.size(); ++s) {
    const std::uint32_t a = lattice[sites[first[s]].solid], b = lattice[sites[s].solid];
    if (a != b) std::replace(lattice.begin(), lattice.end(), std::max(a, b), std::min(a, b));
  }
  return lattice;
}

/// One list of the samples of a lattice's solids, by place, each place once.
std::vector<Vec4> merged(const std::vector<Solid>& solids, const Domain& domain,
                         const std::vector<std::uint32_t>& lattice, std::uint32_t which,
                         std::vector<Vec4> SolidSamples::*list) {
  std::vector<Vec4> sites;
  for (std::size_t s = 0; s < solids.size(); ++s)
    if (lattice[s] == which)
      for (const Vec4& x : (*solids[s].samples).*list) sites.push_back(place_of(solids[s], domain, x));
  std::sort(sites.begin(), sites.end(), before);
  const auto same = [](Vec4 a, Vec4 b) { return !before(a, b) && !before(b, a); };
  sites.erase(std::unique(sites.begin(), sites.end(), same), sites.end());
  return sites;
}

/// `sites` that are at none of the places `taken`; both as merged() has them.
std::vector<Vec4> without(const std::vector<Vec4>& sites, const std::vector<Vec4>& taken) {
  std::vector<Vec4> left;
  std::set_difference(sites.begin(), sites.end(), taken.begin(), taken.end(), std::back_inserter(left), before);
  return left;
}

/// The domain, or of one that is much larger than a solid the part around it: a search takes time for each cell, and there may
/// be thousands of solids.
Domain room_around(const SolidSamples& samples, const Domain& domain, float h) {
  constexpr double kMuchLarger = 8;
  Domain room = domain;
  double times = 1;
  for (int a = 0; a < domain.dimension; ++a) {
    float low = std::numeric_limits<float>::infinity(), high = -low;
    for (const auto* list : {&samples.wall, &samples.behind, &samples.front})
      for (const Vec4& x : *list) {
        low = std::min(low, component(xyz(x), a));
        high = std::max(high, component(xyz(x), a));
      }
    const float min = component(domain.min, a), max = component(domain.max, a);
    if (!(low - 2 * h > min && high + 2 * h < max)) continue;  // sites may have neighbours beyond a periodic face
    times *= double{max - min} / (high - low + 2 * double{h});
    room.axis[a] = Axis::Open;
    (a == 0 ? room.min.x : a == 1 ? room.min.y : room.min.z) = low - h;
    (a == 0 ? room.max.x : a == 1 ? room.max.y : room.max.z) = high + h;
  }
  return times > kMuchLarger ? room : domain;
}

}  // namespace

WallSites::WallSites(const Device& device, const SimulationSetup& setup, const SmoothingKernel& kernel,
                     const std::vector<Solid>& solids)
    : memory_(device) {
  for (const Solid& solid : solids) weighed_at_.push_back(solid.placement.pose);
  const std::vector<PlacedSite> sites = sites_by_place(solids, setup.domain);
  if (sites.empty()) return;
  still_ = static_cast<int>(std::count_if(sites.begin(), sites.end(),
                                          [&solids](const PlacedSite& site) { return !solids[site.solid].driven; }));
  const std::vector<std::uint32_t> first = first_at_each_place(sites, solids);
  const std::vector<std::uint32_t> lattice = lattice_of(sites, first, solids);
  std::vector<Vec4> own(sites.size());
  std::vector<float> density(sites.size());
  std::vector<std::uint32_t> solid(sites.size());
  std::vector<float> bend(sites.size());
  for (std::size_t s = 0; s < sites.size(); ++s) {
    own[s] = solids[sites[s].solid].samples->wall[sites[s].index];
    solid[s] = sites[s].solid;
    bend[s] = own[s].w;
  }
  std::vector<std::vector<std::uint32_t>> firsts(solids.size());  // (lattices) the first site at each place
  for (std::uint32_t s = 0; s < sites.size(); ++s)
    if (first[s] == s) firsts[lattice[sites[s].solid]].push_back(s);
  for (std::uint32_t l = 0; l < solids.size(); ++l) {
    const std::vector<std::uint32_t>& at = firsts[l];
    if (at.empty()) continue;
    SolidSamples samples;
    for (const std::uint32_t s : at) samples.wall.push_back(sites[s].at);
    samples.behind = without(merged(solids, setup.domain, lattice, l, &SolidSamples::behind), samples.wall);
    samples.front =
        without(without(merged(solids, setup.domain, lattice, l, &SolidSamples::front), samples.wall), samples.behind);
    NeighborSearch search(device, wall_search_settings(setup.spacing));
    Buffer<Vec4> particles(device);
    Buffer<float> solid_density(device);
    weigh_walls(device, room_around(samples, setup.domain, kernel.h), setup.particle_volume(), kernel, kernel.h,
                samples, search, particles, solid_density);
    std::vector<std::uint32_t> order(at.size());
    copy_to_host(device, order.data(), search.order(), order.size() * sizeof order[0]);
    const std::vector<Vec4> weighed = particles.to_host();
    const std::vector<float> densities = solid_density.to_host();
    for (std::size_t b = 0; b < order.size(); ++b) {
      own[at[order[b]]].w = weighed[b].w;
      density[at[order[b]]] = densities[b];
    }
  }
  bool shared = false;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    own[s].w = own[first[s]].w;
    density[s] = density[first[s]];
    shared = shared || first[s] != s;
  }
  site_.assign(own);
  solid_density_.assign(density);
  solid_.assign(solid);
  if (shared) first_.assign(first);
  if (std::any_of(bend.begin(), bend.end(), [](float b) { return b != 0; })) bend_.assign(bend);
}

}  // namespace riffle
