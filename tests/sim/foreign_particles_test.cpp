/// Particles that belong to another device: two simulations of half a fluid each, and what a step does to foreign ones.

#include <algorithm>
#include <barrier>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <thread>

#include "core/error.h"
#include "sim/dfsph/solve_state.h"
#include "sim/halo.h"
#include "sim/start/sampling.h"
#include "solver_cases.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

class ForeignParticles : public OnEachDevice {};

using Ids = std::vector<std::uint32_t>;

/// Two simulations, each on a thread of its own, which exchange the values of their own particles by way of the host.
class Exchange {
 public:
  std::shared_ptr<Halo> side(int k) { return std::make_shared<Side>(*this, k); }

  /// One step of both.
  static void step(Simulation& a, Simulation& b) {
    std::thread other([&] { b.step(); });
    a.step();
    other.join();
  }

 private:
  struct Sent {
    std::vector<std::string> names;
    std::map<std::uint32_t, std::vector<std::byte>> values;  ///< by id: an own particle's, all fields in a row
    ClockState clock;
    SolveErrors errors;
    std::vector<double> sums;
  };

  class Side : public Halo {
   public:
    Side(Exchange& exchange, int k) : exchange_(exchange), mine_(exchange.sent_[k]), others_(exchange.sent_[1 - k]) {}

    void refresh(const ParticleSet& particles, std::span<const HaloField> fields) override {
      const Device& device = particles.device();
      const Ids id = particles.get<std::uint32_t>("id").to_host();
      const Ids foreign = particles.get<std::uint32_t>("foreign").to_host();
      std::vector<std::vector<std::byte>> host;
      mine_ = {};
      for (const HaloField& field : fields) {
        host.emplace_back(id.size() * field.element_bytes);
        copy_to_host(device, host.back().data(), field.data, host.back().size());
        mine_.names.push_back(field.name);
        for (std::size_t i = 0; i < id.size(); ++i) {
          if (foreign[i] != 0) continue;
          const std::byte* from = host.back().data() + i * field.element_bytes;
          mine_.values[id[i]].insert(mine_.values[id[i]].end(), from, from + field.element_bytes);
        }
      }
      exchange_.barrier_.arrive_and_wait();
      EXPECT_EQ(mine_.names, others_.names) << "both sides are at the same point";
      std::size_t offset = 0;
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const std::size_t bytes = fields[f].element_bytes;
        for (std::size_t i = 0; i < id.size(); ++i) {
          if (foreign[i] == 0) continue;
          const auto owner = others_.values.find(id[i]);
          if (owner == others_.values.end()) {
            ADD_FAILURE() << "nobody owns particle " << id[i];
            continue;
          }
          std::memcpy(host[f].data() + i * bytes, owner->second.data() + offset, bytes);
        }
        copy_from_host(device, fields[f].data, host[f].data(), host[f].size());
        offset += bytes;
      }
      exchange_.barrier_.arrive_and_wait();
    }

    void share_maxima(const Device& device, ClockState* clock) override {
      copy_to_host(device, &mine_.clock, clock, sizeof *clock);
      exchange_.barrier_.arrive_and_wait();
      ClockState all = mine_.clock;  // bits of floats that are not negative are in the order of their values
      all.max_speed2_bits = std::max(all.max_speed2_bits, others_.clock.max_speed2_bits);
      all.max_acceleration2_bits = std::max(all.max_acceleration2_bits, others_.clock.max_acceleration2_bits);
      exchange_.barrier_.arrive_and_wait();
      copy_from_host(device, clock, &all, sizeof all);
    }

    void share_errors(const Device& device, SolveErrors* errors) override {
      copy_to_host(device, &mine_.errors, errors, sizeof *errors);
      exchange_.barrier_.arrive_and_wait();
      const SolveErrors all = {mine_.errors.sum + others_.errors.sum, mine_.errors.count + others_.errors.count,
                               std::max(mine_.errors.largest_bits, others_.errors.largest_bits)};
      exchange_.barrier_.arrive_and_wait();
      copy_from_host(device, errors, &all, sizeof all);
    }

