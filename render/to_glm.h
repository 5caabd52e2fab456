#pragma once

#include <glm/vec3.hpp>

#include "core/math/vec.h"

namespace riffle::render {

inline glm::vec3 to_glm(Vec3 v) { return {v.x, v.y, v.z}; }

}  // namespace riffle::render
