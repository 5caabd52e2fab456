#pragma once
/// One review per subject: each adds what it finds, and none depends on the order of the others unless it says so.
/// What a review needs intact it asks itself.

#include <optional>
#include <string>

#include "scenes/review/findings.h"

namespace riffle::scenes {

/// Extents of the domain; zeroes the third components of a 2-D scene.
void review_domain(SceneDraft& draft, Findings& out);

/// The spacing, which may follow from a number density, against the domain.
void review_resolution(SceneDraft& draft, Findings& out);

/// Names of the fluids; a scene without fluids gets one.
void review_fluids(SceneDraft& draft, Findings& out);

/// A liquid as thin as a gas, of which the density is meant in another unit.
void warn_of_thin_liquid(const SimulationSetup& setup, Findings& out);

/// The state at time 0; fills SimulationSetup::start from the draft. After review_fluids().
void review_start(SceneDraft& draft, Findings& out);

/// Bodies outside the domain, empty or overlapping; fills their fluids from the draft. After review_start().
void review_bodies(SceneDraft& draft, Findings& out);

/// Solids outside the domain, empty or thin; where they overlap each other and bodies. After review_bodies().
void review_solids(SceneDraft& draft, Findings& out);
/// Reads the tables of motions and of gravity. Before what asks how solids move.
void review_motion_tables(SceneDraft& draft, Findings& out);
/// Fills the sway or the rotation of solids that make waves. Before what asks how solids move.
void review_wavemakers(SceneDraft& draft, Findings& out);
/// Depths and wavelengths that waves are given, against the water and the tank. After review_wavemakers() and review_bodies().
void review_water_depths(const SceneDraft& draft, Findings& out);
/// The motions of driven solids: those that cannot be, and where they lead to until the scene ends. After review_time().
void review_solid_motion(SceneDraft& draft, Findings& out);

/// Solids that forces move. After review_time().
void review_free_bodies(const SceneDraft& draft, Findings& out);

/// Gravity over time and the motion of the domain. After review_time().
void review_moving_tank(const SceneDraft& draft, Findings& out);
void review_body_force(const SceneDraft& draft, Findings& out);
/// Refuses `key` where gravity with all that changes it is too strong. @return false when it was refused
bool review_apparent_gravity(const SimulationSetup& setup, const char* key, Findings& out);

/// Joints of what is not there, and keys of other kinds of joints. After review_free_bodies().
void review_joints(const SceneDraft& draft, Findings& out);

/// Damping zones turned inside out or outside the domain.
void review_damping_zones(const SceneDraft& draft, Findings& out);

/// Inlets whose nozzles have no room, and outlets. After review_solids() and review_time().
void review_openings(SceneDraft& draft, Findings& out);
/// The fluids of inlets by their names. After review_fluids().
void review_inlet_fluids(SceneDraft& draft, Findings& out);

/// Probes outside the domain or in solids, and what they cannot measure. After review_solids().
void review_probes(SceneDraft& draft, Findings& out);

void review_neighbors(const SceneDraft& draft, Findings& out);
void review_time(const SceneDraft& draft, Findings& out);

/// A run of so many steps that it would hardly end. After all that can be refused.
void review_duration(const Scene& scene, Findings& out);

/// Colours and camera; a 2-D scene gets an orthographic camera.
/// Faces that move along themselves, and the damping at the start: of solvers with SolverInfo::walls_drag and sph_forces.
void review_faces(SimulationSetup& setup, Findings& out);
/// Kernels of which the gradient is not the derivative are for `pbf` alone.
void review_kernel(const SimulationSetup& setup, Findings& out);
void review_damping(const WcsphSetup& wcsph, Findings& out);
/// Settings of implicit viscosity where it is explicit. Only where nothing it depends on was refused.
void review_viscosity(const SimulationSetup& setup, Findings& out);

/// Fills the matrix of surface tensions; of solvers with SolverInfo::surface_tension. @return false when it was refused
bool review_tension(SceneDraft& draft, Findings& out);
/// Where pressure may or may not pull at a free surface. Only where nothing it depends on was refused, as the next one.
void review_negative_pressure(const SimulationSetup& setup, Findings& out);
/// The support radius that particle shifting wants.
void review_shifting(const SimulationSetup& setup, Findings& out);

void review_picture(SceneDraft& draft, Findings& out);

/// Shared by several reviews.

/// Sizes and places of a shape, whatever it is for: boxes turned inside out, polygons whose edges cross.
/// @return false when it was refused
bool review_shape(const SimulationSetup& setup, const PlainShape& shape, const std::string& key, Findings& out);

/// What holds a region: it says what a plane may be.
enum class RegionOf { Body, Solid, Outlet };

/// A region's shape, those of `with`, and those that are taken away. A shape that is none, of a body of particles from a file,
/// is not looked at. @return false when one was refused
bool review_region(const SimulationSetup& setup, const Region& region, const std::string& key, RegionOf owner,
                   Findings& out, bool has_shape = true);

/// The values of a motion, whatever it moves. @return false when one was refused
bool review_drive(const SimulationSetup& setup, const SolidDrive& drive, const std::string& key, Findings& out);

/// Reads the file of a body's particles. @return false when that was refused
bool read_particles(SceneDraft& draft, std::size_t body, const std::string& key, Findings& out);

/// Reads the mesh of a solid from its file. @return false when that was refused
bool read_mesh(SceneDraft& draft, std::size_t solid, const std::string& key, Findings& out);

/// What is doubtful about a mesh that lies in the domain: too thin, open, coarse. @return false when it was refused
bool review_mesh(const SimulationSetup& setup, std::size_t solid, const std::string& key, Findings& out);

/// Makes the body the box of the domain up to the level. @return false when that was refused
bool fill_to_level(SimulationSetup& setup, std::size_t body, float level, const std::string& key, Findings& out);

/// The index of a fluid; nothing, and refused under `key`, where no fluid has this name.
std::optional<int> find_fluid(const SimulationSetup& setup, const std::string& name, const std::string& key,
                              Findings& out);
std::string fluid_names(const SimulationSetup& setup);  ///< "water, oil"

/// Gravity along a periodic axis. @param consequence  of the solver, appended to the warning
void warn_of_endless_fall(const SimulationSetup& setup, const char* consequence, Findings& out);

/// The setup without what it contains: its domain, solver and spacing. Counting one body needs no copy of all the others.
SimulationSetup without_contents(const SimulationSetup& setup);

/// Particles of files that are within a part of the spacing of each other. Remembers what it found last: an edit that
/// leaves the particles alone costs nothing. After review_bodies(). @param consequence  of the solver
void warn_of_close_particles(const SimulationSetup& setup, float part, const char* consequence, Findings& out);

/// Bodies that fill a periodic axis whose length is no multiple of the spacing.
/// @param bodies  indices of those that are sound
void warn_of_seams(const SimulationSetup& setup, const std::vector<std::size_t>& bodies, Findings& out);

/// Bodies of a thermal fluid whose lattice has another number of sites than the number density asks for. @param bodies  likewise
void warn_of_lattice_densities(const SimulationSetup& setup, const std::vector<std::size_t>& bodies, Findings& out);

/// Gravity that points away from the floor that all the fluid lies on. Only for scenes in which nothing was refused.
void warn_of_fall_upwards(const SimulationSetup& setup, Findings& out);

/// A support radius that is unusual for SPH kernels.
void warn_of_support_ratio(const SimulationSetup& setup, Findings& out);

}  // namespace riffle::scenes
