/// The gather kernel and the ring of vertex buffers.

#include <glad/gl.h>

#include <limits>

#include "render/particles/extent.h"
#include "render/particles/gather_vertices.h"
#include "render/particles/shared_vertices.h"
#include "support/non_finite.h"
#include "tests/render/picture.h"

namespace riffle::test {
namespace {

std::string device_name_of(const ::testing::TestParamInfo<DeviceKind>& info) {
  return std::string(to_string(info.param));
}

class GatherVertices : public ::testing::TestWithParam<DeviceKind> {
 protected:
  void SetUp() override {
    if (GetParam() == DeviceKind::Cpu) return;
    if (!cuda_status().usable) GTEST_SKIP() << "NOT TESTED ON A GPU: " << cuda_status().reason;
    device = select_device(DeviceRequest::Cuda);
  }
  Device device;
};
INSTANTIATE_TEST_SUITE_P(Devices, GatherVertices, ::testing::Values(DeviceKind::Cpu, DeviceKind::Cuda), device_name_of);

TEST_P(GatherVertices, TakesTheScalarTheIndexOrTheSpeed) {
  constexpr int n = 3001;
  std::vector<Vec4> position(n), velocity(n);
  std::vector<float> scalar(n);
  std::vector<std::uint32_t> index(n);
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const float f = static_cast<float>(i);
    position[at] = {f, -f, 0.5f * f, 99};
    velocity[at] = {3 * f, 4 * f, 0, 99};
    scalar[at] = 7 - f;
    index[at] = static_cast<std::uint32_t>(i % 8);
  }
  const Buffer<Vec4> p(device, position), v(device, velocity);
  const Buffer<float> s(device, scalar);
  const Buffer<std::uint32_t> k(device, index);
  Buffer<Vec4> out(device, n);
  for (const int by : {0, 1, 2, 3}) {
    render::gather_vertices({device, n, p.data(), by < 3 ? v.data() : nullptr, by == 0 ? s.data() : nullptr, 1,
                             by <= 1 ? k.data() : nullptr},
                            out.data());
    const std::vector<Vec4> result = out.to_host();
    for (int i = 0; i < n; ++i) {
      const float f = static_cast<float>(i);
      const Vec4 r = result[static_cast<std::size_t>(i)];
      EXPECT_TRUE(xyz(r) == (Vec3{f, -f, 0.5f * f}));
      EXPECT_FLOAT_EQ(r.w, by == 0 ? 7 - f : by == 1 ? static_cast<float>(i % 8) : by == 2 ? 5 * f : 0);
    }
  }
}

TEST_P(GatherVertices, OfAnEarlierMomentLieWhereTheParticlesWere) {
  const Buffer<Vec4> p(device, std::vector<Vec4>{{1, 2, 3, 9}}), v(device, std::vector<Vec4>{{4, -8, 0.5f, 9}});
  Buffer<Vec4> out(device, 1);
  render::ParticleView view{device, 1, p.data(), v.data()};
  view.earlier = 0.25f;
  render::gather_vertices(view, out.data());
  EXPECT_TRUE(xyz(out.to_host()[0]) == (Vec3{0, 4, 2.875f}));
  view.velocity = nullptr;
  render::gather_vertices(view, out.data());
  EXPECT_TRUE(xyz(out.to_host()[0]) == (Vec3{1, 2, 3}));
}

TEST_P(GatherVertices, ExtentIsThatOfWhatIsShownAndOfNumbers) {
  const float inf = std::numeric_limits<float>::infinity();
  const Buffer<Vec4> p(device,
                       std::vector<Vec4>{{0, 1, 2, 0}, {1, 0, 0, 0}, {2, 5, 1, 0}, {3, 0, 0, 0}, {kNaN, 0, 0, 0}});
  const Buffer<float> s(device, std::vector<float>{2, kNaN, -3, inf, 50});
  const render::ParticleView view{device, 5, p.data(), nullptr, s.data(), 0.5f};
  const render::ParticleExtent all = render::measure_extent(view);
  EXPECT_TRUE(all.any);
  EXPECT_EQ(all.least, -3);
  EXPECT_EQ(all.most, 2) << "the one of 50 is nowhere";
  EXPECT_TRUE(all.min == (Vec3{-0.5f, -0.5f, -0.5f}));
  EXPECT_TRUE(all.max == (Vec3{3.5f, 5.5f, 2.5f}));
  const render::ParticleExtent cut = render::measure_extent(view, render::CutPlane{{1, 0, 0}, 0.5f});
  EXPECT_EQ(cut.least, 2);
  EXPECT_EQ(cut.most, 2);
  EXPECT_TRUE(cut.max == (Vec3{0.5f, 1.5f, 2.5f}));
  EXPECT_FALSE(render::measure_extent(view, render::CutPlane{{1, 0, 0}, -5}).any);
  EXPECT_FALSE(render::measure_extent({device, 0, nullptr, nullptr, nullptr, 1}).any);
}

class Vertices : public GlTest, public ::testing::WithParamInterface<DeviceKind> {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (IsSkipped() || HasFatalFailure() || GetParam() == DeviceKind::Cpu) return;
    if (!cuda_status().usable) GTEST_SKIP() << "NOT TESTED ON A GPU: " << cuda_status().reason;
    device = select_device(DeviceRequest::Cuda);
  }
  Device device;
};
INSTANTIATE_TEST_SUITE_P(Devices, Vertices, ::testing::Values(DeviceKind::Cpu, DeviceKind::Cuda), device_name_of);

