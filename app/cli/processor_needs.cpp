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

}  // namespace riffle
