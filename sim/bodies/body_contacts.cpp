#include "sim/bodies/body_contacts.h"

#include "sim/bodies/contact/contact_world.h"

namespace riffle {

BodyContacts::BodyContacts(const SimulationSetup& setup, std::span<const BodyMass> masses, KickTime kick_time)
    : world_(std::make_unique<bodies::ContactWorld>(setup, masses, kick_time)) {}

BodyContacts::~BodyContacts() = default;

int BodyContacts::solve(std::span<const BodyState> now, std::span<const BodyPush> pushes, double time, double dt,
                        ContactMemory& memory, std::span<BodyKick> kicks) {
  return world_->solve(now, pushes, time, dt, memory, kicks);
}

}  // namespace riffle
