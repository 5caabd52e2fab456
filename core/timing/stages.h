#pragma once
/// The stages of a step: one row for each name that solvers and searches give to StageTimer::scope().

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace riffle {

/// What a stage's time counts as.
enum class StagePart {
  Search,     ///< neighbours are prepared or found
  Traversal,  ///< neighbours are visited: traversal and physics are one kernel
  Other
};

struct StageInfo {
  std::string_view name;
  StagePart part;
  std::uint32_t rgb;  ///< sRGB, 0xrrggbb: wherever stages are drawn
  const char* tip;    ///< for people: what is done in it
};

/// In the order of a step, solver by solver. The seven that take most of the time have Okabe and Ito's colours, whose eighth
/// is grey: it is left for what belongs to no stage. The others have hues in two lightnesses.
inline constexpr std::array kStages = {
    // Every solver's.
    StageInfo{"stirring", StagePart::Other, 0xd96c7e, "The hand's pull or push on the particles."},
    StageInfo{"damping", StagePart::Other, 0x3526d9, "Velocities in damping zones towards 0."},
    StageInfo{"openings", StagePart::Other, 0x8f7f2f, "Fluid that enters through inlets and leaves through outlets."},
    StageInfo{"apparent gravity", StagePart::Other, 0x2f7f8f,
              "What gravity over time and the tank's motion add to the velocities."},
    StageInfo{"drive solids", StagePart::Other, 0xc3a046, "Driven solids and their particles to where they are now."},
    StageInfo{"build", StagePart::Search, 0x0072b2, "The search's own work: particles into its cells or its tree."},
    StageInfo{"reorder", StagePart::Search, 0xcc79a7,
              "Particles into the search's order, so that neighbours lie next to each other in memory."},
    StageInfo{"list", StagePart::Search, 0xe69f00,
              "Each particle's neighbours written into a list, which the stages below then read."},
    StageInfo{"wall list", StagePart::Search, 0x8ed161,
              "Which particles are beside walls, and the walls' particles near them. The stages of walls read it."},
    StageInfo{"query", StagePart::Traversal, 0x56b4e9,
              "One pass over all neighbours, as the stages of density and forces make it."},
    StageInfo{"time step", StagePart::Other, 0x4d997b, "The fastest particle decides how long the next step may be."},
    // WCSPH.
    StageInfo{
        "density", StagePart::Traversal, 0x009e73,
        "Visits all neighbours. A search that keeps no lists looks for them here, so that a switch of search often "
        "changes this stage most."},
    StageInfo{"wall density", StagePart::Other, 0x6f4d99, "What the particles of the walls add to the density."},
    StageInfo{"pressure", StagePart::Other, 0x99874d, "Pressure from density, by the equation of state."},
    StageInfo{"wall pressure", StagePart::Other, 0x994d7c, "The pressure of the particles of the walls."},
    StageInfo{
        "forces", StagePart::Traversal, 0xd55e00,
        "Visits all neighbours. A search that keeps no lists looks for them here, so that a switch of search often "
        "changes this stage most."},
    StageInfo{"wall forces", StagePart::Other, 0xd06cd9, "The forces of the walls on the particles beside them."},
    StageInfo{"solid forces", StagePart::Other, 0xb98ad9,
              "What the fluid does to each solid, summed over its surface."},
    StageInfo{"surface tension", StagePart::Other, 0x6c6dd9, "Surface normals, and the forces that follow from them."},
    StageInfo{"shifting", StagePart::Other, 0x4d7099, "Small shifts that keep the particles evenly spread."},
    StageInfo{"half step", StagePart::Other, 0xc84646, "Velocities half a step ahead, which change the density."},
    StageInfo{"integrate", StagePart::Other, 0x65994d, "New velocities and positions."},
    StageInfo{"compression", StagePart::Other, 0xa046c3, "The density that each particle carries to the next step."},
    StageInfo{
        "implicit viscosity", StagePart::Traversal, 0x7a8f2e,
        "Iterations for the velocities that viscosity leaves at the end of the step. Each visits all neighbours."},
    // PBF.
    StageInfo{"predict", StagePart::Other, 0xd98d6c,
              "Where the particles would be, or how fast, without the next forces."},
    StageInfo{
        "iterations", StagePart::Traversal, 0xf0e442,
        "Visits all neighbours. A search that keeps no lists looks for them here, so that a switch of search often "
        "changes this stage most."},
    StageInfo{"finish", StagePart::Other, 0x6cd97c, "New velocities from the corrected positions."},
    StageInfo{"viscosity", StagePart::Other, 0xc1d96c,
              "XSPH viscosity and vorticity: velocities follow their neighbours'."},
    // DFSPH.
    StageInfo{"divergence", StagePart::Traversal, 0x8c6cd9,
              "Iterations that take the divergence out of the velocities. Each visits all neighbours twice."},
    StageInfo{
        "incompressibility", StagePart::Traversal, 0x4d8a99,
        "Iterations for the pressure that keeps the density at its rest value. Each visits all neighbours twice."},
    // DPD.
    StageInfo{"drift", StagePart::Other, 0x6cd1d9, "New positions from the velocities."},
};

/// The index of a stage in kStages; kStages.size() where no solver or search has a stage of that name.
constexpr std::size_t stage_index(std::string_view name) {
  std::size_t index = 0;
  while (index < kStages.size() && kStages[index].name != name) ++index;
  return index;
}

/// A constant, unlike a comparison of find_stage() with nullptr: GCC 12 with sanitizers does not compile that as one.
constexpr bool is_stage(std::string_view name) { return stage_index(name) < kStages.size(); }

/// nullptr where is_stage() is false.
constexpr const StageInfo* find_stage(std::string_view name) {
  return is_stage(name) ? &kStages[stage_index(name)] : nullptr;
}

}  // namespace riffle
