#pragma once
/// Compares the instruction sets that the program was compiled for with those of this processor.

#include <string>

namespace riffle {

/// The instruction sets that the compiler was allowed to use. As constants, they can be read without these sets.
struct ProcessorNeeds {
  bool avx2, fma, bmi2, avx512f;
};
extern const ProcessorNeeds kProcessorNeeds;

std::string instruction_sets();  ///< their names, "AVX2, FMA"

/// The sets that the program needs and this processor lacks, "AVX2, FMA"; "" when it has all. If it lacks one, a
/// constructor that runs before all others ends the program with exit code 2. Otherwise the program would end at its
/// first illegal instruction.
const char* missing_instruction_sets();

}  // namespace riffle
