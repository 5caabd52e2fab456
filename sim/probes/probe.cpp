#include "sim/probes/probe.h"

#include <array>
#include <cmath>

#include "core/math/cross_product.h"

namespace riffle {

namespace {

struct ProbedQuantity {
  Quantity quantity;
  std::string_view column;
};

constexpr std::array kProbed = {
    ProbedQuantity{Quantity::Pressure, "pressure_PROBE"},
    ProbedQuantity{Quantity::VelocityX, "velocity_x_PROBE"},
    ProbedQuantity{Quantity::VelocityY, "velocity_y_PROBE"},
    ProbedQuantity{Quantity::VelocityZ, "velocity_z_PROBE"},
    ProbedQuantity{Quantity::Speed, "speed_PROBE"},
    ProbedQuantity{Quantity::Density, "density_PROBE"},
    ProbedQuantity{Quantity::Compression, "compression_PROBE"},
};

constexpr std::array<Quantity, kProbed.size()> kQuantities = [] {
  std::array<Quantity, kProbed.size()> all{};
  for (std::size_t k = 0; k < kProbed.size(); ++k) all[k] = kProbed[k].quantity;
  return all;
}();

std::string_view column_of(Quantity quantity) {
  for (const ProbedQuantity& row : kProbed)
    if (row.quantity == quantity) return row.column;
  return {};
}

/// Where a probe names none.
constexpr Quantity kUsual[] = {Quantity::Pressure, Quantity::VelocityX, Quantity::VelocityY, Quantity::VelocityZ};

}  // namespace

std::string probe_name(std::span<const ProbeSetup> probes, std::size_t probe) {
  return probes[probe].name.empty() ? "probe_" + std::to_string(probe + 1) : probes[probe].name;
}

std::span<const Quantity> probed_quantities() { return kQuantities; }

std::vector<Quantity> measured_quantities(const ProbeSetup& probe, const SimulationSetup& setup) {
  std::vector<Quantity> measured;
  if (probe.kind == ProbeKind::Level || probe.kind == ProbeKind::Flow) return measured;
  const std::span<const Quantity> wanted =
      probe.quantities.empty() ? std::span<const Quantity>(kUsual) : std::span<const Quantity>(probe.quantities);
  for (const Quantity quantity : wanted)
    if (quantity_info(quantity).lacking(setup).empty()) measured.push_back(quantity);
  return measured;
}

Vec3 positive_direction(const ProbeSetup& probe, int dimension) {
  const Vec3 n = cross_product(probe.side, dimension == 2 ? Vec3{0, 0, 1} : probe.other_side);
  const float length = std::sqrt(length2(n));
  return length > 0 ? (1 / length) * n : Vec3{0, 0, 0};
}

std::string probe_column_name(const ProbeColumn& column) {
  return std::string(column.kind.substr(0, column.kind.size() - kProbe.size())) + column.label;
}

std::vector<ProbeColumn> probe_columns(std::span<const ProbeSetup> probes, const SimulationSetup& setup) {
  std::vector<ProbeColumn> columns;
  for (std::size_t p = 0; p < probes.size(); ++p) {
    const ProbeSetup& probe = probes[p];
    const std::string name = probe_name(probes, p);
    const auto add_quantities = [&](const std::string& label) {
      for (const Quantity quantity : measured_quantities(probe, setup))
        columns.push_back({p, column_of(quantity), label});
    };
    switch (probe.kind) {
      case ProbeKind::Point: add_quantities(name); break;
      case ProbeKind::Line:
      case ProbeKind::Plane: {
        const bool flat = probe.kind == ProbeKind::Line || setup.domain.dimension == 2;
        const int count = probe.points[0] * (flat ? 1 : probe.points[1]);
        for (int k = 1; k <= count; ++k) add_quantities(name + "_" + std::to_string(k));
        break;
      }
      case ProbeKind::Level:
        columns.push_back({p, "level_PROBE", name});
        columns.push_back({p, "wetted_PROBE", name});
        break;
      case ProbeKind::Flow: columns.push_back({p, "flow_PROBE", name}); break;
    }
  }
  return columns;
}

}  // namespace riffle
