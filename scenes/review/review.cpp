#include "scenes/review/review.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>

#include "core/device/particle_limit.h"
#include "core/text/suggestion.h"
#include "scenes/document/body_space.h"
#include "scenes/review/review_dpd.h"
#include "scenes/review/review_wcsph.h"
#include "sim/kernel.h"
#include "sim/pbf/pbf.h"
#include "sim/simulation.h"
#include "sim/solver.h"
#include "sim/start/sampling.h"
#include "sim/units.h"

namespace riffle {

namespace {

constexpr const char* kAxisNames[] = {"x", "y", "z"};
constexpr double kCountedSites = 1 << 20;  // a body of more lattice sites than this is not empty

template <class T>
T printed(T value) {
  return value;
}
const char* printed(const std::string& text) { return text.c_str(); }

std::string format(const char* pattern, const auto&... values) {
  char text[512];
  std::snprintf(text, sizeof text, pattern, printed(values)...);
  return text;
}

bool positive_extent(Vec3 min, Vec3 max, int dimension) {
  for (int a = 0; a < dimension; ++a)
    if (!(component(min, a) < component(max, a))) return false;
  return true;
}

/// Lattice sites of the body's bounding box, without counting them one by one.
double lattice_sites(const BodySetup& body, double spacing, int dimension) {
  const auto [min, max] = bounds_of(body);
  double sites = 1;
  for (int a = 0; a < dimension; ++a) sites *= std::max(0.0, (component(max, a) - component(min, a)) / spacing);
  if (body.shape == Shape::Sphere) sites *= dimension == 3 ? std::numbers::pi / 6 : std::numbers::pi / 4;
  return sites;
}

void flatten(Vec3& v) { v.z = 0; }

class Review {
 public:
  Review(SceneDraft draft, const KeyLocations& locations, Problems& problems)
      : draft_(std::move(draft)),
        scene_(draft_.scene),
        setup_(scene_.simulation),
        locations_(locations),
        problems_(problems) {}

  Scene run() {
    if (setup_.domain.dimension == 2) drop_third_component();
    if (draft_.number_density > 0)
      setup_.spacing = static_cast<float>(std::pow(double{draft_.number_density}, -1.0 / setup_.domain.dimension));
    if (intact({"dimension", "domain"})) check_domain();
    if (intact({"dimension", "domain", "particles"})) check_resolution();
    if (intact({"solver"})) refuse_keys_of_other_solvers(scene_format(), "");
    check_fluids();
    if (intact({"dimension", "domain", "fluids", "start"})) check_start();
    if (setup_.dpd.integrator == DpdIntegrator::LeapFrog && locations_.given("solver.lambda"))
      warn("solver.lambda", "has no effect: it belongs to solver.integrator velocity_verlet");
    if (setup_.solver == SolverKind::Dpd && intact({"solver", "fluids", "particles"}))
      review_dpd(
          draft_, setup_, [this](const std::string& key, const std::string& text) { refuse(key, text); },
          [this](const std::string& key, const std::string& text) { warn(key, text); });
    if (setup_.solver == SolverKind::Wcsph && intact({"solver", "fluids", "particles", "dimension", "domain"}))
      review_wcsph(
          draft_, setup_, [this](const std::string& key) { return locations_.given(key); },
          [this](const std::string& key, const std::string& text) { refuse(key, text); },
          [this](const std::string& key, const std::string& text) { warn(key, text); });
    if (intact({"dimension", "domain", "particles"})) check_bodies();
    if (intact({"dimension", "domain", "gravity", "solver"})) warn_of_endless_fall();
    if (intact({"solver"})) check_damping();
    if (intact({"solver", "fluids"})) warn_of_keys_that_pbf_ignores();
    if (intact({"dimension", "domain", "particles", "neighbors", "deterministic"})) check_neighbors();
    if (intact({"time"})) check_time();
    if (problems_.empty()) warn_of_unstable_step();
    if (intact({"dimension", "domain", "picture"})) check_picture();
    return std::move(scene_);
  }

 private:
  bool intact(std::initializer_list<const char*> keys) const {
    return std::none_of(keys.begin(), keys.end(), [&](const char* key) { return problems_.touch(key); });
  }
  /// With its unit, as the solver has them.
  std::string length(double value) const { return format("%g %s", value, units_of(setup_).length); }

