#pragma once
/// What a run or a refusal came to.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "core/error.h"
#include "solver_cases.h"

namespace riffle::test {

inline std::uint64_t hash_of(Simulation& simulation) { return simulation.diagnostics().state_hash; }

inline std::uint64_t hash_after(Simulation& simulation, int steps) {
  run_steps(simulation, steps);
  return hash_of(simulation);
}

/// The message of the InputError that act() throws.
inline std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

inline void expect_contains(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

}  // namespace riffle::test
