#pragma once
/// Tests that run once per device. Without a GPU the CUDA tests are skipped with the reason.

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "core/device/device.h"

namespace riffle {

inline void PrintTo(DeviceKind kind, std::ostream* out) { *out << to_string(kind); }

}  // namespace riffle

namespace riffle::test {

/// The devices that this build has code for. One case of tests/core says so when CUDA is not among them.
inline std::vector<DeviceKind> built_devices() {
#if RIFFLE_WITH_CUDA
  return {DeviceKind::Cpu, DeviceKind::Cuda};
#else
  return {DeviceKind::Cpu};
#endif
}

/// For a fixture's SetUp(): skips the test if the device is missing.
inline void skip_without(DeviceKind kind) {
  if (kind == DeviceKind::Cuda && !cuda_status().usable)
    GTEST_SKIP() << "NOTHING RAN ON A GPU: " << cuda_status().reason;
}

inline Device device_of(DeviceKind kind) {
  return select_device(kind == DeviceKind::Cuda ? DeviceRequest::Cuda : DeviceRequest::Cpu);
}

class OnEachDevice : public testing::TestWithParam<DeviceKind> {
 protected:
  void SetUp() override { skip_without(GetParam()); }
  Device device() const { return device_of(GetParam()); }
};

#define RIFFLE_INSTANTIATE_ON_EACH_DEVICE(suite)                                                    \
  INSTANTIATE_TEST_SUITE_P(OnEachDevice, suite, testing::ValuesIn(::riffle::test::built_devices()), \
                           [](const auto& info) { return std::string(to_string(info.param)); })

}  // namespace riffle::test
