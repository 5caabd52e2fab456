#pragma once
/// Values of particles that a pass may not change. A kernel that visits neighbours is too hot for a test of each
/// particle, which would cost registers: it changes all of them, and then some get their values back.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/particle_set.h"

namespace riffle {

class KeptValues {
 public:
  /// The names of the attributes that hold Vec4, and of those that hold float.
  KeptValues(const Device& device, std::vector<std::string> vectors, std::vector<std::string> numbers = {})
      : vectors_(device, std::move(vectors)), numbers_(device, std::move(numbers)) {}

  /// Makes memory for that many particles, so that keep() does not; fewer than before change nothing. Not between
  /// keep() and put_back(). @throws Unavailable if memory is short; keep() then tries again.
  void reserve(int capacity);

  /// Copies the attributes. flags: (count) valid until put_back(); nullptr: neither function does anything. Allocates
  /// memory for the set's capacity if reserve() did not. Asynchronous.
  void keep(const ParticleSet& particles, const std::uint32_t* flags);

  /// Gives the particles whose flag is not 0 the values of keep(). They must still be in the same order. Asynchronous.
  void put_back(ParticleSet& particles) const;

  std::size_t memory_bytes() const;
  std::size_t bytes_per_particle() const { return vectors_.bytes_per_particle() + numbers_.bytes_per_particle(); }

 private:
  template <class T>
  struct Kept {
    std::vector<std::string> names;
    std::vector<Buffer<T>> values;  ///< one for each name

    Kept(const Device& device, std::vector<std::string> attributes) : names(std::move(attributes)) {
      for (std::size_t k = 0; k < names.size(); ++k) values.emplace_back(device);
    }
    std::size_t bytes_per_particle() const { return names.size() * sizeof(T); }
    void reserve(int capacity);
    void keep(const ParticleSet& particles);
    void put_back(ParticleSet& particles, const std::uint32_t* flags) const;
    std::size_t bytes() const;
  };

  const std::uint32_t* flags_ = nullptr;
  Kept<Vec4> vectors_;
  Kept<float> numbers_;
};

}  // namespace riffle
