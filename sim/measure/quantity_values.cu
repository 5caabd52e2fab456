#include "sim/measure/quantity_values.h"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/device/parallel.cuh"
#include "core/error.h"
#include "neighbors/build_sorted.h"
#include "neighbors/traverse.cuh"
#include "sim/by_id.h"
#include "sim/measure/measuring_search.h"
#include "sim/measure/particle_value.h"

namespace riffle {

namespace {

/// Values that follow from a particle alone.
struct WriteValues {
  Quantity quantity;
  ParticleValue value;
  float* out;

  RIFFLE_HD void operator()(std::int64_t i) const { out[i] = value(quantity, i); }
};

/// What the sums read of particle i, and of neighbour j in the order of the search.
struct Neighborhoods {
  const Vec4* velocity;
  const std::uint32_t* order;  ///< (count) the particle at each place of the search
  float* out;                  ///< (count)

  RIFFLE_HD Vec3 velocity_between(int i, std::uint32_t j) const { return xyz(velocity[j]) - xyz(velocity[i]); }
};

struct CountAround {
  Neighborhoods of;

  struct State {
    std::uint32_t count;
  };
  RIFFLE_HD State begin(int) const { return {0}; }
  RIFFLE_HD void neighbor(State& state, int i, int j, Vec3, float) const {
    if (of.order[j] != static_cast<std::uint32_t>(i)) ++state.count;
  }
  RIFFLE_HD void end(State& state, int i) const { of.out[i] = static_cast<float>(state.count); }
};

/// The gradient G that makes sum_j w_ij |u_ij - G r_ij|^2 least is C M^-1 with C = sum w u r^T and M = sum w r r^T, with
/// u and r from the particle to its neighbour. It is exact for a linear flow, at a surface too. Lengths are in support
/// radii.
struct FitVorticity {
  Neighborhoods of;
  float inverse_h;
  int dimension;

  struct State {
    float xx, yy, zz, xy, xz, yz;  ///< M
    float c[3][3];                 ///< C
  };
  RIFFLE_HD State begin(int) const { return {}; }
  RIFFLE_HD void neighbor(State& s, int i, int j, Vec3 r_ij, float) const {
    const std::uint32_t other = of.order[j];
    if (other == static_cast<std::uint32_t>(i)) return;
    const Vec3 r = -inverse_h * r_ij, u = of.velocity_between(i, other);
    const float edge = 1 - length2(r), w = edge * edge;
    s.xx += w * r.x * r.x, s.yy += w * r.y * r.y, s.zz += w * r.z * r.z;
    s.xy += w * r.x * r.y, s.xz += w * r.x * r.z, s.yz += w * r.y * r.z;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) s.c[a][b] += w * component(u, a) * component(r, b);
  }
  RIFFLE_HD void end(State& s, int i) const { of.out[i] = (dimension == 2 ? flat(s) : length(s)) * inverse_h; }

 private:
  static constexpr float kLeast = 1e-3f;  ///< of the determinant, relative to that of equal axes

  RIFFLE_HD static float flat(const State& s) {
    const float determinant = s.xx * s.yy - s.xy * s.xy, mean = 0.5f * (s.xx + s.yy);
    if (!(determinant > kLeast * mean * mean)) return 0;
    const float dv_dx = (s.c[1][0] * s.yy - s.c[1][1] * s.xy) / determinant;
    const float du_dy = (s.c[0][1] * s.xx - s.c[0][0] * s.xy) / determinant;
    return dv_dx - du_dy;
  }

  RIFFLE_HD static float length(const State& s) {
    // The cofactors of M, which is symmetric.
    const float xx = s.yy * s.zz - s.yz * s.yz, yy = s.xx * s.zz - s.xz * s.xz, zz = s.xx * s.yy - s.xy * s.xy;
    const float xy = s.xz * s.yz - s.xy * s.zz, xz = s.xy * s.yz - s.xz * s.yy, yz = s.xy * s.xz - s.xx * s.yz;
    const float determinant = s.xx * xx + s.xy * xy + s.xz * xz, mean = (s.xx + s.yy + s.zz) / 3;
    if (!(determinant > kLeast * mean * mean * mean)) return 0;
    const auto along = [&](int a, float x, float y, float z) {  // derivative of velocity component a
      return (s.c[a][0] * x + s.c[a][1] * y + s.c[a][2] * z) / determinant;
    };
    const Vec3 curl{along(2, xy, yy, yz) - along(1, xz, yz, zz), along(0, xz, yz, zz) - along(2, xx, xy, xz),
                    along(1, xx, xy, xz) - along(0, xy, yy, yz)};
    return sqrtf(length2(curl));
  }
};

/// kT = sum m |v - V|^2 / (d (n - 1)) over the n particles, V their common velocity; velocities are relative to particle
/// i, and of the time of the positions, as those of ThermalDiagnostics are.
struct MeasureTemperature {
  Neighborhoods of;
  const Vec4*
      previous;  ///< half a step before the positions, where `of` has those half a step after them; otherwise nullptr
  const std::uint32_t* fluid;
  float mass[kMaxFluids];
  int dimension;

  struct State {
    std::uint32_t count;
    float mass, energy;  ///< energy: sum m u^2
    Vec3 momentum;
  };
  RIFFLE_HD State begin(int i) const { return {1, mass[fluid[i]], 0, {0, 0, 0}}; }
  RIFFLE_HD void neighbor(State& s, int i, int j, Vec3, float) const {
    const std::uint32_t other = of.order[j];
    if (other == static_cast<std::uint32_t>(i)) return;
    Vec3 u = of.velocity_between(i, other);
    if (previous != nullptr) u = 0.5f * (u + xyz(previous[other]) - xyz(previous[i]));
    const float m = mass[fluid[other]];
    ++s.count;
    s.mass += m;
    s.energy += m * length2(u);
    s.momentum = s.momentum + m * u;
  }
  RIFFLE_HD void end(State& s, int i) const {
    const float freedom = static_cast<float>(dimension) * static_cast<float>(s.count - 1);
    of.out[i] = s.count > 1 ? (s.energy - length2(s.momentum) / s.mass) / freedom : 0.0f;
  }
};

}  // namespace

