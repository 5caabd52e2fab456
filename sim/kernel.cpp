#include "sim/kernel.h"

#include <numbers>

#include "core/error.h"

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
  } else if (kind == KernelKind::Poly6Spiky) {
    // Integrals over the disc and the ball: of (1 - q^2)^3 pi H^2 / 4 and 64 pi H^3 / 315, of (1 - q)^3 pi H^2 / 10 and
    // pi H^3 / 15.
    const double poly6 = dimension == 2 ? 4 / (pi * H * H) : 315 / (64 * pi * H * H * H);
    const double spiky = dimension == 2 ? 10 / (pi * H * H) : 15 / (pi * H * H * H);
    kernel.value_scale = static_cast<float>(poly6);
    kernel.gradient_scale = static_cast<float>(-3 * spiky / (H * H));
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
  if (kind != KernelKind::Poly6Spiky) kernel.gradient_scale = static_cast<float>(kernel.gradient_scale * factor);
  return kernel;
}

std::string why_no_kernel(SolverKind solver, KernelKind kind) {
  if (kind != KernelKind::Poly6Spiky) return "";
  return std::string("found poly6_spiky; allowed with solver.type ") + to_string(solver) +
         ": wendland_c2 or cubic_spline, since its pressure needs gradients that are the derivative of its densities";
}

void require_derived_gradient(SolverKind solver, KernelKind kind) {
  if (const std::string why = why_no_kernel(solver, kind); !why.empty()) throw InputError("solver.kernel: " + why);
}

}  // namespace riffle
