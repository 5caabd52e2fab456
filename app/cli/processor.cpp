/// Compiled for the oldest processor. Does not use the C++ library: the linker could take inline functions of it from a
/// file that was compiled for a newer processor.

#include "app/cli/processor.h"

#include <string.h>
#include <unistd.h>

namespace riffle {

const char* missing_instruction_sets() {
  static char missing[64];
  missing[0] = '\0';
#if defined(__x86_64__)
  __builtin_cpu_init();
  const auto add = [](const char* name) {
    if (missing[0]) strcat(missing, ", ");
    strcat(missing, name);
  };
  if (kProcessorNeeds.avx2 && !__builtin_cpu_supports("avx2")) add("AVX2");
  if (kProcessorNeeds.fma && !__builtin_cpu_supports("fma")) add("FMA");
  if (kProcessorNeeds.bmi2 && !__builtin_cpu_supports("bmi2")) add("BMI2");
  if (kProcessorNeeds.avx512f && !__builtin_cpu_supports("avx512f")) add("AVX-512");
#endif
  return missing;
}

namespace {

__attribute__((constructor(101))) void refuse_unfit_processor() {
  const char* missing = missing_instruction_sets();
  if (!missing[0]) return;
  char message[256] = "riffle: this program was compiled for instructions that this processor lacks (";
  strcat(message, missing);
  strcat(message, "). Build it with -DRIFFLE_ARCH=x86-64 for any processor, or with native for this one.\n");
  if (write(STDERR_FILENO, message, strlen(message)) < 0) _exit(2);
  _exit(2);
}

}  // namespace

}  // namespace riffle