/// A copy of a simulation one step after its start.
struct QuantityValues::Ahead {
  explicit Ahead(const Simulation& simulation)
      : moment(simulation.moment()),
        copy(setup_of(simulation), simulation.device(), simulation.save_state(), &simulation) {
    copy.step();
    copy.finish();
  }

  static SimulationSetup setup_of(const Simulation& simulation) {
    SimulationSetup setup = simulation.setup();
    setup.neighbors.automatic = false;  // it would measure searches
    return setup;
  }

  std::uint64_t moment;  ///< of the simulation
  Simulation copy;
  QuantityValues values;
};

QuantityValues::QuantityValues() = default;
QuantityValues::QuantityValues(QuantityValues&&) noexcept = default;
QuantityValues& QuantityValues::operator=(QuantityValues&&) noexcept = default;
QuantityValues::~QuantityValues() = default;

void QuantityValues::reserve(const Simulation& simulation) {
  const Device& device = simulation.device();
  if (!memory_ || !(memory_->device == device))
    memory_.emplace(Memory{device, Buffer<float>(device), Buffer<Vec4>(device), std::nullopt});
  memory_->values.resize(static_cast<std::size_t>(simulation.particles().count()));
}

Simulation* QuantityValues::first_step(const Simulation& simulation) {
  if (simulation.knows_last_step() || simulation.particle_count() == 0) {
    ahead_.reset();
    return nullptr;
  }
  if (!ahead_ || ahead_->moment != simulation.moment()) {
    ahead_.reset();
    ahead_ = std::make_unique<Ahead>(simulation);
  }
  return &ahead_->copy;
}

/// The copy's particles are in an order of their own.
const float* QuantityValues::of_first_step(const Simulation& simulation, Quantity quantity) {
  const Simulation& copy = ahead_->copy;
  std::vector<float> found(static_cast<std::size_t>(copy.particle_count()));
  copy_to_host(copy.device(), found.data(), ahead_->values.compute(copy, quantity), found.size() * sizeof(float));
  found = in_order_of_ids(copy, found);
  std::vector<std::uint32_t> places(found.size());
  std::iota(places.begin(), places.end(), 0u);
  places = in_order_of_ids(simulation, places);
  std::vector<float> values(found.size());
  for (std::size_t k = 0; k < found.size(); ++k) values[places[k]] = found[k];
  reserve(simulation);
  memory_->values.assign(values);
  return memory_->values.data();
}

const float* QuantityValues::compute(const Simulation& simulation, Quantity quantity) {
  const SimulationSetup& setup = simulation.setup();
  const ParticleSet& particles = simulation.particles();
  const Device& device = simulation.device();
  const QuantityInfo& info = quantity_info(quantity);
  if (const std::string lacking = info.lacking(setup); !lacking.empty())
    throw InputError(std::string(info.word) + ", which " + lacking + " do not have");
  if (ahead_ && ahead_->moment != simulation.moment()) ahead_.reset();
  if (info.of_last_step && first_step(simulation)) return of_first_step(simulation, quantity);
  if (quantity == Quantity::Density) return particles.get<float>("density").data();
  reserve(simulation);
  if (info.sums_neighbors) {
    sum_over_neighbors(simulation, quantity);
    return memory_->values.data();
  }
  memory_->search.reset();
  memory_->sorted = Buffer<Vec4>(device);
  parallel_for(device, "quantity values", particles.count(),
               WriteValues{quantity, particle_value(simulation), memory_->values.data()});
  return memory_->values.data();
}

void QuantityValues::sum_over_neighbors(const Simulation& simulation, Quantity quantity) {
  const SimulationSetup& setup = simulation.setup();
  const ParticleSet& particles = simulation.particles();
  const Device& device = simulation.device();
  const Vec4* position = particles.get<Vec4>("position").data();
  const int count = particles.count();
  const float h = setup.support_radius();
  if (!memory_->search || memory_->deterministic != setup.deterministic) {
    memory_->search.emplace(device, measuring_search(setup, setup.deterministic));
    memory_->deterministic = setup.deterministic;
  }
  const NeighborSearch& search = *memory_->search;
  build_sorted(*memory_->search, position, count, setup.domain, h, memory_->sorted);
  const auto sum = [&](const auto& functor) {
    for_each_neighbor_in_grid(search, "quantity sums", memory_->sorted.data(), position, count, h, functor);
  };
  const Neighborhoods of{particles.get<Vec4>("velocity").data(), search.order(), memory_->values.data()};
  if (quantity == Quantity::Vorticity) return sum(FitVorticity{of, 1 / h, setup.domain.dimension});
  if (quantity == Quantity::Neighbors) return sum(CountAround{of});
  const bool is_ahead = setup.solver == SolverKind::Dpd && setup.dpd.integrator == DpdIntegrator::LeapFrog &&
                        simulation.knows_last_step();
  MeasureTemperature temperature{of,
                                 is_ahead ? particles.get<Vec4>("previous velocity").data() : nullptr,
                                 particles.get<std::uint32_t>("fluid").data(),
                                 {},
                                 setup.domain.dimension};
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) temperature.mass[f] = setup.fluids[f].mass;
  sum(temperature);
}

}  // namespace riffle
