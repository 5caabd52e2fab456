#include "validation/check.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace riffle {

namespace {

Check check_of(std::string name, double measured, Rule rule, std::string source, std::string unit) {
  Check check;
  check.name = std::move(name);
  check.measured = measured;
  check.rule = rule;
  check.source = std::move(source);
  check.unit = std::move(unit);
  return check;
}

bool inside(const Check& c) {
  switch (c.rule) {
    case Rule::Within: return std::fabs(c.measured - c.expected) <= c.tolerance;
    case Rule::WithinRelative: return std::fabs(c.measured - c.expected) <= c.tolerance * std::fabs(c.expected);
    case Rule::AtMost: return c.measured <= c.most;
    case Rule::Below: return c.measured < c.most;
    case Rule::AtLeast: return c.measured >= c.least;
    case Rule::Between: return c.measured >= c.least && c.measured <= c.most;
    case Rule::Figure: break;
  }
  return true;
}

Check with_outer_bound(const Check& c) {
  Check outer = c;
  outer.tolerance = outer.most = outer.least = c.outer;
  return outer;
}

std::string bound_text(const Check& c) {
  switch (c.rule) {
    case Rule::Within: return fmt::format("+- {:.4g}", c.tolerance);
    case Rule::WithinRelative:
      return c.tolerance >= 1e-4 ? fmt::format("+- {:.4g} %", 100 * c.tolerance)
                                 : fmt::format("+- {:.4g} of it", c.tolerance);
    case Rule::AtMost: return fmt::format("<= {:.4g}", c.most);
    case Rule::Below: return fmt::format("< {:.4g}", c.most);
    case Rule::AtLeast: return fmt::format(">= {:.4g}", c.least);
    case Rule::Between: return fmt::format("{:.4g} to {:.4g}", c.least, c.most);
    case Rule::Figure: break;
  }
  return "";
}

}  // namespace

Verdict Check::verdict() const {
  if (rule == Rule::Figure) return Verdict::None;
  if (inside(*this)) return Verdict::Pass;
  return !shortfall.empty() && inside(with_outer_bound(*this)) ? Verdict::Short : Verdict::Fail;
}

std::string Check::allowed() const {
  return shortfall.empty() ? bound_text(*this)
                           : fmt::format("{} (short: {})", bound_text(*this), bound_text(with_outer_bound(*this)));
}

Check Check::scaled(double factor) const {
  Check check = *this;
  check.expected *= factor;
  check.least *= factor;
  check.most *= factor;
  if (rule == Rule::WithinRelative) return check;
  check.tolerance *= factor;
  check.outer *= factor;
  return check;
}

Check Check::not_judged(std::string why) const { return figure(name, measured, unit, std::move(why)); }

Check Check::with_shortfall(std::string why, double outer_bound) const {
  if (rule == Rule::Between || rule == Rule::Figure)
    throw std::logic_error("a check without one bound cannot fall short");
  Check check = *this;
  check.shortfall = std::move(why);
  check.outer = outer_bound;
  return check;
}

Check within(std::string name, double measured, double expected, double tolerance, std::string source,
             std::string unit) {
  Check check = check_of(std::move(name), measured, Rule::Within, std::move(source), std::move(unit));
  check.expected = expected;
  check.tolerance = tolerance;
  check.least = expected - tolerance;
  check.most = expected + tolerance;
  return check;
}

Check within_relative(std::string name, double measured, double expected, double tolerance, std::string source,
                      std::string unit) {
  Check check =
      within(std::move(name), measured, expected, tolerance * std::fabs(expected), std::move(source), std::move(unit));
  check.rule = Rule::WithinRelative;
  check.tolerance = tolerance;
  return check;
}

Check at_most(std::string name, double measured, double most, std::string source, std::string unit) {
  Check check = check_of(std::move(name), measured, Rule::AtMost, std::move(source), std::move(unit));
  check.most = most;
  return check;
}

Check below(std::string name, double measured, double most, std::string source, std::string unit) {
  Check check = at_most(std::move(name), measured, most, std::move(source), std::move(unit));
  check.rule = Rule::Below;
  return check;
}

Check at_least(std::string name, double measured, double least, std::string source, std::string unit) {
  Check check = check_of(std::move(name), measured, Rule::AtLeast, std::move(source), std::move(unit));
  check.least = least;
  return check;
}

Check between(std::string name, double measured, double expected, double least, double most, std::string source,
              std::string unit) {
  Check check = check_of(std::move(name), measured, Rule::Between, std::move(source), std::move(unit));
  check.expected = expected;
  check.least = least;
  check.most = most;
  return check;
}

Check figure(std::string name, double measured, std::string unit, std::string source) {
  return check_of(std::move(name), measured, Rule::Figure, std::move(source), std::move(unit));
}

}  // namespace riffle
