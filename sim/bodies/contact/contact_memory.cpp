/// What the contacts of one call know of those of the call before it.

#include "sim/bodies/contact_memory.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sim/bodies/contact/contact_world.h"

namespace riffle::bodies {

namespace {

constexpr double kSamePlace = 0.5;  // [spacings] within which a contact is the one of before

std::pair<double, double> pair_of(const KeptContact& kept) { return {kept.body, kept.other}; }

}  // namespace

void ContactWorld::recall(const ContactMemory& memory, double dt) {
  recall_lines(memory, dt);
  std::size_t first = 0;
  std::vector<bool> taken(memory.size(), false);
  for (const ContactPair& pair : pairs) {
    const std::pair<double, double> key{pair.body, pair.other};
    const auto before = [](const KeptContact& kept, const std::pair<double, double>& k) { return pair_of(kept) < k; };
    const auto begin =
        static_cast<std::size_t>(std::lower_bound(memory.begin(), memory.end(), key, before) - memory.begin());
    const Place& place = solids[static_cast<std::size_t>(pair.body)].place;
    for (; first < pair.end; ++first) {
      SolverContact& contact = contacts[first];
      const D3 at = (1 / spacing) * place.turned_back(contact.arm_a);
      double nearest = kSamePlace;
      std::size_t same = memory.size();
      for (std::size_t k = begin; k < memory.size() && pair_of(memory[k]) == key; ++k) {
        const double away = length(at - d3(memory[k].at));
        if (taken[k] || !(away < nearest)) continue;
        nearest = away;
        same = k;
      }
      if (same == memory.size()) continue;
      taken[same] = true;
      contact.impulse = dt * memory[same].force[0];
      contact.side = dt * d3(memory[same].force + 1);
    }
  }
}

void ContactWorld::recall_lines(const ContactMemory& memory, double dt) {
  for (SolverLine& line : lines) {
    const std::pair<double, double> key{-1 - line.joint, line.number};
    const auto found =
        std::lower_bound(memory.begin(), memory.end(), key,
                         [](const KeptContact& kept, const std::pair<double, double>& k) { return pair_of(kept) < k; });
    if (found != memory.end() && pair_of(*found) == key) line.impulse = dt * found->force[0];
  }
}

void ContactWorld::remember(ContactMemory& memory, double dt) const {
  memory.clear();
  for (const SolverLine& line : lines) {
    if (line.impulse == 0) continue;
    KeptContact& kept = memory.emplace_back();
    kept.body = -1 - line.joint;
    kept.other = line.number;
    kept.force[0] = line.impulse / dt;
  }
  std::size_t first = 0;
  for (const ContactPair& pair : pairs) {
    const Place& place = solids[static_cast<std::size_t>(pair.body)].place;
    for (; first < pair.end; ++first) {
      const SolverContact& contact = contacts[first];
      if (!(contact.impulse > 0)) continue;
      KeptContact& kept = memory.emplace_back();
      const D3 at = (1 / spacing) * place.turned_back(contact.arm_a);
      kept.body = pair.body;
      kept.other = pair.other;
      kept.force[0] = contact.impulse / dt;
      for (int a = 0; a < 3; ++a) kept.at[a] = at[a], kept.force[1 + a] = contact.side[a] / dt;
    }
  }
  std::stable_sort(memory.begin(), memory.end(),
                   [](const KeptContact& a, const KeptContact& b) { return pair_of(a) < pair_of(b); });
}

}  // namespace riffle::bodies
