#include "sim/particle_set.h"

#include <stdexcept>

#include "core/device/algorithms.h"

namespace riffle {

ParticleSet::ParticleSet(const Device& device, int count) : device_(device), count_(count) {}

const ParticleSet::Attribute& ParticleSet::find(std::string_view name) const {
  for (const Attribute& attribute : attributes_)
    if (attribute.name == name) return attribute;
  throw std::logic_error("no particle attribute named " + std::string(name));
}

bool ParticleSet::has(std::string_view name) const {
  for (const Attribute& attribute : attributes_)
    if (attribute.name == name) return true;
  return false;
}

template <class T>
Buffer<T>& ParticleSet::add(std::string_view name, Persistence persistence) {
  for (const Attribute& attribute : attributes_)
    if (attribute.name == name) throw std::logic_error("a particle attribute named " + std::string(name) + " exists");
  const auto n = static_cast<std::size_t>(count_);
  Buffer<T> data(device_, n);
  data.fill_zero();
  Buffer<T> spare(device_, persistence == Persistence::Carry ? n : 0);
  // A list, not a vector: references handed out earlier stay valid when another attribute is added.
  attributes_.push_back({std::string(name), persistence, std::move(data), std::move(spare)});
  return std::get<Buffer<T>>(attributes_.back().data);
}

template <class T>
const Buffer<T>& ParticleSet::get(std::string_view name) const {
  const Attribute& attribute = find(name);
  if (const auto* data = std::get_if<Buffer<T>>(&attribute.data)) return *data;
  throw std::logic_error("particle attribute " + std::string(name) + " has another type");
}

template <class T>
Buffer<T>& ParticleSet::get(std::string_view name) {
  return const_cast<Buffer<T>&>(static_cast<const ParticleSet&>(*this).get<T>(name));
}

std::vector<AttributeValues> ParticleSet::to_host() const {
  std::vector<AttributeValues> all;
  for (const Attribute& attribute : attributes_)
    std::visit([&](const auto& data) { all.push_back({attribute.name, data.to_host()}); }, attribute.data);
  return all;
}

void ParticleSet::assign(const AttributeValues& attribute) {
  std::visit(
      [&](const auto& values) {
        using T = typename std::decay_t<decltype(values)>::value_type;
        if (values.size() != static_cast<std::size_t>(count_))
          throw std::logic_error("particle attribute " + attribute.name + ": " + std::to_string(values.size()) +
                                 " values for " + std::to_string(count_) + " particles");
        get<T>(attribute.name).assign(values);
      },
      attribute.values);
}

void ParticleSet::reorder(const std::uint32_t* order) {
  GatherArray arrays[kMaxGatherArrays];
  int used = 0;
  const auto flush = [&] {
    gather(device_, order, static_cast<std::size_t>(count_), arrays, used);
    used = 0;
  };
  for (Attribute& attribute : attributes_) {
    if (attribute.persistence != Persistence::Carry) continue;
    if (used == kMaxGatherArrays) flush();
    std::visit(
        [&](auto& data) {
          auto& spare = std::get<std::remove_reference_t<decltype(data)>>(attribute.spare);
          arrays[used++] = {data.data(), spare.data(), static_cast<int>(sizeof(*data.data()))};
        },
        attribute.data);
  }
  if (used > 0) flush();
  for (Attribute& attribute : attributes_)
    if (attribute.persistence == Persistence::Carry) std::swap(attribute.data, attribute.spare);
}

std::size_t ParticleSet::memory_bytes() const {
  std::size_t bytes = 0;
  for (const Attribute& attribute : attributes_)
    for (const Storage* storage : {&attribute.data, &attribute.spare})
      bytes += std::visit([](const auto& buffer) { return buffer.bytes(); }, *storage);
  return bytes;
}

#define RIFFLE_INSTANTIATE(T)                                             \
  template Buffer<T>& ParticleSet::add<T>(std::string_view, Persistence); \
  template Buffer<T>& ParticleSet::get<T>(std::string_view);              \
  template const Buffer<T>& ParticleSet::get<T>(std::string_view) const;
RIFFLE_INSTANTIATE(float)
RIFFLE_INSTANTIATE(Vec4)
RIFFLE_INSTANTIATE(std::uint32_t)
#undef RIFFLE_INSTANTIATE

}  // namespace riffle
