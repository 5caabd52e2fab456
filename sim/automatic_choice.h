#pragma once
/// The cases in which neighbors.method auto is refused. The scene's review names keys; the simulation has its contract.

namespace riffle {

/// Why such a run cannot choose its search automatically; nullptr if it can.
constexpr const char* why_no_automatic_choice(bool deterministic) {
  return deterministic ? "'auto', which chooses by time, so that runs differ" : nullptr;
}

}  // namespace riffle
