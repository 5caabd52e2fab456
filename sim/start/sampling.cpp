#include "sim/start/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "sim/random/random.h"

namespace riffle {

namespace {

// An extent that is a whole number of spacings except for rounding holds that number.
constexpr double kSiteTolerance = 1e-3;

constexpr double kMostSites = 4e9;  // per axis: more than can be numbered, and far below the overflow of a count

std::int64_t sites(double extent, double spacing) {
  return static_cast<std::int64_t>(std::clamp(std::floor(extent / spacing + kSiteTolerance), 0.0, kMostSites));
}

struct Lattice {
  Vec3 origin;  ///< position of site (0, 0, 0)
  std::int64_t n[3] = {0, 0, 0};
};

Lattice body_lattice(const BodySetup& body, int dimension, float spacing) {
  const bool box = body.shape == Shape::Box;
  const Vec3 low = box ? body.min : body.center - Vec3{body.radius, body.radius, body.radius};
  const Vec3 high = box ? body.max : body.center + Vec3{body.radius, body.radius, body.radius};
  Lattice lattice;
  float origin[3] = {0, 0, 0};
  for (int a = 0; a < 3; ++a) {
    if (a == 2 && dimension == 2) {
      lattice.n[a] = 1;
      continue;
    }
    const double extent = double{component(high, a)} - component(low, a);
    lattice.n[a] = sites(extent, spacing);
    // A sphere's lattice is centred on it; a box's starts at its lower corner, so that it lines up with walls there.
    const double margin = box ? 0 : (extent - double(lattice.n[a]) * spacing) / 2;
    origin[a] = static_cast<float>(component(low, a) + margin + 0.5 * spacing);
  }
  lattice.origin = {origin[0], origin[1], origin[2]};
  return lattice;
}

bool inside(const BodySetup& body, Vec3 x, int dimension) {
  if (body.shape == Shape::Box) return true;
  Vec3 d = x - body.center;
  if (dimension == 2) d.z = 0;
  return length2(d) <= body.radius * body.radius;
}

/// Number of particles of a body filled at random: its volume times the mean density.
std::int64_t random_count(const BodySetup& body, int dimension, float spacing) {
  constexpr double pi = 3.14159265358979323846;
  double sites = 1;
  for (int a = 0; a < dimension; ++a) {
    const double extent =
        body.shape == Shape::Box ? double{component(body.max, a)} - component(body.min, a) : 2 * double{body.radius};
    sites *= extent / spacing;
  }
  if (body.shape == Shape::Sphere) sites *= dimension == 3 ? pi / 6 : pi / 4;
  return static_cast<std::int64_t>(std::clamp(std::round(sites), 0.0, 1e12));
}

/// Place number k of all that are drawn. In a sphere: the first of several draws that lies inside.
Vec3 random_site(const BodySetup& body, int dimension, std::uint64_t seed, std::uint64_t k) {
  constexpr std::uint32_t kStream = 0x706c6163;  // any number that no other stream has
  constexpr std::uint64_t kTries = 64;           // at least half of the draws lie inside
  const Vec3 reach{body.radius, body.radius, body.radius};
  const Vec3 low = body.shape == Shape::Box ? body.min : body.center - reach;
  const Vec3 extent = (body.shape == Shape::Box ? body.max : body.center + reach) - low;
  Vec3 site = body.center;
  for (std::uint64_t t = 0; t < kTries; ++t) {
    const Vec3 u = uniform3(seed, kStream, k * kTries + t);
    site = low + Vec3{u.x * extent.x, u.y * extent.y, u.z * extent.z};
    if (dimension == 2) site.z = 0;
    if (inside(body, site, dimension)) break;
  }
  return site;
}

template <class Visit>
void for_each_site(const BodySetup& body, int dimension, float spacing, const Visit& visit) {
  const Lattice lattice = body_lattice(body, dimension, spacing);
  for (std::int64_t z = 0; z < lattice.n[2]; ++z)
    for (std::int64_t y = 0; y < lattice.n[1]; ++y)
      for (std::int64_t x = 0; x < lattice.n[0]; ++x) {
        const Vec3 site = lattice.origin + Vec3{spacing * float(x), spacing * float(y), spacing * float(z)};
        if (inside(body, site, dimension)) visit(site);
      }
}

}  // namespace

FluidSamples sample_bodies(const SimulationSetup& setup) {
  FluidSamples samples;
  const auto count = static_cast<std::size_t>(count_particles(setup));
  samples.position.reserve(count);
  samples.velocity.reserve(count);
  samples.fluid.reserve(count);
  const int dimension = setup.domain.dimension;
  std::mt19937_64 random(setup.seed);
  // Written out because std::uniform_real_distribution may differ between standard libraries.
  const auto symmetric = [&] { return static_cast<float>((double(random() >> 11) * 0x1p-53 - 0.5) * 2.0); };
  std::uint64_t placed = 0;
  for (const BodySetup& body : setup.bodies) {
    const auto place = [&](Vec3 site) {
      if (body.jitter > 0) {
        const float reach = body.jitter * setup.spacing;
        site.x += reach * symmetric();
        site.y += reach * symmetric();
        if (dimension == 3) site.z += reach * symmetric();
      }
      samples.position.push_back(make_vec4(site));
      Vec3 velocity = body.velocity;
      if (dimension == 2) velocity.z = 0;
      samples.velocity.push_back(make_vec4(velocity));
      samples.fluid.push_back(static_cast<std::uint32_t>(body.fluid));
    };
    if (body.filling == Filling::Lattice) {
      for_each_site(body, dimension, setup.spacing, place);
      continue;
    }
    const std::int64_t wanted = random_count(body, dimension, setup.spacing);
    for (std::int64_t k = 0; k < wanted; ++k) place(random_site(body, dimension, setup.seed, placed++));
  }
  return samples;
}

std::int64_t count_particles(const SimulationSetup& setup) {
  constexpr double kTooMany = 1e12;  // more than any machine holds: no need to walk the sites
  double total = 0;
  for (const BodySetup& body : setup.bodies) {
    if (body.filling == Filling::Random) {
      total += double(random_count(body, setup.domain.dimension, setup.spacing));
      continue;
    }
    const Lattice lattice = body_lattice(body, setup.domain.dimension, setup.spacing);
    const double box = double(lattice.n[0]) * double(lattice.n[1]) * double(lattice.n[2]);
    if (body.shape == Shape::Box || box > 1e8) {
      constexpr double pi = 3.14159265358979;
      total += body.shape == Shape::Box ? box : box * (setup.domain.dimension == 2 ? pi / 4 : pi / 6);
    } else {
      std::int64_t count = 0;
      for_each_site(body, setup.domain.dimension, setup.spacing, [&](Vec3) { ++count; });
      total += double(count);
    }
  }
  return static_cast<std::int64_t>(std::min(total, kTooMany));
}

}  // namespace riffle