    void share_sums(const Device& device, double* sums, int count) override {
      const auto size = static_cast<std::size_t>(count);
      mine_.sums.resize(size);
      copy_to_host(device, mine_.sums.data(), sums, size * sizeof *sums);
      exchange_.barrier_.arrive_and_wait();
      std::vector<double> all(size);
      for (std::size_t k = 0; k < size; ++k) all[k] = exchange_.sent_[0].sums[k] + exchange_.sent_[1].sums[k];
      exchange_.barrier_.arrive_and_wait();
      copy_from_host(device, sums, all.data(), size * sizeof *sums);
    }

   private:
    Exchange& exchange_;
    Sent& mine_;
    const Sent& others_;
  };

  std::barrier<> barrier_{2};
  Sent sent_[2];
};

/// Notes the names of the fields, in the order of the calls.
class Notes : public Halo {
 public:
  void refresh(const ParticleSet& particles, std::span<const HaloField> fields) override {
    EXPECT_TRUE(particles.has("foreign"));
    for (const HaloField& field : fields) names.push_back(field.name);
  }
  void share_maxima(const Device&, ClockState*) override { names.push_back("maxima"); }
  void share_errors(const Device&, SolveErrors*) override { names.push_back("errors"); }
  void share_sums(const Device&, double*, int) override { names.push_back("sums"); }

  std::vector<std::string> names;
};

/// The state of those particles alone.
SimulationState part_of(const SimulationState& state, const std::vector<bool>& kept) {
  SimulationState part = state;
  part.count = static_cast<int>(std::count(kept.begin(), kept.end(), true));
  for (AttributeValues& attribute : part.attributes)
    std::visit(
        [&](auto& values) {
          std::size_t next = 0;
          for (std::size_t i = 0; i < values.size(); ++i)
            if (kept[i]) values[next++] = values[i];
          values.resize(next);
        },
        attribute.values);
  return part;
}

/// Half of the fluid by x: own are the particles of one half, foreign the others within `width` of it, or all others.
struct Half {
  std::unique_ptr<Simulation> simulation;
  int foreign = 0;

  Half(const SimulationSetup& setup, const Device& device, const SimulationState& state, bool left, float width) {
    const auto& position = state.require<Vec4>("position");
    const auto& id = state.require<std::uint32_t>("id");
    std::vector<float> xs;
    for (const Vec4& x : position) xs.push_back(x.x);
    std::nth_element(xs.begin(), xs.begin() + static_cast<std::ptrdiff_t>(xs.size() / 2), xs.end());
    const float middle = xs[xs.size() / 2], extent = setup.domain.extent().x, low = setup.domain.min.x;
    const auto own = [&](float x) { return (x < middle) == left; };
    std::vector<bool> kept;
    Ids others;
    for (std::size_t i = 0; i < position.size(); ++i) {
      const float x = position[i].x;
      float far = std::fabs(x - middle);
      if (setup.domain.periodic(0)) far = std::min(far, left ? low + extent - x : x - low);
      kept.push_back(own(x) || far <= width);
      if (!own(x) && kept.back()) others.push_back(id[i]);
    }
    simulation = std::make_unique<Simulation>(setup, device, part_of(state, kept));
    simulation->set_foreign(others, true);
    foreign = static_cast<int>(others.size());
  }
};

double length_of(const SimulationSetup& setup) { return std::sqrt(double{length2(setup.domain.extent())}); }

struct HaloCase {
  std::string name;
  SimulationSetup setup;
  float width = INFINITY;  ///< of the halo [m]
};

/// What a WCSPH or PBF step has beside its usual stages.
void use_all_features(SimulationSetup& setup) {
  setup.wcsph.shifting = 1;
  setup.wcsph.artificial_viscosity = 0.1f;
  for (FluidSetup& fluid : setup.fluids) fluid.surface_tension = 0.05f;
  setup.pbf.xsph = 0.1f;
  setup.pbf.vorticity = 0.5f;
  setup.damping = {{setup.domain.min, setup.domain.max, 20, BoxFace::XMax}};
}

