#include "sim/bodies/joints/joint_memory.h"

#include <algorithm>
#include <utility>

namespace riffle {

namespace {

bool has_spring(const JointSetup& joint) { return joint.stiffness > 0 || joint.damping > 0; }

/// Then their lines have the same numbers too.
bool same(const JointSetup& a, const JointSetup& b) {
  return a.kind == b.kind && a.solid == b.solid && a.other == b.other && a.at == b.at && a.to == b.to &&
         a.axis == b.axis && a.limited == b.limited && (a.motor_force > 0) == (b.motor_force > 0) &&
         has_spring(a) == has_spring(b);
}

}  // namespace

ContactMemory memory_of_joints(ContactMemory memory, std::span<const JointSetup> from, std::span<const JointSetup> to) {
  std::vector<double> number(from.size(), -1);  // in `to`
  std::vector<bool> taken(to.size(), false);
  for (std::size_t j = 0; j < from.size(); ++j)
    for (std::size_t k = 0; k < to.size() && number[j] < 0; ++k)
      if (!taken[k] && same(from[j], to[k])) number[j] = static_cast<double>(k), taken[k] = true;
  const auto joint_of = [&](const KeptContact& kept) { return static_cast<std::size_t>(-1 - kept.body); };
  std::erase_if(memory, [&](const KeptContact& kept) {
    return kept.body < 0 && (joint_of(kept) >= from.size() || number[joint_of(kept)] < 0);
  });
  for (KeptContact& kept : memory)
    if (kept.body < 0) kept.body = -1 - number[joint_of(kept)];
  std::stable_sort(memory.begin(), memory.end(), [](const KeptContact& a, const KeptContact& b) {
    return std::pair(a.body, a.other) < std::pair(b.body, b.other);
  });
  return memory;
}

}  // namespace riffle
