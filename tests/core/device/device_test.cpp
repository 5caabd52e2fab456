#include "core/device/device.h"

#include "core/error.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

TEST(SelectDevice, TheCpuIsAlwaysThere) {
  const Device device = select_device(DeviceRequest::Cpu);
  EXPECT_TRUE(device.is_cpu());
  EXPECT_FALSE(device_name(device).empty());
  EXPECT_GE(cpu_threads(), 1);
  EXPECT_NO_THROW(synchronize(device));
}

TEST(SelectDevice, AutoFallsBackInsteadOfFailing) {
  EXPECT_EQ(select_device(DeviceRequest::Auto).is_cuda(), cuda_status().usable);
}

TEST(SelectDevice, AGpuThatIsNotThereIsUnavailableAndSaysWhy) {
  if (cuda_status().usable) GTEST_SKIP() << "this machine has a usable GPU";
  try {
    select_device(DeviceRequest::Cuda);
    FAIL() << "a GPU was selected";
  } catch (const Unavailable& error) {
    EXPECT_NE(std::string(error.what()).find(cuda_status().reason), std::string::npos) << error.what();
  }
}

TEST(SelectDevice, TheStatusOfCudaIsEitherUsableOrHasAReason) {
  EXPECT_EQ(cuda_status().reason.empty(), cuda_status().usable) << cuda_status().reason;
  EXPECT_EQ(cuda_status().compiled_in, RIFFLE_WITH_CUDA == 1);
  if (!cuda_status().usable) return;
  EXPECT_FALSE(cuda_status().name.empty());
  EXPECT_GE(cuda_status().compute_capability, kLeastComputeCapability);
  EXPECT_GE(cuda_status().driver_version, cuda_status().runtime_version / 1000 * 1000);
}

TEST(SelectDevice, AGpuThatIsTooOldIsRefusedWithWhatItHasAndWhatIsNeeded) {
  EXPECT_EQ(capability_problem(61),
            "the GPU has compute capability 6.1, and Riffle needs 7.0 or above (Volta, 2017, and later)");
  EXPECT_EQ(capability_problem(70), "");
  EXPECT_EQ(capability_problem(120), "");
}

TEST(Devices, CompareByPlace) {
  int stream = 0;
  EXPECT_EQ(Device{}, (Device{DeviceKind::Cpu, 0, &stream}));
  EXPECT_FALSE(Device{} == (Device{DeviceKind::Cuda, 0, nullptr}));
  EXPECT_FALSE((Device{DeviceKind::Cuda, 1, nullptr}) == (Device{DeviceKind::Cuda, 0, nullptr}));
  EXPECT_EQ(to_string(DeviceKind::Cpu), "cpu");
  EXPECT_EQ(to_string(DeviceKind::Cuda), "cuda");
}

class GpuCases : public testing::TestWithParam<DeviceKind> {};

TEST_P(GpuCases, RunOnThisMachine) {
  if (!cuda_status().usable) GTEST_SKIP() << "NOTHING RAN ON A GPU: " << cuda_status().reason;
}

// Runs in every build, so that every run of the tests reports whether it used a GPU.
INSTANTIATE_TEST_SUITE_P(OnEachDevice, GpuCases, testing::Values(DeviceKind::Cuda),
                         [](const auto& info) { return std::string(to_string(info.param)); });

class FreeMemory : public OnEachDevice {};

TEST_P(FreeMemory, IsPlausible) {
  EXPECT_GT(free_memory(device()), std::size_t{1} << 20);
  EXPECT_LT(free_memory(device()), std::size_t{1} << 50);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(FreeMemory);

}  // namespace
}  // namespace riffle::test
