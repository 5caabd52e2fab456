#pragma once
/// Named per-particle attributes. Carried ones follow their particle when a neighbour search reorders them.

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

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

class ParticleSet {
 public:
  ParticleSet(const Device& device, int count);

  int count() const { return count_; }
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

  /// @throws std::logic_error as get(), or if there are not count() values.
  void assign(const AttributeValues& attribute);

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

  Device device_;
  int count_;
  std::list<Attribute> attributes_;
};

}  // namespace riffle
