#pragma once
/// All bytes to an open file.

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace riffle {

/// @return false with errno where it fails
inline bool write_all(int descriptor, const char* data, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t put = write(descriptor, data + done, size - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    done += static_cast<std::size_t>(put);
  }
  return true;
}

}  // namespace riffle