std::vector<HaloCase> halo_cases() {
  std::vector<HaloCase> cases;
  const auto add = [&](const char* name, SimulationSetup setup, SolverKind solver) -> SimulationSetup& {
    cases.push_back({name, with_solver(std::move(setup), solver)});
    SimulationSetup& made = cases.back().setup;
    const bool walled = made.domain.walled(0);
    // Particles come closer to each other by less than a quarter of the radius in 20 steps. What is computed at the
    // outer foreign particles lacks neighbours.
    cases.back().width = (walled ? 2.25f : 1.25f) * search_radius(made);
    return made;
  };
  add("WCSPH", periodic_setup(2, 24), SolverKind::Wcsph);
  // With a free surface, where tension acts.
  SimulationSetup& free = add("WCSPH, all features", free_block(SolverKind::Wcsph, 2), SolverKind::Wcsph);
  use_all_features(free);
  free.bodies[0].jitter = 0.2f;
  SimulationSetup& akinci = add("WCSPH, tension by Akinci", periodic_setup(2, 24), SolverKind::Wcsph);
  use_all_features(akinci);
  akinci.wcsph.tension_model = TensionModel::Akinci;
  add("WCSPH, walls", column_setup(2, 20), SolverKind::Wcsph);
  add("WCSPH, summation", by_summation(periodic_setup(2, 24)), SolverKind::Wcsph);
  add("WCSPH, summation, walls", by_summation(column_setup(2, 20)), SolverKind::Wcsph);
  SimulationSetup& all =
      add("WCSPH, summation, all features", by_summation(free_block(SolverKind::Wcsph, 2)), SolverKind::Wcsph);
  use_all_features(all);
  all.bodies[0].jitter = 0.2f;
  add("PBF", periodic_setup(2, 24), SolverKind::Pbf).step.fixed = 1e-3f;
  SimulationSetup& refined = add("PBF, refined velocities", periodic_setup(2, 24), SolverKind::Pbf);
  use_all_features(refined);
  refined.step.fixed = 1e-3f;
  add("PBF, walls", column_setup(2, 20), SolverKind::Pbf).step.fixed = 1e-4f;
  add("DFSPH", periodic_setup(2, 24), SolverKind::Dfsph);
  add("DFSPH, walls", column_setup(2, 20), SolverKind::Dfsph);
  SimulationSetup& drop = add("DFSPH, tension and shifting", free_block(SolverKind::Dfsph, 2), SolverKind::Dfsph);
  use_all_features(drop);
  drop.bodies[0].jitter = 0.2f;
  SimulationSetup& shifted = add("DFSPH, tension by Akinci", periodic_setup(2, 24), SolverKind::Dfsph);
  use_all_features(shifted);
  shifted.wcsph.tension_model = TensionModel::Akinci;
  for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog})
    for (const RandomKind random : {RandomKind::Philox, RandomKind::KarpinskiStream}) {
      SimulationSetup& dpd = add("DPD", dpd_box(2, 12), SolverKind::Dpd);
      dpd.dpd.integrator = integrator;
      dpd.dpd.random = random;
      dpd.damping = {{dpd.domain.min, dpd.domain.max, 1, BoxFace::YMin}};
      cases.back().width = 2.5f;
    }
  // Trees and lists depend on all particles, so here all are present.
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const float skin : {0.0f, 0.2f})
      for (HaloCase c : {HaloCase{"WCSPH", with_solver(periodic_setup(3, 8), SolverKind::Wcsph)},
                         HaloCase{"DPD", dpd_case(DpdIntegrator::LeapFrog)}}) {
        c.name += ", " + std::string(info.name) + ", skin " + std::to_string(skin);
        c.setup.neighbors.method = info.method;
        c.setup.neighbors.skin = skin;
        cases.push_back(c);
      }
  cases.push_back({"PBF in 3-D", with_solver(periodic_setup(3, 8), SolverKind::Pbf)});
  cases.push_back({"DPD, two fluids", with_solver(two_fluid_box(4), SolverKind::Dpd)});
  return cases;
}

