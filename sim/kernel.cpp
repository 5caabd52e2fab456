#include "sim/kernel.h"

#include <numbers>

namespace riffle {

SmoothingKernel make_normalized_kernel(KernelKind kind, int dimension, float h) {
  constexpr double pi = std::numbers::pi;
  SmoothingKernel kernel;
  kernel.kind = kind;
  kernel.h = h;
  kernel.inverse_h = 1.0f / h;
  const double H = h, s = H / 2;
  if (kind == KernelKind::WendlandC2) {
    const double alpha = dimension == 2 ? 7 / (pi * H * H) : 21 / (2 * pi * H * H * H);
    kernel.value_scale = static_cast<float>(alpha);
    kernel.gradient_scale = static_cast<float>(-20 * alpha / (H * H));
  } else {
    const double sigma = dimension == 2 ? 10 / (7 * pi * s * s) : 1 / (pi * s * s * s);
    kernel.value_scale = static_cast<float>(sigma);
    kernel.gradient_scale = static_cast<float>(-sigma / (s * s));
  }
  return kernel;
}

SmoothingKernel make_kernel(KernelKind kind, int dimension, float h, float spacing) {
  SmoothingKernel kernel = make_normalized_kernel(kind, dimension, h);
  const int reach = static_cast<int>(h / spacing) + 1;
  const int reach_z = dimension == 3 ? reach : 0;
  double sum = 0;
  for (int z = -reach_z; z <= reach_z; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const double r = spacing * std::sqrt(double(x * x + y * y + z * z));
        if (r < h) sum += kernel.value(static_cast<float>(r));
      }
  const double factor = 1.0 / (sum * std::pow(double{spacing}, dimension));
  kernel.value_scale = static_cast<float>(kernel.value_scale * factor);
  kernel.gradient_scale = static_cast<float>(kernel.gradient_scale * factor);
  return kernel;
}

}  // namespace riffle
