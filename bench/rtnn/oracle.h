#pragma once
/// The row `Oracle` of figure 13 of Zhu 2022: whether to partition, and the bundles, as measuring finds them best.

#include <string>
#include <vector>

#include "bench/rtnn/rtnn.h"

namespace riffle::bench {

struct OracleChoice {
  bool partition = false;
  std::vector<int> bundles;  ///< of PointSearchSettings
  std::string text;          ///< for people
};

/// Measures bundles until the best are known, or until interrupted(). settings: of the rows it is compared with.
OracleChoice ask_oracle(const Device& device, const RtnnCase& one, RtnnInput& input,
                        const PointSearchSettings& settings);

}  // namespace riffle::bench