TEST_P(ForeignParticles, TwoHalvesAreThePlainRunToTheLastBit) {
  for (const HaloCase& c : halo_cases())
    for (const int before : {0, 3}) {  // steps: with DPD the first one of all differs
      SCOPED_TRACE(c.name + ", after " + std::to_string(before) + " steps");
      Simulation plain(c.setup, device());
      run_steps(plain, before);
      const SimulationState state = plain.save_state();
      plain.restore_state(state);
      Half left(c.setup, device(), state, true, c.width), right(c.setup, device(), state, false, c.width);
      Simulation &a = *left.simulation, &b = *right.simulation;
      ASSERT_EQ(a.particle_count() - left.foreign + b.particle_count() - right.foreign, plain.particle_count());
      ASSERT_GT(left.foreign, 0);
      if (std::isfinite(c.width) && c.setup.domain.periodic(0)) {
        ASSERT_LT(a.particle_count(), plain.particle_count());
      }
      Exchange exchange;
      a.set_halo(exchange.side(0));
      b.set_halo(exchange.side(1));
      for (int s = 0; s < 20; ++s) {
        plain.step();
        Exchange::step(a, b);
        const Diagnostics da = a.diagnostics(), db = b.diagnostics(), all = plain.diagnostics();
        ASSERT_EQ(da.state_hash + db.state_hash, all.state_hash) << "step " << s;
        ASSERT_EQ(a.finish().dt, plain.finish().dt) << "step " << s;
        ASSERT_EQ(a.finish().max_speed, plain.finish().max_speed);
        ASSERT_EQ(std::max(da.max_speed, db.max_speed), all.max_speed);
        ASSERT_NEAR(da.mass + db.mass, all.mass, 1e-9 * all.mass);
        ASSERT_NEAR(da.kinetic_energy + db.kinetic_energy, all.kinetic_energy, 1e-9 * all.kinetic_energy);
      }
      EXPECT_EQ(a.finish().contained + b.finish().contained, plain.finish().contained + state.clock.contained);
    }
}

/// Solids in the middle, where the halves meet.
std::vector<SolverCase> cases_with_solids() {
  std::vector<SolverCase> cases;
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Pbf})
    for (const bool driven : {false, true}) {
      SimulationSetup setup = with_solver(column_setup(2, 20), solver);
      setup.face_forces = true;
      setup.fluids[0].viscosity = 1e-3f;
      setup.step.fixed = 1e-4f;
      setup.bodies[0].velocity = {0.5f, 0, 0};
      SolidRegion post;
      post.shape = Shape::Sphere;
      post.center = {0.05f, 0.1f, 0};
      post.radius = 0.02f;
      if (driven) {
        post.drive.given = true;
        post.drive.velocity = {0.2f, 0, 0};
      }
      setup.solid_regions = {post};
      cases.push_back({std::string(to_string(solver)) + (driven ? ", driven" : ""), setup});
    }
  SimulationSetup dpd = with_solver(dpd_box(2, 12), SolverKind::Dpd);
  SolidRegion post;
  post.shape = Shape::Sphere;
  post.center = 0.5f * (dpd.domain.min + dpd.domain.max);
  post.radius = 2;
  dpd.solid_regions = {post};
  cases.push_back({"DPD", dpd});
  return cases;
}

TEST_P(ForeignParticles, ForcesOnSolidsAreTheSumOverTheDevices) {
  for (const SolverCase& c : cases_with_solids()) {
    SCOPED_TRACE(c.name);
    Simulation plain(c.setup, device());
    run_steps(plain, 3);
    const SimulationState state = plain.save_state();
    plain.restore_state(state);
    const float width = c.setup.solver == SolverKind::Dpd ? 2.5f : 2.25f * search_radius(c.setup);
    Half left(c.setup, device(), state, true, width), right(c.setup, device(), state, false, width);
    Simulation &a = *left.simulation, &b = *right.simulation;
    ASSERT_GT(left.foreign, 0);
    Exchange exchange;
    a.set_halo(exchange.side(0));
    b.set_halo(exchange.side(1));
    const int steps = 40;
    for (int s = 0; s < steps; ++s) {
      plain.step();
      Exchange::step(a, b);
    }
    const Diagnostics da = a.diagnostics(), db = b.diagnostics(), all = plain.diagnostics();
    ASSERT_EQ(da.state_hash + db.state_hash, all.state_hash);
    ASSERT_EQ(all.solids.size(), 2u);
    for (std::size_t s = c.setup.face_forces ? 0 : 1; s < 2; ++s) {
      const double impulse = std::hypot(all.solids[s].impulse[0], all.solids[s].impulse[1]);
      ASSERT_GT(impulse, 0) << s;
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(da.solids[s].impulse[k] + db.solids[s].impulse[k], all.solids[s].impulse[k], 1e-5 * impulse)
            << s << "xyz"[k];
        EXPECT_NEAR(da.solids[s].angular_impulse[k] + db.solids[s].angular_impulse[k], all.solids[s].angular_impulse[k],
                    1e-5 * impulse * length_of(c.setup))
            << s << "xyz"[k];
      }
    }
  }
}

