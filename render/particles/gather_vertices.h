#pragma once
/// The one kernel that reads the simulation's particles for drawing.

#include "core/math/vec.h"
#include "render/view.h"

namespace riffle::render {

/// out[i] = {x, y, z, value}. The value is the first that the view has of scalar[i], index[i] and |velocity[i]|, else
/// 0. Of a view of an earlier moment, {x, y, z} is the place then. A view that was gathered before is copied. `out` is (count) in memory that the view's device writes. Asynchronous
/// on CUDA.
/// @param speed (count) gets |velocity[i]| [m/s], or the speed of a gathered view, or 0 without either; may be nullptr
void gather_vertices(const ParticleView& particles, Vec4* out, float* speed = nullptr);

}  // namespace riffle::render
