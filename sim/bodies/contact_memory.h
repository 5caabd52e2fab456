#pragma once
/// The impulses of the last contact step, from which the next one begins: what lies in a heap is pressed as it was before.

#include <cstdint>
#include <vector>

namespace riffle {

/// A place where a body touched another one, another solid or a face; or a line of a joint, which is no place: `body` is -1 - the
/// joint's number and `other` the line's. Plain numbers, since states keep them.
struct KeptContact {
  double body = 0;           ///< the solid's index
  double other = 0;          ///< of the other solid; -1 - k: of the face k
  double at[3] = {0, 0, 0};  ///< [spacings] from the body's centre, along its own axes
  double force[4] = {0, 0, 0,
                     0};  ///< [N] along the normal, and by friction along the scene's axes; means over the step

  friend bool operator==(const KeptContact&, const KeptContact&) = default;
};

/// In the order of `body`, then `other`.
using ContactMemory = std::vector<KeptContact>;

}  // namespace riffle