// Sums of implicit viscosity are rounded as the particles are divided.
TEST_P(ForeignParticles, TwoHalvesWithImplicitViscosityAreThePlainRunButForRounding) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph})
    for (const bool walled : {false, true}) {
      SimulationSetup setup = with_solver(walled ? column_setup(2, 20) : periodic_setup(2, 24), solver);
      setup.wcsph.viscosity = ViscosityScheme::Implicit;
      setup.fluids[0].viscosity = 0.01f;
      setup.step.fixed = walled ? 1e-4f : 5e-4f;
      SCOPED_TRACE(std::string(to_string(solver)) + (walled ? ", walls" : ""));
      Simulation plain(setup, device());
      run_steps(plain, 3);
      const SimulationState state = plain.save_state();
      plain.restore_state(state);
      const float width = (walled ? 2.25f : 1.25f) * search_radius(setup);
      Half left(setup, device(), state, true, width), right(setup, device(), state, false, width);
      Simulation &a = *left.simulation, &b = *right.simulation;
      Exchange exchange;
      a.set_halo(exchange.side(0));
      b.set_halo(exchange.side(1));
      for (int s = 0; s < 10; ++s) {
        plain.step();
        Exchange::step(a, b);
      }
      const Diagnostics da = a.diagnostics(), db = b.diagnostics(), all = plain.diagnostics();
      EXPECT_NEAR(da.kinetic_energy + db.kinetic_energy, all.kinetic_energy, 1e-5 * all.kinetic_energy);
      EXPECT_EQ(da.viscous_solve->iterations, db.viscous_solve->iterations) << "both see the same sums";
      EXPECT_GT(all.viscous_solve->all_iterations, 0u);
      for (int axis = 0; axis < 2; ++axis)
        EXPECT_NEAR(da.momentum[axis] + db.momentum[axis], all.momentum[axis],
                    1e-5 * std::sqrt(2 * all.kinetic_energy * all.mass));
    }
}

TEST_P(ForeignParticles, AStepDoesNotChangeThem) {
  std::vector<SolverCase> cases = solver_cases();
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Pbf}) {
    cases.push_back(
        {std::string("all features of ") + std::string(to_string(solver)), with_solver(periodic_setup(2, 16), solver)});
    use_all_features(cases.back().setup);
  }
  for (const SolverCase& c : cases)
    for (const int before : {0, 4}) {
      SCOPED_TRACE(c.name + ", after " + std::to_string(before) + " steps");
      Simulation simulation(c.setup, device());
      run_steps(simulation, before);
      Ids ids;
      for (std::uint32_t id = 1; id < static_cast<std::uint32_t>(simulation.particle_count()); id += 3)
        ids.push_back(id);
      simulation.set_foreign(ids, true);
      Stirring stirring;
      stirring.center = 0.5f * (c.setup.domain.min + c.setup.domain.max);
      stirring.radius = 10 * c.setup.domain.extent().x;
      stirring.strength = 1;
      simulation.set_stirring(stirring);
      std::vector<std::string> carried = {"position", "velocity", "fluid"};
      if (c.setup.solver == SolverKind::Dpd)
        for (const char* name : {"acceleration", "previous velocity", "random"})
          if (simulation.particles().has(name)) carried.emplace_back(name);
      if (simulation.particles().has("compression")) carried.emplace_back("compression");
      const auto values = [&] {
        std::map<std::string, std::vector<std::vector<std::uint32_t>>> all;  // by name, by id: the bits
        const auto bits = [&](const std::string& name, const auto& of) {
          for (const auto& value : of) {
            std::vector<std::uint32_t> words(sizeof value / 4);
            std::memcpy(words.data(), &value, sizeof value);
            if (name == "position") words.resize(3);  // w is the solver's
            all[name].push_back(words);
          }
        };
        for (const std::string& name : carried) {
          if (name == "fluid")
            bits(name, by_id<std::uint32_t>(simulation, name.c_str()));
          else if (name == "random" || name == "compression")
            bits(name, by_id<float>(simulation, name.c_str()));
          else
            bits(name, by_id<Vec4>(simulation, name.c_str()));
        }
        return all;
      };
      const auto then = values();
      run_steps(simulation, 5);
      auto now = values();
      for (const std::string& name : carried)
        for (const std::uint32_t id : ids) ASSERT_EQ(now[name][id], then.at(name)[id]) << name << " of " << id;
      int moved = 0;
      for (std::uint32_t id = 0; id < now["velocity"].size(); id += 3)
        moved += now["position"][id] != then.at("position")[id] && now["velocity"][id] != then.at("velocity")[id];
      EXPECT_GT(moved, 0.9 * double(now["velocity"].size()) / 3) << "own ones move";
      // Own again, they go on.
      simulation.set_foreign(ids, false);
      simulation.step();
      now = values();
      moved = 0;
      for (const std::uint32_t id : ids) moved += now["position"][id] != then.at("position")[id];
      EXPECT_GT(moved, 0.9 * double(ids.size()));
    }
}

