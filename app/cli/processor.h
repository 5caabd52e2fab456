#pragma once
/// The instruction sets that the program was compiled for, against those that this processor has.

#include <string>

namespace riffle {

/// What the compiler was allowed to use. Constants, so that no code of the wrong instruction set reads them.
struct ProcessorNeeds {
  bool avx2, fma, bmi2, avx512f;
};
extern const ProcessorNeeds kProcessorNeeds;

/// "AVX2, FMA" that the program needs and this processor lacks; "" when it has all. A constructor that runs before
/// every other one of the program ends it (exit code 2) when there is any: the alternative is an illegal instruction in
/// the middle of nowhere.
const char* missing_instruction_sets();

}  // namespace riffle
