#include <algorithm>

#include "scenes/document/key_path.h"
#include "scenes/review/subjects.h"

namespace riffle::scenes {

namespace {

void review_keys(const Record& record, const std::string& path, SolverKind solver, Findings& out) {
  for (const Key& key : record.keys) {
    const std::string inner = child_path(path, key.name);
    if (!out.given(inner)) continue;
    if (!key.suits(solver)) {
      std::string names;
      for (const SolverKind other : key.solvers) names += (names.empty() ? "" : " or ") + std::string(to_string(other));
      out.refuse(inner, std::string("means nothing with solver.type ") + to_string(solver) + "; allowed with " + names);
      continue;
    }
    for (const Form& form : key.forms) {
      if (form.kind == Form::Kind::Map) review_keys(*form.record, inner, solver, out);
      if (form.kind != Form::Kind::List) continue;
      std::string item = inner + "[0]";
      for (int i = 0; out.given(item); item = inner + "[" + std::to_string(++i) + "]")
        review_keys(*form.record, item, solver, out);
    }
  }
}

}  // namespace

void review_solver_keys(const SceneDraft& draft, Findings& out) {
  if (out.intact({"solver"})) review_keys(scene_format(), "", draft.scene.simulation.solver, out);
}

}  // namespace riffle::scenes
