#pragma once
/// NumPy's .npz: arrays that numpy.load() reads.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace riffle {

/// Arrays are added one after the other; finish() completes the file. Without it the file is not readable.
class NpzWriter {
 public:
  /// @throws RuntimeFailure with the file and the reason, as the others
  explicit NpzWriter(const std::filesystem::path& file);
  ~NpzWriter();
  NpzWriter(const NpzWriter&) = delete;
  NpzWriter& operator=(const NpzWriter&) = delete;

  void add(const std::string& name, std::span<const std::uint32_t> values);  ///< (n)
  void add(const std::string& name, std::span<const float> values);          ///< (n)
  void add(const std::string& name, double value);                           ///< an array without axes
  void finish();

 private:
  void add(const std::string& name, const char* type, const std::string& shape, const void* data, std::size_t bytes);
  void check(int result) const;

  std::filesystem::path file_;
  void* zip_ = nullptr;
};

}  // namespace riffle
