#include "validation/validation_case.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "core/timing/seconds_since.h"

namespace riffle {

bool CaseResult::passed() const {
  return !checks.empty() && std::all_of(checks.begin(), checks.end(), [](const Check& c) { return c.passed(); });
}

Check CaseContext::of_these_physics(Check check) const {
  if (check.rule == Rule::Figure || !other_physics || other_physics->empty()) return check;
  const std::string reference = check.source.empty() ? "" : " (" + check.source + ")";
  return check.not_judged("not judged: --set changed " + *other_physics +
                          ", and the reference is of the case without that" + reference);
}

CaseBounds& CaseContext::bounds_of_case() const {
  if (!bounds) throw std::logic_error("a case checks figures only within run_case()");
  return *bounds;
}

void CaseContext::progress(double fraction, const std::string& what) const {
  if (on_progress) on_progress(fraction, what);
}

CaseContext CaseContext::part(double begin, double end) const {
  CaseContext context = *this;
  if (on_progress)
    context.on_progress = [outer = on_progress, begin, end](double fraction, const std::string& what) {
      outer(begin + std::clamp(fraction, 0.0, 1.0) * (end - begin), what);
    };
  return context;
}

CaseResult run_case(const ValidationCase& which, const CaseContext& context) {
  const auto begin = std::chrono::steady_clock::now();
  CaseContext own = context;
  own.bounds = std::make_shared<CaseBounds>(
      read_allowed_values(find_reference("allowed.csv", context.reference_folder)), which.name, context.size);
  CaseResult result = which.run(own);
  result.unused_bounds = own.bounds->unused();
  result.seconds = seconds_since(begin);
  return result;
}

}  // namespace riffle
