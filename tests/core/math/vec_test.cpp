#include "core/math/vec.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/device/atomic.h"
#include "core/math/domain.h"

namespace riffle::test {
namespace {

TEST(Vectors, AVec4IsOneAlignedLoad) {
  EXPECT_EQ(sizeof(Vec4), 16u);
  EXPECT_EQ(alignof(Vec4), 16u);
}

TEST(Vectors, ComponentsAreThoseOfTheAxis) {
  const Vec3 a{1, 2, 3};
  for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(component(a, axis), static_cast<float>(axis + 1));
  EXPECT_TRUE(a - a == Vec3{});
  EXPECT_TRUE(-a + 2 * a == a);
  EXPECT_EQ(length2(a), 14);
}

TEST(Vectors, NothingThatIsNotANumberIsFinite) {
  for (const float x : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                        -std::numeric_limits<float>::infinity()}) {
    EXPECT_FALSE(is_finite(x));
    EXPECT_FALSE(is_finite(Vec3{0, x, 0}));
  }
  for (const float x : {0.0f, -0.0f, std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest(),
                        std::numeric_limits<float>::denorm_min()})
    EXPECT_TRUE(is_finite(x)) << x;
}

TEST(Vectors, TheThirdAxisOfTwoDimensionsIsNeitherPeriodicNorWalled) {
  Domain domain;
  domain.dimension = 2;
  for (Axis& axis : domain.axis) axis = Axis::Periodic;
  EXPECT_TRUE(domain.periodic(1));
  EXPECT_FALSE(domain.periodic(2));
  for (Axis& axis : domain.axis) axis = Axis::Walled;
  EXPECT_TRUE(domain.walled(1));
  EXPECT_FALSE(domain.walled(2));
}

TEST(Atomics, TheMaximumOfFloatsIsThatOfTheirValues) {
  std::uint32_t bits = float_bits(0);
  for (const float x : {1e-40f, 0.5f, 0.25f, 3e38f, 1.0f}) atomic_max_nonnegative(&bits, x);
  EXPECT_EQ(float_from_bits(bits), 3e38f);
  atomic_max_nonnegative(&bits, std::numeric_limits<float>::quiet_NaN());
  EXPECT_NE(float_from_bits(bits), float_from_bits(bits)) << "NaN must win";
  std::uint32_t count = 5;
  EXPECT_EQ(atomic_add(&count, 3), 5u);
  EXPECT_EQ(count, 8u);
}

TEST(Domain, IsEqualWhereBoxAndFacesAre) {
  const Domain box{3, {0, 0, 0}, {1, 2, 3}, {Axis::Walled, Axis::Periodic, Axis::Open}};
  EXPECT_EQ(box, Domain(box));
  for (int a = 0; a < 3; ++a) {
    Domain other = box;
    other.axis[a] = other.axis[a] == Axis::Open ? Axis::Walled : Axis::Open;
    EXPECT_FALSE(box == other) << "axis " << a;
  }
  Domain moved = box, longer = box, flat = box;
  moved.min.y = -1, longer.max.z = 4, flat.dimension = 2;
  EXPECT_FALSE(box == moved);
  EXPECT_FALSE(box == longer);
  EXPECT_FALSE(box == flat);
  Domain flat_and_deep = flat;
  flat_and_deep.max.z = 9, flat_and_deep.axis[2] = Axis::Walled;
  EXPECT_EQ(flat, flat_and_deep) << "2-D has no third axis";
}

}  // namespace
}  // namespace riffle::test
