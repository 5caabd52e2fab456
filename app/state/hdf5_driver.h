#pragma once
/// What the drivers through which HDF5 reaches our files have in common.

#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace riffle::hdf5 {

/// Of a driver without its functions. @param value  its number, of those that are free for all: 512 to 65535
inline H5FD_class_t driver_class(const char* name, [[maybe_unused]] int value) {
  static const H5FD_mem_t kinds[] = H5FD_FLMAP_DICHOTOMY;
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(value);
#endif
  driver.name = name;
  driver.maxaddr = INT64_MAX;
  driver.fc_degree = H5F_CLOSE_WEAK;
  std::copy(std::begin(kinds), std::end(kinds), std::begin(driver.fl_map));
  return driver;
}

}  // namespace riffle::hdf5
