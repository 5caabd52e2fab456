#pragma once
/// Everything that a scene or a run is warned of: the list of kinds, and one warning.
///
/// To add one: its kind and its row here, and a scene that causes it in tests/scenes/warned_scenes.h.

#include <cstddef>
#include <string>

#include "core/text/words.h"

namespace riffle::scenes {

enum class WarningKind {
  // Of a scene, found when it is read or edited.
  EndlessFall,
  FallUpwards,
  ShortPeriodicAxis,
  PeriodicSeam,
  CoarseCoordinates,
  UnusualSupportRatio,
  BodyPartlyOutside,
  BodiesOverlap,
  BodiesNotCompared,
  UnusedFluid,
  CutBesideBody,
  ThinSolid,
  MeshOpen,
  MeshCoarse,
  SolidsOverlap,
  FluidInSolid,
  SolidFast,
  SolidFastStep,
  SolidLeavesDomain,
  SolidMeetsSolid,
  WaveBreaks,
  WaveDepth,
  WaveDoesNotFit,
  ThinLiquid,
  ThirdNumberIgnored,
  TankJolts,
  ProbeQuantityMissing,
  ProbeKeyUnused,
  CutOutsideDomain,
  CutInTwoDimensions,
  FluidsOfFileAsOne,
  FillingOfFile,
  EquilibrationMovesFile,
  ParticlesTogether,
  SoundOfFile,
  MotionBeginsAgain,
  SkinIsAutomatic,
  InterfaceStep,
  MixedSingleFluid,
  ShareWithoutMixing,
  MaxStepBesideStep,
  CflBesideStep,
  StepBeyondEnd,
  EventsBeyondEnd,
  PaceWithoutEasing,
  ManySteps,
  WcsphStep,
  DfsphStep,
  WallVelocityFreeSlip,
  TensionOfOneFluid,
  TensionInexact,
  TensionAkinci,
  TensionModelUnused,
  DampingRateAlone,
  DampingTimeAlone,
  ViscosityIsExplicit,
  NegativePressureMissing,
  NegativePressureTears,
  ShiftingSupportRatio,
  PbfStepFar,
  PbfStepCompresses,
  PbfViscosity,
  PbfArtificialPressureOff,
  DpdUnits,
  LatticeDensity,
  DpdStep,
  DpdNoise,
  DpdWithoutThermostat,
  DpdLambda,
  DpdRandomStream,
  DpdStreamStart,
  ViscosityStep,
  BodyForceAlongAxis,
  // Of a run, found while it goes on.
  TooFast,
  Unconverged,
  Compressed,
  BodyLeft,
  Unstable,
  GpuTooSmall,
};

/// The rows say when a warning is given.
inline constexpr Word<WarningKind> kWarningWords[] = {
    {WarningKind::EndlessFall, "endless_fall", "gravity acts along a periodic axis"},
    {WarningKind::FallUpwards, "fall_upwards", "away from the face that the fluid lies on"},
    {WarningKind::ShortPeriodicAxis, "short_periodic_axis", "below three support radii"},
    {WarningKind::PeriodicSeam, "periodic_seam", "a lattice does not fit into a periodic axis"},
    {WarningKind::CoarseCoordinates, "coarse_coordinates", "single precision rounds them by too much"},
    {WarningKind::UnusualSupportRatio, "unusual_support_ratio", "hardly any neighbours, or hundreds"},
    {WarningKind::BodyPartlyOutside, "body_partly_outside", "of the domain"},
    {WarningKind::BodiesOverlap, "bodies_overlap", "both have particles there"},
    {WarningKind::BodiesNotCompared, "bodies_not_compared", "too many places to look for overlaps"},
    {WarningKind::UnusedFluid, "unused_fluid", "no body is made of it"},
    {WarningKind::CutBesideBody, "cut_beside_body", "a shape of `without` lies outside the body or the solid"},
    {WarningKind::ThinSolid, "thin_solid", "below two particle spacings"},
    {WarningKind::MeshOpen, "mesh_open", "a mesh with holes, which are closed"},
    {WarningKind::MeshCoarse, "mesh_coarse", "its distances would need too much memory at the particle spacing"},
    {WarningKind::SolidsOverlap, "solids_overlap", "the first has what is in both"},
    {WarningKind::FluidInSolid, "fluid_in_solid", "most of a body's particles are left out"},
    {WarningKind::SolidFast, "solid_fast", "a driven solid is faster than a tenth of the speed of sound"},
    {WarningKind::SolidFastStep, "solid_fast_step",
     "a driven solid moves by more than a quarter of a spacing per step"},
    {WarningKind::SolidLeavesDomain, "solid_leaves_domain", "a driven solid goes through a walled face"},
    {WarningKind::SolidMeetsSolid, "solid_meets_solid", "a driven solid goes into another one"},
    {WarningKind::WaveBreaks, "wave_breaks", "a wavemaker's waves are higher than waves can be"},
    {WarningKind::WaveDepth, "wave_depth", "a wave's depth is not that of the water"},
    {WarningKind::WaveDoesNotFit, "wave_does_not_fit", "a standing wave does not fit between the walls"},
    {WarningKind::ThinLiquid, "thin_liquid", "the densest fluid is as thin as a gas"},
    {WarningKind::ThirdNumberIgnored, "third_number_ignored", "a 2-D scene has a vector along z"},
    {WarningKind::TankJolts, "tank_jolts", "the domain starts or stops at once"},
    {WarningKind::ProbeQuantityMissing, "probe_quantity_missing", "particles of the solver do not have it"},
    {WarningKind::ProbeKeyUnused, "probe_key_unused", "levels and flows do not take it"},
    {WarningKind::CutOutsideDomain, "cut_outside_domain", "picture.cut leaves out everything, or nothing"},
    {WarningKind::CutInTwoDimensions, "cut_in_two_dimensions", "picture.cut needs a third axis"},
    {WarningKind::FluidsOfFileAsOne, "fluids_of_file_as_one", "a particle file has several"},
    {WarningKind::FillingOfFile, "filling_of_file", "a particle file needs no filling"},
    {WarningKind::EquilibrationMovesFile, "equilibration_moves_file", "particles of a file do not stay where they are"},
    {WarningKind::ParticlesTogether, "particles_together", "particles of a file lie on top of each other"},
    {WarningKind::SoundOfFile, "sound_of_file",
     "the automatic speed of sound is not that of the run that wrote the particles"},
    {WarningKind::MotionBeginsAgain, "motion_begins_again", "particles of a file are of a later time than what moves"},
    {WarningKind::SkinIsAutomatic, "skin_is_automatic", "with neighbors.method auto"},
    {WarningKind::InterfaceStep, "interface_step", "a wave does not fit into a periodic axis"},
    {WarningKind::MixedSingleFluid, "mixed_single_fluid", "start.mixed needs two"},
    {WarningKind::ShareWithoutMixing, "share_without_mixing", "fluids[].share belongs to start.mixed"},
    {WarningKind::MaxStepBesideStep, "max_step_beside_step", "the step is fixed"},
    {WarningKind::CflBesideStep, "cfl_beside_step", "the step is fixed"},
    {WarningKind::StepBeyondEnd, "step_beyond_end", "one step is longer than the run"},
    {WarningKind::EventsBeyondEnd, "events_beyond_end", "fixed steps reach time.end before them"},
    {WarningKind::PaceWithoutEasing, "pace_without_easing", "time.pace real with a solver that cannot be eased"},
    {WarningKind::ManySteps, "many_steps", "the run takes days"},
    {WarningKind::WcsphStep, "wcsph_step", "above the largest advisable one"},
    {WarningKind::DfsphStep, "dfsph_step", "above the largest advisable one"},
    {WarningKind::WallVelocityFreeSlip, "wall_velocity_free_slip", "such walls drag nothing along"},
    {WarningKind::TensionOfOneFluid, "tension_of_one_fluid", "interface_tension needs two"},
    {WarningKind::TensionInexact, "tension_inexact", "interface_tension"},
    {WarningKind::TensionAkinci, "tension_akinci", "its drops creep"},
    {WarningKind::TensionModelUnused, "tension_model_unused", "nothing has surface tension"},
    {WarningKind::DampingRateAlone, "damping_rate_alone", "without damping_time"},
    {WarningKind::DampingTimeAlone, "damping_time_alone", "without damping_rate"},
    {WarningKind::ViscosityIsExplicit, "viscosity_is_explicit", "settings of implicit viscosity mean nothing then"},
    {WarningKind::NegativePressureMissing, "negative_pressure_missing", "a free surface under tension needs it"},
    {WarningKind::NegativePressureTears, "negative_pressure_tears", "at a free surface under gravity"},
    {WarningKind::ShiftingSupportRatio, "shifting_support_ratio", "shifting needs a larger one"},
    {WarningKind::PbfStepFar, "pbf_step_far", "particles go further than they see"},
    {WarningKind::PbfStepCompresses, "pbf_step_compresses", "too long for the iterations"},
    {WarningKind::PbfViscosity, "pbf_viscosity", "fluids[].viscosity means nothing there"},
    {WarningKind::PbfArtificialPressureOff, "pbf_artificial_pressure_off", "its power or distance is given"},
    {WarningKind::DpdUnits, "dpd_units", "the scene looks as if it were in SI units"},
    {WarningKind::LatticeDensity, "lattice_density", "whole numbers of sites make another number density"},
    {WarningKind::DpdStep, "dpd_step", "above the advisable one"},
    {WarningKind::DpdNoise, "dpd_noise", "does not hold the temperature"},
    {WarningKind::DpdWithoutThermostat, "dpd_without_thermostat", "neither friction nor noise"},
    {WarningKind::DpdLambda, "dpd_lambda", "belongs to another integrator"},
    {WarningKind::DpdRandomStream, "dpd_random_stream", "karpinski_stream is for study only"},
    {WarningKind::DpdStreamStart, "dpd_stream_start", "belongs to karpinski_stream"},
    {WarningKind::ViscosityStep, "viscosity_step", "explicit viscosity makes the steps short and many"},
    {WarningKind::BodyForceAlongAxis, "body_force_along_axis", "it compresses the fluid and drives no flow"},
    {WarningKind::TooFast, "too_fast", "above the numerical speed of sound, or its like"},
    {WarningKind::Unconverged, "unconverged", "a pressure or a viscosity that the iterations did not reach"},
    {WarningKind::Compressed, "compressed", "by more than 5 % on average"},
    {WarningKind::BodyLeft, "body_left", "a free solid is beyond an open face of the domain"},
    {WarningKind::Unstable, "unstable", "the run has ended with a fault"},
    {WarningKind::GpuTooSmall, "gpu_too_small", "the run is on the CPU instead"},
};
constexpr std::span<const Word<WarningKind>> words_of(WarningKind) { return kWarningWords; }

/// Something valid that is probably not what was meant, or a run whose result is doubtful.
struct Warning {
  WarningKind kind;
  std::string where;  ///< "file:line:column", "--set key.path", or "" of an edit and of a run
  std::string key;    ///< "bodies[1]"; "" of a run
  std::string text;
  std::size_t last_event = 0;  ///< it is of nothing that holds after more events of the scene than that

  std::string message() const;  ///< one line, as printed
};

/// A key that does nothing in this scene, given or not.
struct IdleKey {
  std::string key;
  std::string text;        ///< why, and what to use instead
  bool by_solver = false;  ///< the solver never uses it, whatever the other keys are
};

}  // namespace riffle::scenes