TEST_P(ForeignParticles, AreReadAsNeighbors) {
  SimulationSetup setup = with_solver(periodic_setup(2, 16), SolverKind::Wcsph);
  setup.step.fixed = 1e-4f;
  Simulation plain(setup, device()), marked(setup, device());
  Ids ids;
  for (std::uint32_t id = 0; id < 256; id += 2) ids.push_back(id);
  marked.set_foreign(ids, true);
  plain.step();
  marked.step();
  const auto expected = by_id<Vec4>(plain, "position"), found = by_id<Vec4>(marked, "position");
  for (std::size_t i = 1; i < expected.size(); i += 2) ASSERT_TRUE(xyz(found[i]) == xyz(expected[i])) << i;
}

TEST_P(ForeignParticles, NeitherTheStepNorDiagnosticsCountThem) {
  for (const SolverCase& c : {SolverCase{"WCSPH", with_solver(periodic_setup(2, 16), SolverKind::Wcsph)},
                              SolverCase{"PBF", with_solver(periodic_setup(2, 16), SolverKind::Pbf)},
                              SolverCase{"DFSPH", with_solver(periodic_setup(2, 16), SolverKind::Dfsph)},
                              SolverCase{"DPD", dpd_case(DpdIntegrator::VelocityVerlet)},
                              SolverCase{"DPD, leap-frog", dpd_case(DpdIntegrator::LeapFrog)}}) {
    SCOPED_TRACE(c.name);
    Simulation simulation(c.setup, device());
    run_steps(simulation, 5);
    SimulationState state = simulation.save_state();
    std::uint32_t fast = 0, broken = 0;
    for (AttributeValues& attribute : state.attributes) {
      if (attribute.name == "velocity") std::get<std::vector<Vec4>>(attribute.values)[10].x = 70;
      if (attribute.name == "velocity") std::get<std::vector<Vec4>>(attribute.values)[11].x = NAN;
      if (attribute.name == "id") fast = std::get<std::vector<std::uint32_t>>(attribute.values)[10];
      if (attribute.name == "id") broken = std::get<std::vector<std::uint32_t>>(attribute.values)[11];
    }
    const double of_one = simulation.diagnostics().mass / simulation.particle_count();
    Simulation marked(c.setup, device(), state);
    EXPECT_EQ(marked.diagnostics().non_finite, 1);
    EXPECT_GE(marked.diagnostics().max_speed, 30);
    const std::uint32_t ids[] = {fast, broken};
    marked.set_foreign(ids, true);
    const Diagnostics d = marked.diagnostics();
    EXPECT_EQ(d.non_finite, 0);
    EXPECT_LT(d.max_speed, 10);
    EXPECT_NEAR(d.mass, of_one * (marked.particle_count() - 2), 1e-6 * d.mass);
    if (d.thermal) {
      const Diagnostics all = simulation.diagnostics();
      EXPECT_NEAR(d.thermal->temperature, all.thermal->temperature, 0.05 * all.thermal->temperature);
      EXPECT_NEAR(d.thermal->pair_energy, all.thermal->pair_energy, 0.05 * all.thermal->pair_energy);
      EXPECT_NEAR(d.thermal->mean_neighbors, all.thermal->mean_neighbors, 0.05 * all.thermal->mean_neighbors);
    }
    if (d.compression) {
      EXPECT_EQ(d.compression->all.particles, marked.particle_count() - 2);
    }
    marked.set_time_limit(marked.finish().time);  // the step looks, and moves nothing
    marked.step();
    EXPECT_LT(marked.finish().max_speed, 10);
  }
}

