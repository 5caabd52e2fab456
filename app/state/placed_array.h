#pragma once
/// Arrays that lie elsewhere in memory than in the image of a file, some in another form.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/math/vec.h"

namespace riffle {

struct PlacedArray {
  enum class Form {
    Same,    ///< the bytes as they are
    Three,   ///< of vectors their first three numbers
    Fourth,  ///< of vectors their last one
  };

  const void* from = nullptr;
  std::size_t count = 0;  ///< of Same: bytes; of the others: vectors
  Form form = Form::Same;
  std::uint64_t begin = 0;  ///< [bytes] in the image

  std::size_t bytes() const;
  std::uint64_t end() const { return begin + bytes(); }

  /// Writes those of its bytes that lie between two places of the image.
  void fill(char* image, std::uint64_t from_place, std::uint64_t to_place) const;
};

/// Whether the last number of any vector has a bit set. Uses all threads.
bool any_fourth(std::span<const Vec4> vectors);

}  // namespace riffle
