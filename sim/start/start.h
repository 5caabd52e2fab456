#pragma once
/// The state at time 0: sampled bodies, equilibrated and given their fluids and velocities as the setup's `start` says.

#include "core/device/device.h"
#include "sim/start/sampling.h"
#include "sim/start_progress.h"

namespace riffle {

/// An equilibration runs a simulation of one fluid on the device, and takes as long.
/// @throws StartGivenUp if the progress returns false
FluidSamples start_samples(const SimulationSetup& setup, const Device& device, const StartProgress& progress = {});

/// Share of the particles that each fluid gets in a mixture: its own, or an equal part of what the others leave.
std::vector<double> mixture_shares(const SimulationSetup& setup);

/// Assigns fluids by height or at random, if setup.start says so.
void assign_fluids(const SimulationSetup& setup, FluidSamples& samples);

/// Adds velocities of a Maxwell distribution of setup.dpd.temperature whose momenta add up to 0.
void add_thermal_velocities(const SimulationSetup& setup, FluidSamples& samples);

}  // namespace riffle
