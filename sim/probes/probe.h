#pragma once
/// Probes: places of a scene where a run measures the fluid. They do not affect the run.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/words.h"
#include "sim/measure/quantity.h"
#include "sim/setup.h"

namespace riffle {

enum class ProbeKind {
  Point,  ///< quantities at a place
  Line,   ///< at places evenly along a line
  Plane,  ///< at places evenly over a parallelogram
  Level,  ///< where the fluid's surface is along a line
  Flow,   ///< volume through a parallelogram per time; in 2-D through a line
};

enum class ProbeFit { Shepard, Linear };
inline constexpr Word<ProbeFit> kProbeFitWords[] = {
    {ProbeFit::Shepard, "shepard",
     "the mean over the particles within the support radius, weighted by the kernel (Shepard 1968); beside a wall it "
     "is "
     "that of a place about a third of the support radius off the wall"},
    {ProbeFit::Linear, "linear",
     "the linear function that fits the particles within the support radius best, with the same weights; exact for "
     "linear fields, beside walls too, and more sensitive to noise. Where the particles lie on a line or a plane it is "
     "`shepard`"},
};
constexpr std::span<const Word<ProbeFit>> words_of(ProbeFit) { return kProbeFitWords; }

inline constexpr int kMostProbeQuantities = 8;    ///< of one probe
inline constexpr int kMostProbeColumns = 4096;    ///< of a scene
inline constexpr int kMostProbePlaces = 200'000;  ///< of a scene, those along levels and over flows included

struct ProbeSetup {
  std::string name = {};  ///< "": "probe_1" and so on, see probe_name()
  ProbeKind kind = ProbeKind::Point;
  Vec3 at{};                              ///< [m] the point; the line's first end; the parallelogram's corner
  Vec3 to{};                              ///< [m] the line's other end
  Vec3 side{}, other_side{};              ///< [m] from the corner to its two neighbours; in 2-D there is only the first
  int points[2] = {11, 11};               ///< of a line; of a plane along its sides
  std::vector<Quantity> quantities = {};  ///< empty: pressure and velocity
  ProbeFit fit = ProbeFit::Shepard;

  friend bool operator==(const ProbeSetup&, const ProbeSetup&) = default;
};

/// "gauge", or "probe_2" for the second if it has no name.
std::string probe_name(std::span<const ProbeSetup> probes, std::size_t probe);

/// Names that would make columns of probes out of other columns of the diagnostics: "density_error_mean".
inline constexpr std::string_view kReservedProbeNames[] = {"error_mean", "error_max"};

/// Quantities that probes measure: those that follow from a particle alone and have a mean.
std::span<const Quantity> probed_quantities();

/// Those of that probe which particles of such a simulation have.
std::vector<Quantity> measured_quantities(const ProbeSetup& probe, const SimulationSetup& setup);

/// Where a plane and a flow have their positive side: side x other_side, of length 1; in 2-D other_side is z.
Vec3 positive_direction(const ProbeSetup& probe, int dimension);

inline constexpr std::string_view kProbe = "PROBE";  ///< in the names of columns

/// A number of a row.
struct ProbeColumn {
  std::size_t probe;
  std::string_view kind;  ///< "pressure_PROBE", the name among the columns of the diagnostics
  std::string label;      ///< in place of PROBE: "P1"; "profile_3" for the third point of a line
};

std::string probe_column_name(const ProbeColumn& column);  ///< "pressure_P1"

/// In the order of the probes, their points and their quantities.
std::vector<ProbeColumn> probe_columns(std::span<const ProbeSetup> probes, const SimulationSetup& setup);

}  // namespace riffle
