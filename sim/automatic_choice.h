#pragma once
/// Where neighbors.method auto is refused. The scene's review names the keys; the simulation keeps its contract.

namespace riffle {

/// What is wrong with an automatic choice of the search in such a run; nullptr when nothing is.
constexpr const char* why_no_automatic_choice(bool deterministic) {
  return deterministic ? "'auto', which chooses by time, so that runs differ" : nullptr;
}

}  // namespace riffle
