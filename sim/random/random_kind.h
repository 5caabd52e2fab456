#pragma once
/// Which random numbers the pairs of a DPD fluid draw; sim/random/random.h has them.

namespace riffle {

/// Where the random force of a pair comes from.
enum class RandomKind {
  Philox,           ///< PhiloxPair: sound
  Karpinski,        ///< KarpinskiPair: the paper's iteration from a hashed start; a density uneven by 1 %
  KarpinskiStream,  ///< KarpinskiStream: the paper to the letter, kKarpinskiStreamWarning
};

}  // namespace riffle
