#include <stdexcept>

#include "sim/solver_info.h"

namespace riffle {

namespace wcsph {
extern const SolverInfo kInfo;
}
namespace pbf {
extern const SolverInfo kInfo;
}
namespace dfsph {
extern const SolverInfo kInfo;
}
namespace dpd {
extern const SolverInfo kInfo;
}

namespace {
constexpr const SolverInfo* kSolvers[] = {&wcsph::kInfo, &pbf::kInfo, &dfsph::kInfo, &dpd::kInfo};
}

std::span<const SolverInfo* const> solvers() { return kSolvers; }

const SolverInfo& solver_info(SolverKind kind) {
  for (const SolverInfo* info : kSolvers)
    if (info->kind == kind) return *info;
  throw std::logic_error("a solver without a row in sim/solvers.cpp");
}

std::optional<SolverKind> solver_kind_from(std::string_view name) {
  for (const SolverInfo* info : kSolvers)
    if (info->name == name) return info->kind;
  return std::nullopt;
}

const char* to_string(SolverKind kind) { return solver_info(kind).name; }

}  // namespace riffle
