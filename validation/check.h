#pragma once
/// A measured figure and what it is judged by.

#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "core/text/words.h"

namespace riffle {

/// How a figure is judged. NaN passes only Figure.
enum class Rule {
  Within,          ///< |measured - expected| <= tolerance
  WithinRelative,  ///< |measured - expected| <= tolerance |expected|
  AtMost,          ///< measured <= most
  Below,           ///< measured < most
  AtLeast,         ///< measured >= least
  Between,         ///< least <= measured <= most
  Figure           ///< no bound: only reported
};
inline constexpr Word<Rule> kRuleWords[] = {
    {Rule::Within, "within"},    {Rule::WithinRelative, "within_relative"},
    {Rule::AtMost, "at_most"},   {Rule::Below, "below"},
    {Rule::AtLeast, "at_least"}, {Rule::Between, "between"},
    {Rule::Figure, "figure"},
};
constexpr std::span<const Word<Rule>> words_of(Rule) { return kRuleWords; }
constexpr std::string_view to_string(Rule rule) { return word_of(rule); }

enum class Verdict {
  Pass,
  Short,  ///< outside its bounds, for a known and stated reason (Check::shortfall), and inside an outer bound
  Fail,
  None  ///< Rule::Figure
};

struct Check {
  std::string name;
  double measured = 0;
  Rule rule = Rule::Figure;
  double expected = std::numeric_limits<double>::quiet_NaN();  ///< NaN: no reference, only bounds
  double tolerance = 0;                                        ///< of Within and WithinRelative
  double least = -std::numeric_limits<double>::infinity();     ///< least and most follow from the tolerance, where
  double most = std::numeric_limits<double>::infinity();       ///< there is one
  std::string unit;                                            ///< "" for a pure number
  std::string source;                                          ///< of the reference and of the bounds
  std::string shortfall;  ///< why a miss is known and not a failure; "": a miss is a failure
  double outer = 0;  ///< of a known miss: takes the place of tolerance, most or least. A miss of this too is a failure

  Verdict verdict() const;
  bool passed() const { return verdict() != Verdict::Fail; }
  std::string allowed() const;  ///< "+- 0.136", "0.046 to 0.06", "< 0.05 (short: < 0.07)"; "" for a figure

  /// The same check of a figure that is `factor` times as large.
  Check scaled(double factor) const;

  /// The figure alone, with the reason why nothing judges it.
  Check not_judged(std::string why) const;

  /// The same check with a known miss, which docs/validation.md must state too. Not for Between, which has two bounds.
  Check with_shortfall(std::string why, double outer_bound) const;
};

Check within(std::string name, double measured, double expected, double tolerance, std::string source,
             std::string unit = "");
Check within_relative(std::string name, double measured, double expected, double tolerance, std::string source,
                      std::string unit = "");
Check at_most(std::string name, double measured, double most, std::string source, std::string unit = "");
Check below(std::string name, double measured, double most, std::string source, std::string unit = "");
Check at_least(std::string name, double measured, double least, std::string source, std::string unit = "");
/// @param expected  NaN if there are only bounds
Check between(std::string name, double measured, double expected, double least, double most, std::string source,
              std::string unit = "");
Check figure(std::string name, double measured, std::string unit = "", std::string source = "");

}  // namespace riffle
