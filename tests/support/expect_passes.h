#pragma once
/// Validation cases as tests. Link riffle_validation.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "validation/validation_case.h"

namespace riffle::test {

/// Runs the case and fails the test for each check that fails, and each row of allowed.csv that no check used. Prints all checks, so that a log has the figures.
inline void expect_passes(const std::string& name, CaseSize size, const Device& device) {
  CaseContext context;
  context.device = device;
  context.size = size;
  const ValidationCase& which = validation_case(name);
  const CaseResult result = run_case(which, context);
  printf("%s, %s\n", name.c_str(), which.size_text(size).c_str());
  for (const Check& c : result.checks) printf("  %-80s %12.5g  %s\n", c.name.c_str(), c.measured, c.allowed().c_str());
  EXPECT_FALSE(result.checks.empty());
  for (const std::string& row : result.unused_bounds)
    ADD_FAILURE() << "allowed.csv has a row that nothing uses: " << row;
  for (const Check& c : result.checks)
    EXPECT_TRUE(c.passed()) << c.name << ": " << c.measured << " " << c.unit << "; reference " << c.expected
                            << ", allowed " << c.allowed() << " (" << c.source << ")";
}

}  // namespace riffle::test
