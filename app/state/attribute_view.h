#pragma once
/// Attributes of particles where they lie in the host's memory, for files.

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/math/vec.h"
#include "sim/particle_set.h"
#include "sim/state.h"

namespace riffle {

struct AttributeView {
  std::string name;
  std::variant<std::span<const float>, std::span<const Vec4>, std::span<const std::uint32_t>> values;

  bool is_vector() const { return std::holds_alternative<std::span<const Vec4>>(values); }
};

/// Of a state, while it lives.
std::vector<AttributeView> views_of(const SimulationState& state);

/// Of a simulation on the CPU, until its next step.
std::vector<AttributeView> views_of(const ParticleSet& particles);

}  // namespace riffle