  void refuse(const std::string& key, const std::string& text) { problems_.add(locations_.of(key), key, text); }
  void warn(const std::string& key, const std::string& text) {
    scene_.warnings.push_back({locations_.of(key).text(), key, text});
  }

  void drop_third_component() {
    flatten(setup_.domain.min);
    flatten(setup_.domain.max);
    flatten(setup_.gravity);
    for (auto& body : setup_.bodies)
      for (Vec3* v : {&body.min, &body.max, &body.center, &body.velocity}) flatten(*v);
  }

  void refuse_keys_of_other_solvers(const Record& record, const std::string& path) {
    for (const Key& key : record.keys) {
      const std::string inner = path.empty() ? key.name : path + "." + key.name;
      if (!locations_.given(inner)) continue;
      const auto& allowed = key.solvers;
      if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), setup_.solver) == allowed.end()) {
        std::string names;
        for (const SolverKind solver : allowed) names += (names.empty() ? "" : " or ") + std::string(to_string(solver));
        refuse(inner,
               std::string("means nothing with solver.type ") + to_string(setup_.solver) + "; allowed with " + names);
        continue;
      }
      for (const Form& form : key.forms) {
        if (form.kind == Form::Kind::Map) refuse_keys_of_other_solvers(*form.record, inner);
        if (form.kind != Form::Kind::List) continue;
        std::string item = inner + "[0]";
        for (int i = 0; locations_.given(item); item = inner + "[" + std::to_string(++i) + "]")
          refuse_keys_of_other_solvers(*form.record, item);
      }
    }
  }

  void check_domain() {
    const Domain& domain = setup_.domain;
    for (int a = 0; a < domain.dimension; ++a) {
      const double low = component(domain.min, a), high = component(domain.max, a);
      if (!(low < high))
        refuse("domain", format("found %s from %g to %s; max.%s must be above min.%s", kAxisNames[a], low, length(high),
                                kAxisNames[a], kAxisNames[a]));
    }
  }

  void check_resolution() {
    const Domain& domain = setup_.domain;
    const double h = setup_.support_radius(), reach = search_radius(setup_);
    double largest = 0;
    for (int a = 0; a < domain.dimension; ++a) {
      const double extent = component(domain.extent(), a);
      largest = std::max({largest, std::abs(static_cast<double>(component(domain.min, a))),
                          std::abs(static_cast<double>(component(domain.max, a)))});
      if (!domain.periodic(a)) continue;
      const char* name = kAxisNames[a];
      if (extent < 2 * h)
        refuse("domain.axes",
               format("the periodic axis %s is %s long, below twice the support radius (%s): a particle would "
                      "meet its neighbour twice; allowed: at least 2 h",
                      name, length(extent), length(h)));
      else if (extent < 2 * reach)
        refuse("solver.margin",
               format("found %g: neighbours are then looked for as far as %g m, more than half the periodic axis %s "
                      "(%g m), where a particle has two images of the same neighbour; allowed: at most %.3g",
                      static_cast<double>(setup_.pbf.margin), reach, name, extent,
                      std::floor(1000 * (extent / (2 * h) - 1)) / 1000));
      else if (extent < 3 * h)
        warn("domain.axes",
             format("the periodic axis %s is %s long, below three support radii (%s each); the search is exact "
                    "but slow there, and the fluid feels its own image",
                    name, length(extent), length(h)));
    }
    if (setup_.solver == SolverKind::Pbf && setup_.support_ratio < 1.2f)
      refuse(
          "particles.support_ratio",
          format(
              "found %g, with which particles on their lattice have no neighbours that could hold them; allowed with "
              "solver.type pbf: 1.2 to 10",
              double{setup_.support_ratio}));
    else if (setup_.solver != SolverKind::Dpd && (setup_.support_ratio < 1.2f || setup_.support_ratio > 4.0f))
      warn("particles.support_ratio",
           format("%g particle spacings is unusual: below 1.2 particles hardly see each other, above 4 they "
                  "have hundreds of neighbours; 2 is common",
                  static_cast<double>(setup_.support_ratio)));
    constexpr double kSingleEpsilon = 1.2e-7;
    if (largest * kSingleEpsilon > 0.01 * setup_.spacing)
      warn("particles.spacing",
           format("%s is fine for coordinates up to %s in single precision: positions are rounded by "
                  "more than a hundredth of the spacing",
                  length(setup_.spacing), length(largest)));
  }

  void check_neighbors() {
    const NeighborSetup& neighbors = setup_.neighbors;
    if (neighbors.automatic && setup_.deterministic) {
      std::string names;
      for (const auto& info : neighbor_methods()) names += (names.empty() ? "" : ", ") + std::string(info.name);
      refuse("neighbors.method",
             "found 'auto', which chooses by time, so that runs differ, in a scene with deterministic: true (" +
                 locations_.of("deterministic").text() + "); allowed there: " + names);
    }
    if (neighbors.automatic && neighbors.skin > 0)
      warn("neighbors.skin", "has no effect: with neighbors.method auto the skin is chosen too");
    if (!neighbors.automatic && neighbors.skin > 0) check_skin();
    if (neighbors.cell_count.x > 0) check_cells();
  }

  /// Numbers of cells that the searches refuse: better here, where the key is known.
  void check_cells() {
    const NeighborSetup& neighbors = setup_.neighbors;
    double cells = 1;
    for (int a = 0; a < setup_.domain.dimension; ++a) {
      const int count = component(neighbors.cell_count, a);
      cells *= count;
      const double reach = (1.0 + neighbors.skin) * search_radius(setup_);
      const double per_radius = reach * count / component(setup_.domain.extent(), a);
      if (count == 1 || per_radius <= kMostCellsPerRadius) continue;
      refuse("neighbors.cell", format("found %d cells along %s, %.4g of them to a support radius; allowed: at most %g",
                                      count, kAxisNames[a], per_radius, double{kMostCellsPerRadius}));
      return;
    }
    if (!neighbors.automatic && neighbors.method == NeighborMethod::Fenns && cells > kMostCoarseCells)
      refuse("neighbors.cell", format("found %.0f cells; allowed with neighbors.method fenns, whose counters live in "
                                      "shared memory: at most %d",
                                      cells, kMostCoarseCells));
  }

  /// An axis that is too short without a skin has been refused already.
  void check_skin() {
    const double h = search_radius(setup_), skin = setup_.neighbors.skin;
    constexpr double kRounding = 1 + 1e-6;  // the search computes its radius in single precision
    for (int a = 0; a < setup_.domain.dimension; ++a) {
      const double extent = component(setup_.domain.extent(), a);
      if (!setup_.domain.periodic(a) || extent < 2 * h || extent >= 2 * (1 + skin) * h * kRounding) continue;
      refuse("neighbors.skin",
             format("found %g: the list then reaches %s, more than half the periodic axis %s (%s), where a particle "
                    "has two images of the same neighbour; allowed: at most %.3g",
                    skin, length((1 + skin) * h), kAxisNames[a], length(extent),
                    std::floor(1000 * (extent / (2 * h) - 1)) / 1000));
      return;
    }
  }

  void check_fluids() {
    if (problems_.touch("fluids")) return;
    if (setup_.fluids.empty()) setup_.fluids.emplace_back();
    for (std::size_t i = 0; i < setup_.fluids.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (setup_.fluids[i].name == setup_.fluids[j].name) {
          refuse("fluids[" + std::to_string(i) + "].name", "found '" + setup_.fluids[i].name + "', which fluids[" +
                                                               std::to_string(j) +
                                                               "] is called already; allowed: a name of its own");
          return;
        }
  }

  std::string fluid_names() const {
    std::string all;
    for (const auto& fluid : setup_.fluids) all += (all.empty() ? "" : ", ") + fluid.name;
    return all;
  }

  /// The index of a fluid called by its name; nothing, and refused, where there is none.
  std::optional<int> find_fluid(const std::string& wanted, const std::string& key) {
    std::vector<std::string> names;
    for (const auto& fluid : setup_.fluids) names.push_back(fluid.name);
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found != names.end()) return static_cast<int>(found - names.begin());
    refuse(key, "found '" + wanted + "'" + suggestion(wanted, names, " (", ")") + ", allowed: " + fluid_names());
    return std::nullopt;
  }

  /// @return false when the body's fluid does not exist.
  bool resolve_fluid(std::size_t i, const std::string& key) {
    const std::string& wanted = draft_.bodies[i].fluid;
    const bool given_out = setup_.start.has_interface || setup_.start.mixed;
    if (wanted.empty() && (setup_.fluids.size() == 1 || given_out)) return true;
    if (wanted.empty()) {
      refuse(key + ".fluid", "is missing, and the scene has more than one fluid; allowed: " + fluid_names());
      return false;
    }
    const auto found = find_fluid(wanted, key + ".fluid");
    if (found) setup_.bodies[i].fluid = *found;
    return found.has_value();
  }

  void check_start() {
    StartSetup& start = setup_.start;
    if (start.has_interface) {
      const auto upper = find_fluid(draft_.upper, "start.interface.upper");
      const auto lower = find_fluid(draft_.lower, "start.interface.lower");
      if (upper) start.upper = *upper;
      if (lower) start.lower = *lower;
      if (upper && upper == lower)
        refuse("start.interface", "has '" + draft_.upper + "' above and below; allowed: two fluids");
      const Domain& domain = setup_.domain;
      if (!(start.height > domain.min.y && start.height < domain.max.y))
        refuse("start.interface.height", format("found %s, outside the domain; allowed: between %g and %s",
                                                length(start.height), double{domain.min.y}, length(domain.max.y)));
      const double extent = component(domain.extent(), 0);
      if (start.wavelength == 0) start.wavelength = static_cast<float>(extent);
      const double waves = extent / start.wavelength;
      if (start.wavelength > extent * 1.001 || start.wavelength < 2 * setup_.spacing)
        refuse("start.interface.wavelength",
               format("found %s; allowed: from two particle spacings (%s) to the domain's extent along x (%s)",
                      length(start.wavelength), length(2 * double{setup_.spacing}), length(extent)));
      const double room = std::min(double{start.height} - domain.min.y, double{domain.max.y} - start.height);
      if (std::abs(start.amplitude) >= room && room > 0)
        refuse("start.interface.amplitude",
               format("found %s, which reaches beyond the domain; allowed: below %s either way",
                      length(start.amplitude), length(room)));
      if (start.amplitude != 0 && domain.periodic(0) && std::abs(waves - std::round(waves)) > 1e-3)
        warn("start.interface.wavelength",
             format("%s fit %g times into the periodic axis x: the interface has a step there",
                    length(start.wavelength), waves));
    }
    if (start.has_interface && start.mixed)
      refuse("start", "has both an interface and mixed: true; allowed: one of them");
    if (start.mixed && setup_.fluids.size() < 2) warn("start.mixed", "has no effect on a single fluid");
  }

  void check_bodies() {
    std::vector<bool> fluid_used(setup_.fluids.size(), false);
    std::vector<std::size_t> sound;
    bool all_resolved = !problems_.touch("fluids") && !problems_.touch("bodies");
    double sites = 0;
    for (std::size_t i = 0; i < setup_.bodies.size(); ++i) {
      const std::string key = "bodies[" + std::to_string(i) + "]";
      if (problems_.touch(key)) continue;
      if (!problems_.touch("fluids")) {
        if (resolve_fluid(i, key))
          fluid_used[static_cast<std::size_t>(setup_.bodies[i].fluid)] = true;
        else
          all_resolved = false;
      }
      const double here = lattice_sites(setup_.bodies[i], setup_.spacing, setup_.domain.dimension);
      sites += here;
      if (check_body(setup_.bodies[i], key, here)) sound.push_back(i);
    }
    if (sites > double{kMostParticles})
      refuse("particles.spacing", format("found %g, which makes about %.2g particles; at most %.0f can be numbered",
                                         static_cast<double>(setup_.spacing), sites, double{kMostParticles}));
    warn_of_overlaps(sound);
    for (std::size_t f = 0; all_resolved && f < fluid_used.size(); ++f)
      if (!fluid_used[f] && locations_.given("fluids") && !setup_.start.mixed &&
          !(setup_.start.has_interface &&
            (static_cast<int>(f) == setup_.start.upper || static_cast<int>(f) == setup_.start.lower)))
        warn("fluids[" + std::to_string(f) + "]", "no body is made of '" + setup_.fluids[f].name + "'");
  }

  /// @return false when it was refused.
  bool check_body(const BodySetup& body, const std::string& key, double sites) {
    const Domain& domain = setup_.domain;
    const auto [min, max] = bounds_of(body);
    if (body.shape == Shape::Box && !positive_extent(min, max, domain.dimension)) {
      refuse(key + ".box", "every component of max must be above that of min");
      return false;
    }
    bool partly_outside = false;
    for (int a = 0; a < domain.dimension; ++a) {
      const float low = component(domain.min, a), high = component(domain.max, a);
      if (component(max, a) <= low || component(min, a) >= high) {
        refuse(key, format("lies wholly outside the domain: %s from %g to %s, the domain has %g to %s", kAxisNames[a],
                           static_cast<double>(component(min, a)), length(component(max, a)), static_cast<double>(low),
                           length(high)));
        return false;
      }
      const float slack = 0.01f * setup_.spacing;
      if (!partly_outside && (component(min, a) < low - slack || component(max, a) > high + slack)) {
        partly_outside = true;
        warn(key, format("lies partly outside the domain: %s from %g to %s, the domain has %g to %s", kAxisNames[a],
                         static_cast<double>(component(min, a)), length(component(max, a)), static_cast<double>(low),
                         length(high)));
      }
    }
    if (sites > kCountedSites) return true;
    SimulationSetup alone = setup_;
    alone.bodies = {body};
    if (count_particles(alone) > 0) return true;
    refuse(key, format("holds no particle at a spacing of %s; it needs that extent at least along every axis",
                       length(setup_.spacing)));
    return false;
  }

  void warn_of_overlaps(const std::vector<std::size_t>& bodies) {
    constexpr std::size_t kMost = 5;
    std::size_t found = 0;
    for (std::size_t n = 0; n < bodies.size() && found < kMost; ++n)
      for (std::size_t m = 0; m < n && found < kMost; ++m) {
        const float depth = overlap_depth(setup_.bodies[bodies[n]], setup_.bodies[bodies[m]], setup_.domain.dimension);
        if (depth <= 0.05f * setup_.spacing) continue;  // bodies that touch are rounded apart or together
        ++found;
        warn("bodies[" + std::to_string(bodies[n]) + "]",
             format("overlaps bodies[%zu] by %s: where both have particles the pressure starts very high", bodies[m],
                    length(depth)));
      }
  }

  void warn_of_endless_fall() {
    if (setup_.solver == SolverKind::Wcsph && setup_.wcsph.speed_of_sound > 0)
      return;  // whoever gives it knows how fast the fluid gets
    for (int a = 0; a < setup_.domain.dimension; ++a)
      if (setup_.domain.periodic(a) && component(setup_.gravity, a) != 0)
        warn("gravity",
             format("%g %s act along the periodic axis %s: a fluid that nothing holds accelerates without end%s",
                    static_cast<double>(component(setup_.gravity, a)), units_of(setup_).acceleration, kAxisNames[a],
                    setup_.solver == SolverKind::Wcsph ? ", and the automatic speed of sound does not know how fast it "
                                                         "gets; give solver.speed_of_sound"
                                                       : ""));
  }

  void check_damping() {
    const bool rate = setup_.wcsph.damping_rate > 0, time = setup_.wcsph.damping_time > 0;
    if (rate && !time) warn("solver.damping_rate", "has no effect without a solver.damping_time");
    if (time && !rate) warn("solver.damping_time", "has no effect without a solver.damping_rate");
  }

  void warn_of_keys_that_pbf_ignores() {
    if (setup_.solver != SolverKind::Pbf) return;
    for (std::size_t f = 0; f < setup_.fluids.size(); ++f)
      if (const std::string key = "fluids[" + std::to_string(f) + "].viscosity"; locations_.given(key))
        warn(key, "has no effect with solver.type pbf; its viscosity is solver.xsph");
    const SmoothingKernel kernel = make_normalized_kernel(setup_.pbf.kernel, setup_.domain.dimension, 1);
    const double steepest = std::pow(double{kernel.value(0)} / kernel.value(setup_.pbf.artificial_pressure_distance),
                                     setup_.pbf.artificial_pressure_power);
    if (setup_.pbf.artificial_pressure > 0 && !(steepest < 1e12))
      refuse(
          "solver.artificial_pressure_distance",
          format(
              "found %g, where with artificial_pressure_power %d two particles at one point push %.3g times as hard as "
              "there; allowed: what makes that at most 1e12, a smaller distance or power",
              double{setup_.pbf.artificial_pressure_distance}, setup_.pbf.artificial_pressure_power, steepest));
    for (const char* key : {"solver.artificial_pressure_power", "solver.artificial_pressure_distance"})
      if (setup_.pbf.artificial_pressure == 0 && locations_.given(key))
        warn(key, "has no effect with solver.artificial_pressure 0");
  }

  void warn_of_long_pbf_step() {
    const double dt = setup_.step.fixed, way = dt * expected_speed(setup_), h = setup_.support_radius();
    const double compression = pbf::expected_compression(setup_, dt);
    constexpr double kSuspicious = 0.03;
    if (way > h)
      warn("time.step",
           format("in %g s a particle at %.3g m/s, as fast as a fall makes it, goes %.3g m, further than it "
                  "sees (the support radius, %g m): particles may pass through each other",
                  dt, static_cast<double>(expected_speed(setup_)), way, h));
    else if (compression > kSuspicious)
      warn("time.step",
           format("steps of %g s leave the fluid compressed by about %.2g %% on average with %d iterations; "
                  "a shorter step, or more solver.iterations, makes it stiffer",
                  dt, 100 * compression, setup_.pbf.iterations));
  }

  void warn_of_unstable_step() {
    if (setup_.step.fixed <= 0) return;
    if (setup_.solver == SolverKind::Pbf) {
      warn_of_long_pbf_step();
      return;
    }
    if (setup_.solver == SolverKind::Dpd) {
      const double stable = stable_dt(setup_);
      if (setup_.step.fixed > stable)
        warn("time.step",
             format("%g is above the largest advisable step of %.3g, which follows from repulsion, friction "
                    "and masses: the temperature will be off",
                    double{setup_.step.fixed}, stable));
      return;
    }
    const StepBounds bounds = step_bounds(setup_);
    const double stable = std::min(bounds.constant, bounds.cfl_length / bounds.sound_speed);
    if (setup_.step.fixed > stable)
      warn("time.step", format("%g s is above the stable step of %.3g s (cfl %g at the speed of sound, and viscosity): "
                               "particles may fly apart",
                               static_cast<double>(setup_.step.fixed), stable, static_cast<double>(setup_.step.cfl)));
  }

  void check_time() {
    if (setup_.step.fixed > 0 && setup_.step.max > 0)
      warn("time.max_step", "has no effect: the step is fixed by time.step");
    if (setup_.step.fixed > 0 && locations_.given("time.cfl"))
      warn("time.cfl", "has no effect on the step: it is fixed by time.step");
    if (setup_.step.fixed > scene_.run.end_time) warn("time.step", "is longer than the whole run (time.end)");
  }

  void check_picture() {
    PictureSetup& picture = scene_.picture;
    if (setup_.solver == SolverKind::Dpd && picture.color_by == ColorChoice::Density)
      refuse("picture.color_by",
             "found 'density', which particles of solver.type dpd have none of; allowed: speed, fluid");
    if (!picture.automatic_range && !(picture.range_min < picture.range_max))
      refuse("picture.range", format("found [%g, %g]; the second must be above the first",
                                     static_cast<double>(picture.range_min), static_cast<double>(picture.range_max)));
    if (!picture.camera_given) return;
    Camera& camera = picture.camera;
    const Vec3 view = camera.target - camera.position;
    if (length2(view) == 0) {
      refuse("picture.camera", "position and target are the same point");
      return;
    }
    const Vec3 side{view.y * camera.up.z - view.z * camera.up.y, view.z * camera.up.x - view.x * camera.up.z,
                    view.x * camera.up.y - view.y * camera.up.x};
    if (length2(side) <= 1e-8f * length2(view) * length2(camera.up))
      refuse("picture.camera.up", "is zero or along the line of sight; allowed: any other direction");
    if (setup_.domain.dimension == 2) {
      camera.orthographic = true;
      camera.ortho_height =
          2 * std::sqrt(length2(view)) * std::tan(camera.fov_degrees * std::numbers::pi_v<float> / 360.0f);
    }
  }

  SceneDraft draft_;
  Scene& scene_;
  SimulationSetup& setup_;
  const KeyLocations& locations_;
  Problems& problems_;
};

}  // namespace

Scene review(SceneDraft draft, const KeyLocations& locations, Problems& problems) {
  return Review(std::move(draft), locations, problems).run();
}

}  // namespace riffle