TEST_P(ForeignParticles, AreKeptInAStateAndInEveryChangeOfTheNumber) {
  const SimulationSetup setup = dpd_case(DpdIntegrator::VelocityVerlet);
  Simulation simulation(setup, device());
  const SimulationState before = simulation.save_state();
  const auto foreign_ids = [](const Simulation& of) {
    Ids ids;
    if (!of.particles().has("foreign")) return ids;
    const auto id = by_id<std::uint32_t>(of, "id"), flags = by_id<std::uint32_t>(of, "foreign");
    for (std::size_t i = 0; i < id.size(); ++i)
      if (flags[i] != 0) ids.push_back(id[i]);
    return ids;
  };
  const std::uint32_t ids[] = {3, 50, 7};
  EXPECT_EQ(foreign_ids(simulation), Ids{});
  simulation.set_foreign(ids, true);
  run_steps(simulation, 3);
  EXPECT_EQ(foreign_ids(simulation), (Ids{3, 7, 50}));
  const std::uint32_t seven[] = {7};
  simulation.remove_particles(seven);
  EXPECT_EQ(foreign_ids(simulation), (Ids{3, 50}));
  const Ids added = simulation.add_particles({{{1, 1, 1, 0}, {2, 1, 1, 0}}, {{}, {}}, {0, 0}});
  EXPECT_EQ(foreign_ids(simulation), (Ids{3, 50}));
  simulation.set_foreign(std::span(added).first(1), true);
  const SimulationState state = simulation.save_state();
  Simulation made(setup, device(), state);
  EXPECT_EQ(foreign_ids(made), (Ids{3, 50, added[0]}));
  run_steps(made, 5);
  run_steps(simulation, 5);
  EXPECT_EQ(made.diagnostics().state_hash, simulation.diagnostics().state_hash);
  simulation.restore_state(before);
  EXPECT_EQ(foreign_ids(simulation), Ids{});
  simulation.restore_state(state);
  EXPECT_EQ(foreign_ids(simulation), (Ids{3, 50, added[0]}));
  const std::uint32_t unknown[] = {3, 7};
  EXPECT_THROW(simulation.set_foreign(unknown, false), InputError);
  EXPECT_EQ(foreign_ids(simulation), (Ids{3, 50, added[0]}));
}

