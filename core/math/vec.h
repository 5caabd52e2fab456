#pragma once
/// Small vectors that mean the same on both devices. 2-D simulations keep z = 0.

#include <cstdint>

#include "core/platform.h"

namespace riffle {

struct Vec3 {
  float x = 0, y = 0, z = 0;
};

/// 16-byte aligned, so that a GPU thread loads it in one transaction.
struct alignas(16) Vec4 {
  float x = 0, y = 0, z = 0, w = 0;
};

struct Int3 {
  int x = 0, y = 0, z = 0;
};

RIFFLE_INLINE Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
RIFFLE_INLINE Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
RIFFLE_INLINE Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
RIFFLE_INLINE Vec3 operator*(float s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
RIFFLE_INLINE Vec3 operator*(Vec3 a, float s) { return s * a; }
RIFFLE_INLINE Vec3& operator+=(Vec3& a, Vec3 b) { return a = a + b; }
RIFFLE_INLINE Vec3& operator-=(Vec3& a, Vec3 b) { return a = a - b; }
RIFFLE_INLINE bool operator==(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
RIFFLE_INLINE bool operator==(Int3 a, Int3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
RIFFLE_INLINE float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
RIFFLE_INLINE float length2(Vec3 a) { return dot(a, a); }

RIFFLE_INLINE Vec3 xyz(Vec4 a) { return {a.x, a.y, a.z}; }
RIFFLE_INLINE Vec4 make_vec4(Vec3 a, float w = 0) { return {a.x, a.y, a.z, w}; }

RIFFLE_INLINE float component(Vec3 a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }
RIFFLE_INLINE int component(Int3 a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

/// False for NaN too: every comparison with NaN is false.
RIFFLE_INLINE bool is_finite(float x) { return x >= -3.402823466e38f && x <= 3.402823466e38f; }
RIFFLE_INLINE bool is_finite(Vec3 a) { return is_finite(a.x) && is_finite(a.y) && is_finite(a.z); }

}  // namespace riffle
