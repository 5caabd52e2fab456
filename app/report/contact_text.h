#pragma once
/// What became of the contact between particles, in words: `riffle run` and the window say the same.

#include <optional>
#include <string>

#include "sim/measure/contact.h"

namespace riffle {

struct ContactHistory {
  std::optional<ContactReport> start, end;  ///< nothing: not measured
  std::string when = "at the start";        ///< `start` was measured; of a run that goes on: where it goes on from
};

/// The present contact; nothing where memory is too short or a position is no number.
std::optional<ContactReport> contact_now(Simulation& simulation, const Diagnostics& now);

/// "12 of 1,000 particles (1.2 %) have lost contact with the rest, 3 of them have no neighbour", and where particles are
/// crowded, a line each; "" if there is nothing to say.
std::string contact_text(const ContactHistory& contact);

}  // namespace riffle
