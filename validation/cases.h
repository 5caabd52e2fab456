#pragma once
/// The cases, one function and one file each; cases.cpp lists them.

#include "validation/validation_case.h"

namespace riffle {

ValidationCase hydrostatic_case();
ValidationCase tank_at_rest_case();
ValidationCase tank_at_rest_dfsph_case();
ValidationCase dam_break_case();
ValidationCase dam_break_pbf_case();
ValidationCase dam_break_dfsph_case();
ValidationCase poiseuille_case();
ValidationCase couette_case();
ValidationCase free_slip_channel_case();
ValidationCase taylor_green_case();
ValidationCase taylor_green_dfsph_case();
ValidationCase two_layer_tank_case();
ValidationCase two_layer_tank_dfsph_case();
ValidationCase archimedes_case();
ValidationCase wave_obstacle_case();
ValidationCase wavemaker_case();
ValidationCase sloshing_case();
ValidationCase elliptical_drop_case();
ValidationCase elliptical_drop_dfsph_case();
ValidationCase oscillating_drop_case();
ValidationCase oscillating_drop_dfsph_case();
ValidationCase standing_wave_case();
ValidationCase standing_wave_dfsph_case();
ValidationCase capillary_drop_case();
ValidationCase dpd_equilibrium_case();
ValidationCase dpd_viscosity_case();
ValidationCase dpd_couette_case();
ValidationCase dpd_phase_separation_case();
ValidationCase dpd_phase_separation_variants_case();
ValidationCase dpd_rayleigh_taylor_case();
ValidationCase dpd_rayleigh_taylor_variants_case();
ValidationCase rozen_phase_separation_case();
ValidationCase rozen_rayleigh_taylor_case();
ValidationCase rayleigh_taylor_sph_case();
ValidationCase rayleigh_taylor_pbf_case();
ValidationCase rayleigh_taylor_dfsph_case();
ValidationCase rayleigh_taylor_theory_case();
ValidationCase neutral_body_case();
ValidationCase settling_sphere_case();
ValidationCase turning_blob_case();
ValidationCase floating_prism_case();

}  // namespace riffle