template <class T>
std::vector<T> read_back(const render::SharedVertices& vertices, std::size_t offset = 0) {
  std::vector<T> data(static_cast<std::size_t>(vertices.count()));
  const auto bytes = static_cast<GLsizeiptr>(data.size() * sizeof(T));
  const auto begin = static_cast<GLintptr>(offset);
  glFinish();
  if (vertices.path() == render::TransferPath::Interop) {
    glGetNamedBufferSubData(vertices.buffer(), begin, bytes, data.data());
  } else {
    // A buffer that is mapped for writing may be read only through a copy.
    GLuint copy = 0;
    glCreateBuffers(1, &copy);
    glNamedBufferStorage(copy, bytes, nullptr, 0);
    glCopyNamedBufferSubData(vertices.buffer(), copy, begin, 0, bytes);
    glGetNamedBufferSubData(copy, 0, bytes, data.data());
    glDeleteBuffers(1, &copy);
  }
  return data;
}

TEST_P(Vertices, KeepTheirValuesWhileTheRingGrowsAndShrinks) {
  render::SharedVertices vertices(device);
  int frame = 0;
  for (const int n : {1, 1000, 1000, 1000, 200000, 5, 5, 5, 60000, 1}) {
    std::vector<Vec4> position(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
      position[static_cast<std::size_t>(i)] = {static_cast<float>(i), static_cast<float>(frame), 0, 0};
    const Buffer<Vec4> p(device, position);
    vertices.update({device, n, p.data(), nullptr, nullptr, 1});
    vertices.drawn();
    ASSERT_EQ(vertices.count(), n);
    const std::vector<Vec4> seen = read_back<Vec4>(vertices);
    for (int i = 0; i < n; ++i)
      ASSERT_TRUE(xyz(seen[static_cast<std::size_t>(i)]) ==
                  (Vec3{static_cast<float>(i), static_cast<float>(frame), 0}));
    EXPECT_LE(vertices.capacity(), 4 * static_cast<std::size_t>(n) + 4096) << "a smaller scene gives memory back";
    ++frame;
  }
}

TEST_P(Vertices, HaveTheirSpeedsBehindThemWheneverTheyAreAskedFor) {
  render::SharedVertices vertices(device);
  int frame = 0;
  for (const int n : {300, 300, 300, 300, 5000, 4900, 4900, 300, 300, 310, 300}) {
    const bool speeds = frame % 5 != 1;  // each of the three slots is used with and without
    std::vector<Vec4> position(static_cast<std::size_t>(n)), velocity(position.size());
    for (std::size_t i = 0; i < position.size(); ++i) {
      position[i] = {static_cast<float>(i), static_cast<float>(frame), 0, 0};
      velocity[i] = {0, -static_cast<float>(i + 1), 0, 0};
    }
    const Buffer<Vec4> p(device, position), v(device, velocity);
    vertices.update({device, n, p.data(), v.data(), nullptr, 1}, speeds);
    vertices.drawn();
    ASSERT_EQ(vertices.speed_offset().has_value(), speeds);
    const std::vector<Vec4> seen = read_back<Vec4>(vertices);
    for (std::size_t i = 0; i < seen.size(); ++i) ASSERT_TRUE(xyz(seen[i]) == xyz(position[i])) << frame << ": " << i;
    if (speeds) {
      ASSERT_EQ(*vertices.speed_offset() % 256, 0u) << "a storage block may begin there";
      ASSERT_GE(*vertices.speed_offset(), sizeof(Vec4) * seen.size());
      const std::vector<float> speed = read_back<float>(vertices, *vertices.speed_offset());
      for (std::size_t i = 0; i < speed.size(); ++i)
        ASSERT_EQ(speed[i], static_cast<float>(i + 1)) << frame << ": " << i;
    }
    ++frame;
  }
}

TEST_P(Vertices, TakeTheShortestPathThereIs) {
  const bool nvidia = context()->info().vendor.find("NVIDIA") != std::string::npos;
  const render::TransferPath expected = device.is_cpu() ? render::TransferPath::PersistentMapped
                                        : nvidia        ? render::TransferPath::Interop
                                                        : render::TransferPath::Upload;
  EXPECT_EQ(render::SharedVertices(device).path(), expected) << context()->info().renderer;
}

TEST_P(Vertices, DrawTheSamePictureFromEitherDevice) {
  Cloud cloud;
  cloud.radius = 0.05f;
  for (int i = 0; i < 300; ++i) {
    const float f = static_cast<float>(i);
    cloud.add({0.5f + 0.5f * std::sin(12.9f * f), 0.5f + 0.5f * std::sin(78.2f * f), 0.5f + 0.5f * std::sin(37.7f * f)},
              0.3f);
  }
  const Camera camera = render::frame_domain(unit_box(), {0, 1, 0}, 1.5f, false);
  render::RenderOptions options;
  options.spheres = render::SphereMethod::Raster;  // a software OpenGL would have a GPU's particles splatted
  render::Renderer on_cpu(240, 160, Device{}, options);
  on_cpu.draw(cloud.view(), camera, {}, unit_box());
  const Buffer<Vec4> p(device, cloud.position), v(device, cloud.velocity);
  render::Renderer renderer(240, 160, device, options);
  renderer.draw({device, static_cast<int>(p.size()), p.data(), v.data(), nullptr, cloud.radius}, camera, {},
                unit_box());
  EXPECT_EQ(renderer.read_image().rgb, on_cpu.read_image().rgb);
}

}  // namespace
}  // namespace riffle::test
