#pragma once
/// Named per-particle attributes. Carried ones follow their particle when a neighbour search reorders them.

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/device/algorithms.h"
#include "core/device/buffer.h"
#include "core/math/vec.h"

namespace riffle {

enum class Persistence {
  Carry,    ///< moves with its particle in every reordering
  Scratch,  ///< recomputed after a reordering before it is read
};

/// Bytes that an attribute of type T takes per particle: a carried one has a second buffer, the target of a reordering.
template <class T>
constexpr std::size_t attribute_bytes(Persistence persistence) {
  return (persistence == Persistence::Carry ? 2 : 1) * sizeof(T);
}

/// One attribute of every particle, in the host's memory.
struct AttributeValues {
  std::string name;
  std::variant<std::vector<float>, std::vector<Vec4>, std::vector<std::uint32_t>> values;
};

/// The number of particles may change between steps. Memory is allocated for capacity() particles; the buffers of the
/// attributes have count() elements.
class ParticleSet {
 public:
  ParticleSet(const Device& device, int count);

  int count() const { return count_; }
  int capacity() const { return capacity_; }  ///< particles for which every attribute has memory; at least count()
  const Device& device() const { return device_; }

  /// Adds an attribute of `count()` elements, zero-filled. T is float, Vec4 or std::uint32_t.
  /// @throws std::logic_error when the name exists.
  template <class T>
  Buffer<T>& add(std::string_view name, Persistence persistence);

  bool has(std::string_view name) const;

  /// @throws std::logic_error naming the attribute when it does not exist or has another type.
  template <class T>
  Buffer<T>& get(std::string_view name);
  template <class T>
  const Buffer<T>& get(std::string_view name) const;

  /// Every attribute, scratch ones too, in the order in which they were added. Waits.
  std::vector<AttributeValues> to_host() const;

  /// Calls visit(name, buffer) for the same.
  template <class Visit>
  void for_each_attribute(const Visit& visit) const {
    for (const Attribute& attribute : attributes_)
      std::visit([&](const auto& buffer) { visit(attribute.name, buffer); }, attribute.data);
  }

  /// @throws std::logic_error as get(), or if there are not count() values.
  void assign(const AttributeValues& attribute);

  /// The functions that follow make pointers to the attributes' data invalid. References to the buffers stay valid.

  /// Makes memory for that many particles; less than capacity() changes nothing. @throws Unavailable if memory is
  /// short; nothing has then changed.
  void reserve(int capacity);

  /// Adds particles behind the others, zero in every attribute. Grows the capacity if it must. @throws as reserve()
  void append(int particles);

  /// Replaces the elements from `first` on. @throws std::logic_error as get(), or if they reach beyond count().
  template <class T>
  void write(std::string_view name, int first, std::span<const T> values);

  /// Keeps `count` of the particles: new[i] = old[places[i]] in every attribute, scratch ones too. places: ascending,
  /// on the same device. The capacity stays. @throws Unavailable if memory is short; nothing has then changed.
  void keep(const std::uint32_t* places, int count);

  /// Takes out `count` particles; the last ones take their places, in every attribute. places: ascending, on the same
  /// device. The capacity stays. Asynchronous.
  void take_out(const std::uint32_t* places, int count);

  /// Another number of particles. The first min(old, new) keep their values and the others are zero. @throws as
  /// reserve()
  void resize(int count);

  /// Makes an attribute a carried one. @throws std::logic_error as get(); Unavailable as reserve()
  void carry(std::string_view name);

  /// Gathers the carried attributes: new[i] = old[order[i]], order a permutation of 0..count()-1 on the same device.
  /// Earlier pointers to their data become invalid.
  void reorder(const std::uint32_t* order);

  std::size_t memory_bytes() const;

 private:
  using Storage = std::variant<Buffer<float>, Buffer<Vec4>, Buffer<std::uint32_t>>;
  struct Attribute {
    std::string name;
    Persistence persistence;
    Storage data;
    Storage spare;  ///< the target of the next reordering, swapped with data; empty for scratch
  };
  const Attribute& find(std::string_view name) const;
  void set_count(int count);

  Device device_;
  int count_;
  int capacity_;
  std::list<Attribute> attributes_;
  GapFiller gaps_;
};

}  // namespace riffle