TEST_P(ForeignParticles, AreRefreshedAtThePointsThatTheSolversName) {
  using Names = std::vector<std::string>;
  const auto points = [&](const SimulationSetup& setup, bool at_limit = false) {
    Simulation simulation(setup, device());
    if (!at_limit) simulation.step();
    const std::uint32_t ids[] = {0};
    simulation.set_foreign(ids, true);
    const auto notes = std::make_shared<Notes>();
    simulation.set_halo(notes);
    if (at_limit) simulation.set_time_limit(0);
    simulation.step();
    const Names names = notes->names;
    simulation.set_halo(nullptr);
    simulation.step();
    EXPECT_EQ(notes->names, names) << "without a halo nobody is called";
    return names;
  };
  SimulationSetup setup = with_solver(periodic_setup(2, 16), SolverKind::Wcsph);
  EXPECT_EQ(points(by_summation(setup)), (Names{"volume", "flow", "maxima", "position", "velocity"}));
  EXPECT_EQ(points(setup),
            (Names{"volume", "flow", "maxima", "flow", "position", "velocity", "compression", "compression rate"}));
  use_all_features(setup);
  EXPECT_EQ(points(setup), (Names{"volume", "flow", "volume", "surface", "smooth", "maxima", "flow", "position",
                                  "velocity", "compression", "compression rate"}));
  setup = by_summation(setup);
  EXPECT_EQ(points(setup), (Names{"volume", "flow", "surface", "smooth", "maxima", "position", "velocity"}));
  setup.wcsph.tension_model = TensionModel::Akinci;
  EXPECT_EQ(points(setup), (Names{"volume", "flow", "surface", "maxima", "position", "velocity"}));
  setup.solver = SolverKind::Pbf;
  setup.pbf.iterations = 2;
  EXPECT_EQ(points(setup), (Names{"maxima", "position", "constrained", "moved", "constrained", "moved",
                                  "finished velocity", "cut off", "vorticity", "position", "velocity"}));
  const Names of_dpd = {"maxima", "position", "predicted velocity", "velocity"};
  EXPECT_EQ(points(dpd_case(DpdIntegrator::LeapFrog)), of_dpd);
  EXPECT_EQ(points(dpd_case(DpdIntegrator::LeapFrog), true), of_dpd) << "the first step, at the time limit";
}

TEST_P(ForeignParticles, OwnAgainTheyStartFromTheForcesOfThePresent) {
  const SimulationSetup setup = conservative_dpd_case();
  const std::uint32_t ids[] = {2, 9, 40}, early[] = {2, 9}, late[] = {9, 40};
  Simulation simulation(setup, device());
  run_steps(simulation, 5);
  simulation.set_foreign(ids, true);
  run_steps(simulation, 20);  // their neighbours leave
  simulation.set_foreign(early, false);
  simulation.set_foreign(late, false);  // one of them is own already
  Simulation fresh = with_forces_again(simulation);
  simulation.step();
  fresh.step();
  const auto expected = by_id<Vec4>(fresh, "position"), found = by_id<Vec4>(simulation, "position");
  for (const std::uint32_t id : ids) EXPECT_TRUE(xyz(found[id]) == xyz(expected[id])) << id;
}

TEST_P(ForeignParticles, OwnAgainTheyForgetTheLeapFrogsVelocityOfThePast) {
  Simulation simulation(dpd_case(DpdIntegrator::LeapFrog), device());
  run_steps(simulation, 5);
  const std::uint32_t ids[] = {2, 9, 40};
  simulation.set_foreign(ids, true);
  run_steps(simulation, 3);
  const auto velocity = by_id<Vec4>(simulation, "velocity"), then = by_id<Vec4>(simulation, "previous velocity");
  simulation.set_foreign(ids, false);
  const auto now = by_id<Vec4>(simulation, "previous velocity");
  for (std::uint32_t id = 0; id < now.size(); ++id) {
    const bool again = std::find(std::begin(ids), std::end(ids), id) != std::end(ids);
    EXPECT_TRUE(xyz(now[id]) == xyz(again ? velocity[id] : then[id])) << id;
  }
  const auto before = by_id<Vec4>(simulation, "velocity");
  for (const std::uint32_t id : ids) EXPECT_TRUE(xyz(before[id]) == xyz(velocity[id])) << id;
}

TEST_P(ForeignParticles, TakeTheirMemoryBeforeTheStep) {
  for (SolverCase c : {SolverCase{"PBF", with_solver(periodic_setup(2, 16), SolverKind::Pbf)},
                       SolverCase{"DPD", dpd_case(DpdIntegrator::VelocityVerlet)}}) {
    SCOPED_TRACE(c.name);
    use_all_features(c.setup);
    Simulation simulation(c.setup, device());
    run_steps(simulation, 5);
    simulation.set_time_limit(simulation.finish().time);  // the search stays the same
    simulation.step();
    simulation.finish();
    const std::size_t none = allocated_bytes(GetParam());
    const std::uint32_t ids[] = {3};
    simulation.set_foreign(ids, true);
    const std::size_t marked = allocated_bytes(GetParam());
    EXPECT_GT(marked, none);
    simulation.step();
    simulation.finish();
    EXPECT_EQ(allocated_bytes(GetParam()), marked);
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(ForeignParticles);

}  // namespace
}  // namespace riffle::test
