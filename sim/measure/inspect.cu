#include "sim/measure/inspect.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "core/device/atomic.h"
#include "core/device/reduce.cuh"
#include "core/error.h"
#include "neighbors/separation.h"
#include "sim/solver_info.h"

namespace riffle {

namespace {

struct FindId {
  const std::uint32_t* id;
  std::uint32_t wanted;
  RIFFLE_HD static int identity() { return -1; }
  RIFFLE_HD static int combine(int a, int b) { return a > b ? a : b; }
  RIFFLE_HD int operator()(std::int64_t i) const { return id[i] == wanted ? static_cast<int>(i) : -1; }
};

struct IsNeighbor {
  const Vec4* position;
  int of;
  Vec3 at;
  PeriodicWrap wrap;
  float h2;

  RIFFLE_HD float distance2(std::int64_t j) const { return squared_length(separation(at, xyz(position[j]), wrap)); }
  RIFFLE_HD static int identity() { return 0; }
  RIFFLE_HD static int combine(int a, int b) { return a + b; }
  RIFFLE_HD int operator()(std::int64_t j) const { return j != of && distance2(j) < h2 ? 1 : 0; }
};

struct WriteNeighbors {
  IsNeighbor test;
  std::uint32_t* written;  ///< (1)
  Vec4* out;

  RIFFLE_HD void operator()(std::int64_t j) const {
    if (!test(j)) return;
    out[atomic_add(written, 1)] = make_vec4(xyz(test.position[j]), sqrtf(test.distance2(j)));
  }
};

template <class T>
T value_at(const Buffer<T>& values, int index) {
  T value;
  copy_to_host(values.device(), &value, values.data() + index, sizeof value);
  return value;
}

/// -1 if there is none.
int find_index(const Simulation& simulation, std::uint32_t id) {
  const ParticleSet& particles = simulation.particles();
  return reduce<int>(particles.device(), "find particle", particles.count(),
                     FindId{particles.get<std::uint32_t>("id").data(), id});
}

int index_of(const Simulation& simulation, std::uint32_t id) {
  const int index = find_index(simulation, id);
  if (index < 0)
    throw InputError("no particle has the id " + std::to_string(id) + "; there are " +
                     std::to_string(simulation.particle_count()));
  return index;
}

IsNeighbor neighbor_test(const Simulation& simulation, int index) {
  const Buffer<Vec4>& position = simulation.particles().get<Vec4>("position");
  const float h = simulation.setup().support_radius();
  return {position.data(), index, xyz(value_at(position, index)), periodic_wrap(simulation.setup().domain), h * h};
}

int count_neighbors_of(const Simulation& simulation, const IsNeighbor& test) {
  return reduce<int>(simulation.device(), "count neighbours of one", simulation.particle_count(), test);
}

}  // namespace

bool has_particle(const Simulation& simulation, std::uint32_t id) { return find_index(simulation, id) >= 0; }

ParticleReport inspect(const Simulation& simulation, std::uint32_t id) {
  const ParticleSet& particles = simulation.particles();
  const SimulationSetup& setup = simulation.setup();
  ParticleReport report;
  report.id = id;
  report.index = index_of(simulation, id);
  report.fluid = value_at(particles.get<std::uint32_t>("fluid"), report.index);
  report.position = xyz(value_at(particles.get<Vec4>("position"), report.index));
  report.velocity = xyz(value_at(particles.get<Vec4>("velocity"), report.index));
  if (particles.has("density")) {
    const float density = value_at(particles.get<float>("density"), report.index);
    if (density != 0) report.density = density;  // 0 before the first step
  }
  if (const auto pressure = solver_info(setup).pressure; report.density && pressure)
    report.pressure = pressure(setup)(*report.density, report.fluid);
  if (solver_info(setup).carries_pressure && report.density)
    report.pressure = value_at(particles.get<float>("pressure"), report.index);
  report.neighbors = count_neighbors_of(simulation, neighbor_test(simulation, report.index));
  return report;
}

std::vector<Vec4> neighbors_of(const Simulation& simulation, std::uint32_t id) {
  const Device& device = simulation.device();
  const IsNeighbor test = neighbor_test(simulation, index_of(simulation, id));
  Buffer<Vec4> found(device, static_cast<std::size_t>(count_neighbors_of(simulation, test)));
  Buffer<std::uint32_t> written(device, 1);
  written.fill_zero();
  parallel_for(device, "neighbours of one", simulation.particle_count(),
               WriteNeighbors{test, written.data(), found.data()});
  std::vector<Vec4> neighbors = found.to_host();
  const auto key = [](const Vec4& a) { return std::tuple(a.w, a.x, a.y, a.z); };
  std::sort(neighbors.begin(), neighbors.end(), [&](const Vec4& a, const Vec4& b) { return key(a) < key(b); });
  return neighbors;
}

}  // namespace riffle
