#include "scenes/solver_scene.h"

#include <stdexcept>
#include <string>

namespace riffle::scenes {

SolverScene solver_scene(SolverKind kind) {
  for (const auto row : kSolverScenes)
    if (row().kind == kind) return row();
  throw std::logic_error(std::string("scenes/solvers has no row for the solver ") + to_string(kind));
}

}  // namespace riffle::scenes
