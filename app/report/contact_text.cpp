#include "app/report/contact_text.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/text/number_text.h"

namespace riffle {

namespace {

constexpr double kCrowded = 1.5;  // times the usual neighbours: disorder alone leads to about a fifth more

bool is_crowded(const std::optional<ContactReport>& contact) {
  return contact && contact->usual_neighbors > 0 && contact->most_neighbors > kCrowded * contact->usual_neighbors;
}

}  // namespace

std::optional<ContactReport> contact_now(Simulation& simulation, const Diagnostics& now) {
  if (now.non_finite > 0) return std::nullopt;
  try {
    return measure_contact(simulation);
  } catch (const Unavailable&) {  // a run must not fail for it
    return std::nullopt;
  }
}

std::string contact_text(const ContactHistory& contact) {
  std::string text;
  const auto& [start, end, when] = contact;
  if (start && end && (end->apart > start->apart || end->alone > start->alone)) {
    text += fmt::format("{} of {} particles ({:.2g} %) have lost contact with the rest, {} of them have no neighbour",
                        grouped(end->apart), grouped(end->particles), 100.0 * end->apart / end->particles,
                        grouped(end->alone));
    if (start->apart > 0)
      text += fmt::format("; {} it was {}, and {}", when, grouped(start->apart), grouped(start->alone));
    text += "\n";
  }
  if (is_crowded(start))
    text += fmt::format(
        "{} particles had up to {} neighbours, {:.2g} times as many as usual: bodies overlap, or lie too "
        "close "
        "together{}\n",
        when, start->most_neighbors, start->most_neighbors / start->usual_neighbors,
        is_crowded(end) ? fmt::format("; now they have up to {}", end->most_neighbors) : "");
  return text;
}

}  // namespace riffle
