#pragma once
/// What tools/mutations.py includes in the files it mutates: a build contains all mutations that were drawn, and
/// RIFFLE_MUTANT=N in the environment switches on number N. RIFFLE_MUTANT_REACHED=FILE writes into FILE, which must have
/// kMost + 1 bytes, a 1 at the number of every mutation that was executed. Not part of the program.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>

namespace riffle_mutants {

inline constexpr int kMost = 4095;
inline unsigned char own_reached[kMost + 1];
inline unsigned char* reached = own_reached;
inline int chosen = 0;

/// Before every other initialiser. Each unit calls it, with the same result.
[[gnu::constructor(101)]] static void read_environment() {
  if (const char* number = std::getenv("RIFFLE_MUTANT")) chosen = std::atoi(number);
  const char* file = std::getenv("RIFFLE_MUTANT_REACHED");
  if (!file || reached != own_reached) return;
  const int descriptor = ::open(file, O_RDWR);
  if (descriptor < 0) return;
  void* bytes = ::mmap(nullptr, kMost + 1, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  if (bytes != MAP_FAILED) reached = static_cast<unsigned char*>(bytes);
}

inline bool mutant(int number) {
  reached[number] = 1;
  return chosen == number;
}

/// For constexpr functions: what the compiler evaluates is never mutated.
constexpr bool constexpr_mutant(int number) {
  if (std::is_constant_evaluated()) return false;
  return mutant(number);
}

}  // namespace riffle_mutants

// A constant in braces becomes an expression, which may not be narrowed there.
#pragma GCC diagnostic ignored "-Wnarrowing"
#pragma GCC diagnostic ignored "-Wparentheses"
