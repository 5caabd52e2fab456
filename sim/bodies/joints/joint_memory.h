#pragma once
/// The memory of contact, when the joints change.

#include <span>

#include "sim/bodies/contact_memory.h"
#include "sim/bodies/joint.h"

namespace riffle {

/// The lines of a joint that is also among `to` keep their impulses there, and those of others are forgotten. Joints are the same
/// when they join the same places in the same way; how strong motors and springs are does not matter.
ContactMemory memory_of_joints(ContactMemory memory, std::span<const JointSetup> from, std::span<const JointSetup> to);

}  // namespace riffle
