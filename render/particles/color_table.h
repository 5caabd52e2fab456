#pragma once
/// A colour map for kernels.

#include <string>

#include "core/device/buffer.h"
#include "core/math/vec.h"

namespace riffle::render {

class ColorTable {
 public:
  explicit ColorTable(const Device& device) : table_(device) {}

  /// Uploads only when the map changes. @throws InputError for an unknown map
  void select(const std::string& name);

  const Vec4* data() const { return table_.data(); }  ///< (kColorMapSize) sRGB, on the device

 private:
  Buffer<Vec4> table_;
  std::string name_;
};

}  // namespace riffle::render
