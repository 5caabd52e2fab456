#pragma once
/// Which random numbers the pairs of a DPD fluid draw; they are in sim/random/random.h.

namespace riffle {

/// The source of a pair's random force.
enum class RandomKind {
  Philox,           ///< PhiloxPair: sound
  Karpinski,        ///< KarpinskiPair: the paper's iteration from a hashed start; its density is uneven by 1 %
  KarpinskiStream,  ///< KarpinskiStream: exactly as in the paper; see kKarpinskiStreamWarning
};

}  // namespace riffle
