#include "core/device/buffer.h"

#include <cstdint>
#include <utility>

#include "core/error.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

class Buffers : public OnEachDevice {};

TEST_P(Buffers, WhatIsAssignedComesBack) {
  Buffer<std::uint32_t> buffer(device());
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.to_host(), std::vector<std::uint32_t>{});
  const std::vector<std::uint32_t> values{1, 2, 3, 0xffffffffu};
  buffer.assign(values);
  EXPECT_EQ(buffer.to_host(), values);
  buffer.fill_zero();
  EXPECT_EQ(buffer.to_host(), std::vector<std::uint32_t>(4, 0));
  buffer.assign({});
  EXPECT_TRUE(buffer.empty());
}

TEST_P(Buffers, AMoveTakesTheMemoryAndLeavesNothing) {
  const std::vector<float> values{1, 2, 3};
  Buffer<float> first(device(), values);
  const float* data = first.data();
  Buffer<float> second = std::move(first);
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(first.data(), nullptr);
  EXPECT_EQ(first.size(), 0u);
  EXPECT_EQ(second.device(), device());

  Buffer<float> third(device(), 100);
  third = std::move(second);
  EXPECT_EQ(third.to_host(), values);
  EXPECT_EQ(second.bytes(), 0u);
  Buffer<float>& itself = third;
  third = std::move(itself);
  EXPECT_EQ(third.to_host(), values);
}

TEST_P(Buffers, ASmallerSizeKeepsTheMemory) {
  Buffer<float> buffer(device(), 1000);
  const float* data = buffer.data();
  buffer.resize(10);
  EXPECT_EQ(buffer.size(), 10u);
  EXPECT_EQ(buffer.bytes(), 4000u);
  buffer.resize(0);
  buffer.resize(1000);
  EXPECT_EQ(buffer.data(), data);
  buffer.resize(1001);
  EXPECT_EQ(buffer.size(), 1001u);
  EXPECT_EQ(buffer.bytes(), 4500u) << "an eighth more than it had";
  buffer.resize(2000);
  EXPECT_EQ(buffer.bytes(), 8000u) << "as much as is asked for";
}

TEST_P(Buffers, MemoryIsAlignedForVectorLoads) {
  for (const std::size_t n : {1, 3, 1000}) {
    Buffer<std::uint8_t> buffer(device(), n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256, 0u);
  }
}

TEST_P(Buffers, EveryByteIsGivenBack) {
  const std::size_t before = allocated_bytes(GetParam());
  {
    Buffer<float> a(device(), 1000), b(device(), std::vector<float>(500, 1.0f)), empty(device());
    EXPECT_EQ(allocated_bytes(GetParam()), before + 6000);
    a.resize(2000);
    EXPECT_EQ(allocated_bytes(GetParam()), before + 10000);
    b = std::move(a);
    EXPECT_EQ(allocated_bytes(GetParam()), before + 8000);
    b.release();
    EXPECT_EQ(allocated_bytes(GetParam()), before);
    b.resize(10);
  }
  EXPECT_EQ(allocated_bytes(GetParam()), before);
}

TEST_P(Buffers, TooMuchMemoryIsUnavailableWithTheNumbers) {
  const std::size_t before = allocated_bytes(GetParam());
  Buffer<float> buffer(device(), 10);
  try {
    buffer.resize(std::size_t{250} << 40);  // 1 PB
    FAIL() << "a petabyte was granted";
  } catch (const Unavailable& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("out of memory"), std::string::npos) << message;
    EXPECT_NE(message.find("1000 TiB"), std::string::npos) << message;
    EXPECT_NE(message.find(to_string(GetParam())), std::string::npos) << message;
    EXPECT_NE(message.find("are free"), std::string::npos) << message;
  }
  EXPECT_EQ(buffer.size(), 0u);
  buffer.assign(std::vector<float>{1, 2});  // and the device still works
  EXPECT_EQ(buffer.to_host(), (std::vector<float>{1, 2}));
  buffer.release();
  EXPECT_EQ(allocated_bytes(GetParam()), before);
}

TEST_P(Buffers, CopiesOnTheDeviceCopyBytes) {
  const std::vector<std::uint32_t> values{5, 6, 7};
  const Buffer<std::uint32_t> from(device(), values);
  Buffer<std::uint32_t> to(device(), 3);
  to.fill_zero();
  copy_on_device(device(), to.data(), from.data(), 2 * sizeof(std::uint32_t));
  EXPECT_EQ(to.to_host(), (std::vector<std::uint32_t>{5, 6, 0}));
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Buffers);

}  // namespace
}  // namespace riffle::test
