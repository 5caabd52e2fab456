#pragma once
/// A flag on the device at which a loop of the host ends, read some rounds late: the device always has the next rounds
/// queued, and the host waits only to stay no further ahead. On the CPU the flag is read at once.

#include <cstdint>
#include <memory>

#include "core/device/device.h"

namespace riffle {

class LateFlag {
 public:
  explicit LateFlag(const Device& device);
  ~LateFlag();
  LateFlag(const LateFlag&) = delete;
  LateFlag& operator=(const LateFlag&) = delete;

  /// Rounds that are queued behind the one whose flag the host waits for. After the flag is raised the loop goes round
  /// at most that often, and those rounds must change nothing.
  static constexpr int kAhead = 1;

  /// Before a loop: flags of earlier loops no longer count.
  void begin();
  /// Whether the flag was raised in a round that the device is known to have finished. flag: on the device, not lowered
  /// within a loop. at_once: waits for the flag of this round. Then the loop goes round as often as every other device's
  /// (sim/halo.h), whose rounds would otherwise depend on when copies arrive.
  bool raised(const std::uint32_t* flag, bool at_once);

 private:
  struct Mailbox;
  Device device_;
  std::unique_ptr<Mailbox> mailbox_;
};

}  // namespace riffle
