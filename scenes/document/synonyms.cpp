#include "scenes/document/synonyms.h"

#include <algorithm>
#include <cctype>

#include "scenes/document/other_solvers.h"
#include "scenes/format/format.h"

namespace riffle::scenes {

namespace {

constexpr std::string_view kKinematic = "the kinematic one, which is the dynamic one over the density",
                           kInSpacings = "the support radius in particle spacings";

/// A name with several keys has a row for each; the first that is allowed at the place counts.
constexpr Synonym kSynonyms[] = {
    {"a", "repulsion"},
    {"a_ij", "repulsion"},
    {"aij", "repulsion"},
    {"conservative", "repulsion"},
    {"gamma", "friction"},
    {"drag", "friction"},
    {"dissipation", "friction"},
    {"sigma", "noise"},
    {"sigma", "surface_tension"},
    {"kt", "temperature"},
    {"kbt", "temperature"},
    {"k_b_t", "temperature"},
    {"t", "temperature"},
    {"rc", "cutoff"},
    {"r_c", "cutoff"},
    {"cutoff_radius", "cutoff"},
    {"dt", "step"},
    {"delta_t", "step"},
    {"time_step", "step"},
    {"timestep", "step"},
    {"dt_max", "max_step"},
    {"max_dt", "max_step"},
    {"courant", "cfl"},
    {"duration", "end"},
    {"end_time", "end"},
    {"t_end", "end"},
    {"tend", "end"},
    {"t_max", "end"},
    {"nu", "viscosity"},
    {"mu", "viscosity", kKinematic},
    {"eta", "viscosity", kKinematic},
    {"kinematic_viscosity", "viscosity"},
    {"dynamic_viscosity", "viscosity", kKinematic},
    {"rho", "rest_density"},
    {"rho0", "rest_density"},
    {"rho_0", "rest_density"},
    {"dx", "spacing"},
    {"dp", "spacing"},
    {"particle_spacing", "spacing"},
    {"particle_size", "spacing"},
    {"resolution", "spacing"},
    {"n", "number_density"},
    {"h", "support_ratio", kInSpacings},
    {"smoothing_length", "support_ratio", kInSpacings},
    {"c0", "speed_of_sound"},
    {"c_0", "speed_of_sound"},
    {"sound_speed", "speed_of_sound"},
    {"alpha", "artificial_viscosity"},
    {"fraction", "share"},
    {"concentration", "share"},
    {"g", "gravity"},
    {"gravity_over_time", "gravity_change"},
    {"varying_gravity", "gravity_change"},
    {"gravity_table", "gravity_change"},
    {"force", "body_force"},
    {"forcing", "body_force"},
    {"driving_force", "body_force"},
    {"external_force", "body_force"},
    {"volume_force", "body_force"},
    {"wall_forces", "face_forces"},
    {"wall_force", "face_forces"},
    {"boundary_forces", "face_forces"},
    {"kolmogorov", "body_force"},
    {"dim", "dimension"},
    {"dims", "dimension"},
    {"ndim", "dimension"},
    {"periodic", "axes"},
    {"boundary_conditions", "axes"},
    {"solid", "solids"},
    {"pill", "capsule"},
    {"spherocylinder", "capsule"},
    {"rod", "capsule"},
    {"half_space", "plane"},
    {"halfspace", "plane"},
    {"slope", "plane"},
    {"incline", "plane"},
    {"floor", "plane"},
    {"union", "with"},
    {"unite", "with"},
    {"plus", "with"},
    {"and", "with"},
    {"difference", "without"},
    {"minus", "without"},
    {"subtract", "without"},
    {"except", "without"},
    {"obstacle", "solids"},
    {"piston", "solids"},
    {"paddle", "solids"},
    {"probe", "probes"},
    {"gauge", "probes"},
    {"gauges", "probes"},
    {"sensor", "probes"},
    {"sensors", "probes"},
    {"monitor", "probes"},
    {"monitors", "probes"},
    {"inlet", "inlets"},
    {"inflow", "inlets"},
    {"emitter", "inlets"},
    {"emitters", "inlets"},
    {"source", "inlets"},
    {"sources", "inlets"},
    {"tap", "inlets"},
    {"nozzle", "inlets"},
    {"jet", "inlets"},
    {"pump", "inlets"},
    {"outlet", "outlets"},
    {"outflow", "outlets"},
    {"sink", "outlets"},
    {"sinks", "outlets"},
    {"drain", "outlets"},
    {"drains", "outlets"},
    {"kill_zone", "outlets"},
    {"kill_zones", "outlets"},
    {"max_particles", "limit"},
    {"joint", "joints"},
    {"hinges", "joints"},
    {"hinge", "joints"},
    {"constraints", "joints"},
    {"springs", "joints"},
    {"motors", "joints"},
    {"motor", "motor_speed"},
    {"damping_zone", "damping"},
    {"damping_zones", "damping"},
    {"sponge", "damping"},
    {"sponge_layer", "damping"},
    {"wavemaker", "wave"},
    {"waves", "wave"},
    {"moving", "motion"},
    {"movement", "motion"},
    {"obstacles", "solids"},
    {"boundary", "solids"},
    {"boundaries", "solids"},
    {"boundary", "axes"},
    {"boundaries", "axes"},
    {"fps", "frames_per_second"},
    {"random_seed", "seed"},
};

}  // namespace

std::span<const Synonym> synonyms() { return kSynonyms; }

std::string key_meant_by(std::string_view unknown, const std::vector<std::string>& here,
                         std::optional<SolverKind> solver) {
  std::string name(unknown);
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto said = [](const std::string& key, std::string_view note) {
    return "'" + key + "'" + (note.empty() ? "" : " (" + std::string(note) + ")");
  };
  std::string elsewhere;
  for (const Synonym& row : kSynonyms) {
    if (row.name != name) continue;
    if (std::find(here.begin(), here.end(), row.key) != here.end()) return said(std::string(row.key), row.note);
    if (!elsewhere.empty()) continue;
    for (const std::string& path : all_key_paths())
      if ((path == row.key || path.ends_with("." + std::string(row.key))) && (!solver || path_suits(path, *solver))) {
        elsewhere = said(path, row.note);
        break;
      }
  }
  return elsewhere;
}

}  // namespace riffle::scenes
