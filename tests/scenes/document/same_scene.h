#pragma once
/// Scenes compared field by field. The lists are structured bindings: one that misses a field does not compile.

#include <gtest/gtest.h>

#include <tuple>

#include "scenes/scene.h"

namespace riffle {

inline auto fields(const Vec3& v) { return std::tuple(v.x, v.y, v.z); }

inline auto fields(const PairMatrix& matrix) {
  std::vector<float> all;
  for (const auto& row : matrix.value) all.insert(all.end(), std::begin(row), std::end(row));
  return all;
}

inline auto fields(const Domain& domain) {
  const auto& [dimension, min, max, axis] = domain;
  return std::tuple(dimension, fields(min), fields(max), axis[0], axis[1], axis[2]);
}

inline auto fields(const FluidSetup& fluid) {
  const auto& [name, rest_density, viscosity, mass, color, surface_tension, share] = fluid;
  return std::tuple(name, rest_density, viscosity, mass, fields(color), surface_tension);
}

inline auto fields(const PlainShape& given) {
  const auto& [shape, min, max, center, radius, from, to, point, normal, corners, axis, low, high, file, placement,
               surface] = given;
  return std::tuple(shape, fields(min), fields(max), fields(center), radius, fields(from), fields(to), fields(point),
                    fields(normal), corners, axis, low, high, file, fields(placement.scale), fields(placement.rotation),
                    fields(placement.at), surface);
}

inline auto fields(const FlowSetup& setup) {
  const auto& [flow, along, across, center, rate, speed, wavelength, depth] = setup;
  return std::tuple(flow, along, across, fields(center), rate, speed, wavelength, depth);
}

inline auto fields(const Region& region) {
  const PlainShape& shape = region;
  std::vector<decltype(fields(shape))> joined, cuts;
  for (const PlainShape& part : region.with) joined.push_back(fields(part));
  for (const PlainShape& cut : region.without) cuts.push_back(fields(cut));
  return std::tuple(fields(shape), joined, cuts);
}

inline auto fields(const Oscillation& oscillation) {
  const auto& [period, phase] = oscillation;
  return std::tuple(period, phase);
}

inline auto fields(const WavemakerSetup& wave) {
  const auto& [given, kind, height, period, depth, direction, hinged, hinge] = wave;
  return std::tuple(given, kind, height, period, depth, fields(direction), hinged, fields(hinge));
}

inline auto fields(const SolidDrive& drive) {
  const auto& [velocity, amplitude, sway, rotates, about, axis, rate, turns, angle, swing, table, wave, from, until,
               ramp, given] = static_cast<const DriveParts&>(drive);
  EXPECT_EQ(drive.rows != nullptr, table.count > 0);
  return std::tuple(drive.file, table.count, fields(velocity), fields(amplitude), fields(sway), rotates, fields(about),
                    fields(axis), rate, turns, angle, fields(swing), fields(wave), from, until, ramp, given);
}

inline auto fields(const FreeBodySetup& free) {
  const auto& [given, density, mass, velocity, angular_velocity, force] = free;
  return std::tuple(given, density, mass, fields(velocity), fields(angular_velocity), fields(force));
}
inline auto fields(const ContactSetup& contact) {
  const auto& [friction, restitution] = contact;
  return std::tuple(friction, restitution);
}
inline auto fields(const SolidRegion& solid) {
  return std::tuple(fields(static_cast<const Region&>(solid)), solid.name, fields(solid.color), fields(solid.drive),
                    fields(solid.free), fields(solid.contact));
}

inline auto fields(const GravityChange& change) {
  const auto& [amplitude, oscillation, table, from, until, ramp, given] =
      static_cast<const GravityChangeParts&>(change);
  return std::tuple(change.file, table.count, given, fields(amplitude), fields(oscillation), from, until, ramp);
}

inline auto fields(const BodyForceSetup& force) {
  const auto& [acceleration, across, profile, waves, given] = force;
  return std::tuple(fields(acceleration), across, profile, waves, given);
}

inline auto fields(const DampingZone& zone) {
  const auto& [min, max, strength, outer] = zone;
  return std::tuple(fields(min), fields(max), strength, outer);
}

inline auto fields(const InletSetup& inlet) {
  const auto& [name, fluid, mouth, center, radius, width, height, corners, direction, turn, face, level, mesh, speed,
               rate, table, from, until, ramp, file, rows] = inlet;
  EXPECT_EQ(rows != nullptr, table.count > 0);
  EXPECT_EQ(mesh.region != nullptr, mouth == Mouth::Mesh);
  return std::tuple(mesh.file, mesh.placement, mesh.normal, mesh.near, name, fluid, mouth, fields(center), radius,
                    width, height, corners, fields(direction), turn, face, level, speed, rate, table.count, from, until,
                    ramp, file);
}

inline auto fields(const OutletSetup& outlet) {
  return std::tuple(fields(static_cast<const Region&>(outlet)), outlet.name, outlet.face, outlet.speed, outlet.rate,
                    outlet.from, outlet.until);
}

inline auto fields(const BodySetup& body) {
  return std::tuple(body.fluid, fields(static_cast<const Region&>(body)), fields(body.velocity), fields(body.flow),
                    body.particles.from, body.particles.only, body.filling, body.jitter);
}

inline auto fields(const StartSetup& start) {
  const auto& [equilibration, has_interface, upper, lower, height, amplitude, wavelength, mixed] = start;
  return std::tuple(equilibration, has_interface, upper, lower, height, amplitude, wavelength, mixed);
}

inline auto fields(const WcsphSetup& setup) {
  const auto& [kernel, density, sound, tait, viscosity, negative, rate, time, scheme, error, step_error, iterations,
               walls, velocity, model, tension, shifting] = setup;
  std::vector<decltype(fields(Vec3{}))> faces;
  for (const auto& axis : velocity)
    for (const Vec3& face : axis) faces.push_back(fields(face));
  return std::tuple(kernel, density, sound, tait, viscosity, negative, rate, time, scheme, error, step_error,
                    iterations, walls, faces, model, fields(tension), shifting);
}

inline auto fields(const PbfSetup& setup) {
  const auto& [kernel, iterations, relaxation, negative, pressure, power, distance, xsph, vorticity, margin] = setup;
  return std::tuple(kernel, iterations, relaxation, negative, pressure, power, distance, xsph, vorticity, margin);
}

inline auto fields(const DfsphSetup& setup) {
  const auto& [density, largest, divergence, iterations, divergence_free] = setup;
  return std::tuple(density, largest, divergence, iterations, divergence_free);
}

inline auto fields(const DpdSetup& setup) {
  const auto& [temperature, cutoff, repulsion, friction, noise, integrator, lambda, random, stream_start] = setup;
  return std::tuple(temperature, cutoff, fields(repulsion), fields(friction), fields(noise), integrator, lambda, random,
                    stream_start);
}

inline auto fields(const StepSetup& step) {
  const auto& [fixed, cfl, max] = step;
  return std::tuple(fixed, cfl, max);
}

inline auto fields(const NeighborSetup& setup) {
  const auto& [method, skin, ratio, count, table, insertion, structure, sections] =
      static_cast<const MethodSettings&>(setup);
  return std::tuple(method, setup.automatic, skin, ratio, count.x, count.y, count.z, table, insertion, structure,
                    sections);
}

inline auto fields(const ProbeSetup& probe) {
  const auto& [name, kind, at, to, side, other_side, points, quantities, fit] = probe;
  return std::tuple(name, kind, fields(at), fields(to), fields(side), fields(other_side), points[0], points[1],
                    quantities, fit);
}

inline auto fields(const scenes::RunSetup& run) {
  const auto& [pace, end, frames, scale, probe_interval] = run;
  return std::tuple(pace, end, frames, scale, probe_interval);
}

inline auto fields(const Camera& camera) {
  const auto& [position, target, up, fov, orthographic, height] = camera;
  return std::tuple(fields(position), fields(target), fields(up), fov, orthographic, height);
}

inline auto fields(const scenes::CutSetup& cut) {
  const auto& [axis, at, other_side] = cut;
  return std::tuple(axis, at, other_side);
}

inline auto fields(const scenes::PictureSetup& picture) {
  const auto& [width, height, given, camera, aspect, from, look, color_by, colormap, automatic, min, max, scale,
               quality, foam, cut, background, studio, transparent, floor, legend, caption, box, solids] = picture;
  return std::tuple(width, height, given, fields(camera), aspect, from, look, color_by, colormap, automatic, min, max,
                    scale, quality, foam, fields(cut), background ? std::optional(fields(*background)) : std::nullopt,
                    studio, transparent, floor, legend, caption, box, solids);
}

inline void expect_same_setup(const SimulationSetup& setup_a, const SimulationSetup& setup_b) {
  const auto& [domain_a, g_a, change_a, force_a, tank_a, spacing_a, support_a, fluids_a, bodies_a, regions_a, joints_a,
               damping_a, inlets_a, outlets_a, most_a, start_a, solver_a, wcsph_a, pbf_a, dfsph_a, dpd_a, step_a,
               neighbors_a, deterministic_a, seed_a, face_forces_a, solids_a] = setup_a;
  const auto& [domain_b, g_b, change_b, force_b, tank_b, spacing_b, support_b, fluids_b, bodies_b, regions_b, joints_b,
               damping_b, inlets_b, outlets_b, most_b, start_b, solver_b, wcsph_b, pbf_b, dfsph_b, dpd_b, step_b,
               neighbors_b, deterministic_b, seed_b, face_forces_b, solids_b] = setup_b;
  EXPECT_EQ(fields(domain_a), fields(domain_b));
  EXPECT_EQ(std::tuple(fields(g_a), spacing_a, support_a, solver_a, deterministic_a, seed_a),
            std::tuple(fields(g_b), spacing_b, support_b, solver_b, deterministic_b, seed_b));
  EXPECT_EQ(fields(change_a), fields(change_b));
  EXPECT_EQ(fields(force_a), fields(force_b));
  EXPECT_EQ(fields(tank_a), fields(tank_b));
  EXPECT_EQ(face_forces_a, face_forces_b);
  EXPECT_EQ(solids_a.size(), solids_b.size());  // a scene has none
  EXPECT_EQ(fields(start_a), fields(start_b));
  EXPECT_EQ(fields(wcsph_a), fields(wcsph_b));
  EXPECT_EQ(fields(pbf_a), fields(pbf_b));
  EXPECT_EQ(fields(dfsph_a), fields(dfsph_b));
  EXPECT_EQ(fields(dpd_a), fields(dpd_b));
  EXPECT_EQ(fields(step_a), fields(step_b));
  EXPECT_EQ(fields(neighbors_a), fields(neighbors_b));
  ASSERT_EQ(fluids_a.size(), fluids_b.size());
  for (std::size_t i = 0; i < fluids_a.size(); ++i) EXPECT_EQ(fields(fluids_a[i]), fields(fluids_b[i]));
  ASSERT_EQ(bodies_a.size(), bodies_b.size());
  for (std::size_t i = 0; i < bodies_a.size(); ++i) EXPECT_EQ(fields(bodies_a[i]), fields(bodies_b[i]));
  ASSERT_EQ(damping_a.size(), damping_b.size());
  for (std::size_t i = 0; i < damping_a.size(); ++i) EXPECT_EQ(fields(damping_a[i]), fields(damping_b[i]));
  EXPECT_EQ(joints_a, joints_b);
  EXPECT_EQ(most_a, most_b);
  ASSERT_EQ(inlets_a.size(), inlets_b.size());
  for (std::size_t i = 0; i < inlets_a.size(); ++i) EXPECT_EQ(fields(inlets_a[i]), fields(inlets_b[i]));
  ASSERT_EQ(outlets_a.size(), outlets_b.size());
  for (std::size_t i = 0; i < outlets_a.size(); ++i) EXPECT_EQ(fields(outlets_a[i]), fields(outlets_b[i]));
  ASSERT_EQ(regions_a.size(), regions_b.size());
  for (std::size_t i = 0; i < regions_a.size(); ++i) EXPECT_EQ(fields(regions_a[i]), fields(regions_b[i]));
}

/// The places that the events have in a file are not compared.
inline void expect_same_event(const scenes::SceneEvent& a, const scenes::SceneEvent& b) {
  const auto& [step_a, set_a, live_a, search_a, changes_a, after_a, where_a] = a;
  const auto& [step_b, set_b, live_b, search_b, changes_b, after_b, where_b] = b;
  EXPECT_EQ(step_a, step_b);
  EXPECT_EQ(set_a, set_b);
  EXPECT_EQ(live_a, live_b);
  EXPECT_EQ(search_a, search_b);
  EXPECT_EQ(changes_a, changes_b);
  (void)where_a, (void)where_b;
  expect_same_setup(*after_a, *after_b);
}

/// The scene's origin and the places that its warnings and events name are not compared.
inline void expect_same_scene(const scenes::Scene& a, const scenes::Scene& b) {
  const auto& [path_a, is_new_a, inputs_a, name_a, description_a, setup_a, probes_a, events_a, run_a, picture_a,
               warnings_a, idle_a] = a;
  const auto& [path_b, is_new_b, inputs_b, name_b, description_b, setup_b, probes_b, events_b, run_b, picture_b,
               warnings_b, idle_b] = b;
  EXPECT_EQ(inputs_a, inputs_b);
  EXPECT_EQ(name_a, name_b);
  EXPECT_EQ(description_a, description_b);
  EXPECT_EQ(fields(run_a), fields(run_b));
  EXPECT_EQ(fields(picture_a), fields(picture_b));
  EXPECT_EQ(warnings_a.size(), warnings_b.size());
  EXPECT_EQ(idle_a.size(), idle_b.size());
  ASSERT_EQ(probes_a.size(), probes_b.size());
  for (std::size_t i = 0; i < probes_a.size(); ++i) EXPECT_EQ(fields(probes_a[i]), fields(probes_b[i]));
  expect_same_setup(setup_a, setup_b);
  ASSERT_EQ(events_a.size(), events_b.size());
  for (std::size_t i = 0; i < events_a.size(); ++i) expect_same_event(events_a[i], events_b[i]);
}

}  // namespace riffle
