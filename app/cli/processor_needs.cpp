#include "app/cli/processor.h"

namespace riffle {

constexpr ProcessorNeeds needs() {
  ProcessorNeeds found{};
#if defined(__AVX2__)
  found.avx2 = true;
#endif
#if defined(__FMA__)
  found.fma = true;
#endif
#if defined(__BMI2__)
  found.bmi2 = true;
#endif
#if defined(__AVX512F__)
  found.avx512f = true;
#endif
  return found;
}

constinit const ProcessorNeeds kProcessorNeeds = needs();

std::string instruction_sets() {
  std::string names;
  const auto add = [&](bool needed, const char* name) {
    if (needed) names += (names.empty() ? "" : ", ") + std::string(name);
  };
  add(kProcessorNeeds.avx2, "AVX2");
  add(kProcessorNeeds.fma, "FMA");
  add(kProcessorNeeds.bmi2, "BMI2");
  add(kProcessorNeeds.avx512f, "AVX-512");
  return names.empty() ? "only those of every x86-64" : names;
}

}  // namespace riffle
