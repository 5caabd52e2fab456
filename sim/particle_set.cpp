#include "sim/particle_set.h"

#include <stdexcept>

namespace riffle {

namespace {

/// A buffer of `size` elements with memory for `capacity`.
template <class T>
Buffer<T> make_buffer(const Device& device, int capacity, int size) {
  Buffer<T> buffer(device, static_cast<std::size_t>(capacity));
  buffer.resize(static_cast<std::size_t>(size));
  return buffer;
}

}  // namespace

ParticleSet::ParticleSet(const Device& device, int count)
    : device_(device), count_(count), capacity_(count), gaps_(device) {}

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
  auto data = make_buffer<T>(device_, capacity_, count_);
  data.fill_zero();
  const bool carried = persistence == Persistence::Carry;
  auto spare = make_buffer<T>(device_, carried ? capacity_ : 0, carried ? count_ : 0);
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

void ParticleSet::set_count(int count) {
  count_ = count;
  for (Attribute& attribute : attributes_)
    for (Storage* storage : {&attribute.data, &attribute.spare})
      if (storage == &attribute.data || attribute.persistence == Persistence::Carry)
        std::visit([&](auto& buffer) { buffer.resize(static_cast<std::size_t>(count)); }, *storage);
}

void ParticleSet::reserve(int capacity) {
  if (capacity <= capacity_) return;
  std::vector<Storage> larger;  // data and spare of every attribute: all of them, before the first is replaced
  for (const Attribute& attribute : attributes_)
    std::visit(
        [&](const auto& data) {
          using T = std::remove_const_t<std::remove_reference_t<decltype(*data.data())>>;
          const bool carried = attribute.persistence == Persistence::Carry;
          larger.emplace_back(make_buffer<T>(device_, capacity, count_));
          larger.emplace_back(make_buffer<T>(device_, carried ? capacity : 0, carried ? count_ : 0));
        },
        attribute.data);
  auto next = larger.begin();
  for (Attribute& attribute : attributes_) {
    std::visit(
        [&](const auto& data) {
          auto& to = std::get<std::decay_t<decltype(data)>>(*next);
          copy_on_device(device_, to.data(), data.data(), data.size() * sizeof(*data.data()));
        },
        attribute.data);
    std::swap(attribute.data, *next++);
    std::swap(attribute.spare, *next++);
  }
  capacity_ = capacity;
}

void ParticleSet::append(int particles) { resize(count_ + particles); }

void ParticleSet::resize(int count) {
  reserve(count);
  const auto before = static_cast<std::size_t>(count_);
  set_count(count);
  for (Attribute& attribute : attributes_)
    std::visit(
        [&](auto& data) {
          if (data.size() > before)
            fill_bytes(device_, data.data() + before, 0, (data.size() - before) * sizeof(*data.data()));
        },
        attribute.data);
}

template <class T>
void ParticleSet::write(std::string_view name, int first, std::span<const T> values) {
  if (first < 0 || static_cast<std::size_t>(first) + values.size() > static_cast<std::size_t>(count_))
    throw std::logic_error("particle attribute " + std::string(name) + ": values beyond the last particle");
  copy_from_host(device_, get<T>(name).data() + first, values.data(), values.size_bytes());
}

void ParticleSet::keep(const std::uint32_t* places, int count) {
  std::vector<Storage> kept;  // of scratch attributes, which have no spare
  for (const Attribute& attribute : attributes_)
    if (attribute.persistence == Persistence::Scratch)
      std::visit(
          [&](const auto& data) {
            using T = std::remove_const_t<std::remove_reference_t<decltype(*data.data())>>;
            kept.emplace_back(make_buffer<T>(device_, capacity_, count_));
          },
          attribute.data);
  auto next = kept.begin();
  for (Attribute& attribute : attributes_) {
    Storage& target = attribute.persistence == Persistence::Scratch ? *next++ : attribute.spare;
    std::visit(
        [&](const auto& data) {
          auto& to = std::get<std::decay_t<decltype(data)>>(target);
          const GatherArray array{data.data(), to.data(), static_cast<int>(sizeof(*data.data()))};
          gather(device_, places, static_cast<std::size_t>(count), &array, 1);
        },
        attribute.data);
    std::swap(attribute.data, target);
  }
  set_count(count);
}

void ParticleSet::take_out(const std::uint32_t* places, int count) {
  if (count == 0) return;
  gaps_.find(places, static_cast<std::size_t>(count), static_cast<std::size_t>(count_));
  for (Attribute& attribute : attributes_)
    std::visit([&](auto& data) { gaps_.fill(data.data(), static_cast<int>(sizeof(*data.data()))); }, attribute.data);
  set_count(count_ - count);
}

void ParticleSet::carry(std::string_view name) {
  auto& attribute = const_cast<Attribute&>(find(name));
  if (attribute.persistence == Persistence::Carry) return;
  std::visit(
      [&](const auto& data) {
        using T = std::remove_const_t<std::remove_reference_t<decltype(*data.data())>>;
        attribute.spare = make_buffer<T>(device_, capacity_, count_);
      },
      attribute.data);
  attribute.persistence = Persistence::Carry;
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
  std::size_t bytes = gaps_.bytes();
  for (const Attribute& attribute : attributes_)
    for (const Storage* storage : {&attribute.data, &attribute.spare})
      bytes += std::visit([](const auto& buffer) { return buffer.bytes(); }, *storage);
  return bytes;
}

#define RIFFLE_INSTANTIATE(T)                                             \
  template Buffer<T>& ParticleSet::add<T>(std::string_view, Persistence); \
  template Buffer<T>& ParticleSet::get<T>(std::string_view);              \
  template const Buffer<T>& ParticleSet::get<T>(std::string_view) const;  \
  template void ParticleSet::write<T>(std::string_view, int, std::span<const T>);
RIFFLE_INSTANTIATE(float)
RIFFLE_INSTANTIATE(Vec4)
RIFFLE_INSTANTIATE(std::uint32_t)
#undef RIFFLE_INSTANTIATE

}  // namespace riffle
