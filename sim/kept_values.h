#pragma once
/// Values of particles that a pass may not change. A kernel that visits neighbours is too hot for a test of each
/// particle, which would cost registers: it changes all of them, and then some get their values back.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/particle_set.h"

namespace riffle {

class KeptValues {
 public:
  /// The names of the attributes that hold Vec4, and of those that hold float.
  explicit KeptValues(std::vector<std::string> vectors, std::vector<std::string> numbers = {})
      : vectors_{std::move(vectors), {}}, numbers_{std::move(numbers), {}} {}

  /// Copies the attributes. flags: (count) valid until put_back(); nullptr: neither function does anything. Allocates
  /// memory when it is first needed, and when the number of particles grows. Asynchronous.
  void keep(const ParticleSet& particles, const std::uint32_t* flags);

  /// Gives the particles whose flag is not 0 the values of keep(). They must still be in the same order. Asynchronous.
  void put_back(ParticleSet& particles) const;

  std::size_t memory_bytes() const;

 private:
  template <class T>
  struct Kept {
    std::vector<std::string> names;
    std::vector<Buffer<T>> values;  ///< one for each name, once there were flags

    void keep(const ParticleSet& particles);
    void put_back(ParticleSet& particles, const std::uint32_t* flags) const;
    std::size_t bytes() const;
  };

  const std::uint32_t* flags_ = nullptr;
  Kept<Vec4> vectors_;
  Kept<float> numbers_;
};

}  // namespace riffle
