#include "sim/kept_values.h"

#include "core/device/parallel.cuh"

namespace riffle {

namespace {

template <class T>
struct PutBack {
  const std::uint32_t* flags;
  const T* kept;
  T* value;

  RIFFLE_HD void operator()(std::int64_t i) const {
    if (flags[i] != 0) value[i] = kept[i];
  }
};

}  // namespace

template <class T>
void KeptValues::Kept<T>::reserve(int capacity) {
  for (Buffer<T>& buffer : values)
    if (buffer.size() < static_cast<std::size_t>(capacity)) buffer.resize(static_cast<std::size_t>(capacity));
}

template <class T>
void KeptValues::Kept<T>::keep(const ParticleSet& particles) {
  reserve(particles.capacity());
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Buffer<T>& from = particles.get<T>(names[k]);
    copy_on_device(particles.device(), values[k].data(), from.data(), from.size() * sizeof(T));
  }
}

template <class T>
void KeptValues::Kept<T>::put_back(ParticleSet& particles, const std::uint32_t* flags) const {
  for (std::size_t k = 0; k < names.size(); ++k)
    parallel_for(particles.device(), "put back", particles.count(),
                 PutBack<T>{flags, values[k].data(), particles.get<T>(names[k]).data()});
}

template <class T>
std::size_t KeptValues::Kept<T>::bytes() const {
  std::size_t sum = 0;
  for (const Buffer<T>& buffer : values) sum += buffer.bytes();
  return sum;
}

void KeptValues::reserve(int capacity) {
  vectors_.reserve(capacity);
  numbers_.reserve(capacity);
}

void KeptValues::keep(const ParticleSet& particles, const std::uint32_t* flags) {
  flags_ = flags;
  if (flags == nullptr) return;
  vectors_.keep(particles);
  numbers_.keep(particles);
}

void KeptValues::put_back(ParticleSet& particles) const {
  if (flags_ == nullptr) return;
  vectors_.put_back(particles, flags_);
  numbers_.put_back(particles, flags_);
}

std::size_t KeptValues::memory_bytes() const { return vectors_.bytes() + numbers_.bytes(); }

}  // namespace riffle
