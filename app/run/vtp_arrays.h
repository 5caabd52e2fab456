#pragma once
/// The arrays of a .vtp file: VTK's XML PolyData with raw appended data.

#include <fmt/format.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace riffle {

/// The appended data of a .vtp: each block is its length in bytes (UInt64) and its bytes.
class AppendedData {
 public:
  /// @return the attribute offset="..." of the block
  std::uint64_t add(const void* data, std::size_t bytes) {
    const std::uint64_t offset = size_;
    blocks_.push_back({static_cast<const char*>(data), bytes});
    size_ += sizeof(std::uint64_t) + bytes;
    return offset;
  }
  void write(std::ostream& out) const {
    for (const Block& block : blocks_) {
      const std::uint64_t bytes = block.bytes;
      out.write(reinterpret_cast<const char*>(&bytes), sizeof bytes);
      out.write(block.data, static_cast<std::streamsize>(block.bytes));
    }
  }

 private:
  struct Block {
    const char* data;
    std::size_t bytes;
  };
  std::vector<Block> blocks_;
  std::uint64_t size_ = 0;
};

/// values: they must stay until the appended data is written
template <class T>
std::string data_array(AppendedData& appended, const char* type, const std::string& name, int components,
                       const std::vector<T>& values) {
  return fmt::format(R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)"
                     "\n",
                     type, name, components, appended.add(values.data(), values.size() * sizeof(T)));
}

}  // namespace riffle
