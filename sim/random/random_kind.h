#pragma once
/// Which random numbers the pairs of a DPD fluid draw; sim/random/random.h has them.

#include "core/text/words.h"

namespace riffle {

/// Where the random force of a pair comes from. `karpinski` has a density that is uneven by 1 %;
/// kKarpinskiStreamWarning says what is wrong with `karpinski_stream`.
enum class RandomKind { Philox, Karpinski, KarpinskiStream };
inline constexpr Word<RandomKind> kRandomWords[] = {
    {RandomKind::Philox, "philox", "counter-based"},
    {RandomKind::Karpinski, "karpinski", "the formula of the bucket-sort paper, from a hashed start"},
    {RandomKind::KarpinskiStream, "karpinski_stream",
     "one stream per particle as in the paper, for study only; `stream_start` says where it begins"},
};
constexpr std::span<const Word<RandomKind>> words_of(RandomKind) { return kRandomWords; }
constexpr std::string_view to_string(RandomKind kind) { return word_of(kind); }

/// Where the stream of a particle begins.
enum class StreamStart { Hashed, Zero };
inline constexpr Word<StreamStart> kStreamStartWords[] = {
    {StreamStart::Hashed, "hashed", "at another number for every particle"},
    {StreamStart::Zero, "zero",
     "at r = 0 for all, as in the paper: particles with equally many neighbours so far draw alike"},
};
constexpr std::span<const Word<StreamStart>> words_of(StreamStart) { return kStreamStartWords; }

}  // namespace riffle
