#include "sim/motion/wavemaker.h"

#include <cmath>
#include <numbers>

#include "sim/motion/drive.h"

namespace riffle::wavemaker {

double wave_number(double period, double depth, double gravity) {
  const double omega = 2 * std::numbers::pi / period;
  const double deep = omega * omega * depth / gravity;  // k d in deep water
  double kd = deep / std::sqrt(std::tanh(deep));        // within 6 % of it
  for (int k = 0; k < 20; ++k) {                        // Newton
    const double t = std::tanh(kd);
    const double way = (kd * t - deep) / (t + kd * (1 - t * t));
    kd -= way;
    if (std::fabs(way) < 1e-14 * kd) break;
  }
  return kd / depth;
}

double height_over_stroke(WavemakerKind kind, double kd) {
  // 4 sinh(kd) / (sinh(2 kd) + 2 kd), without what overflows: e = exp(-kd), all times e^2.
  const double e = std::exp(-kd), sinh_e = -0.5 * std::expm1(-2 * kd), cosh_e = 0.5 * (1 + e * e);
  const double common = 4 * sinh_e / (2 * sinh_e * cosh_e + 2 * kd * e * e);
  if (kind == WavemakerKind::Piston) return common * sinh_e;
  // kd sinh(kd) - cosh(kd) + 1, whose terms cancel where kd is small.
  const double rise = kd > 0.01 ? kd * sinh_e - cosh_e + e : e * (kd * kd / 2 + kd * kd * kd * kd / 8);
  return common * rise / kd;
}

double stroke(const WavemakerSetup& wave, double gravity) {
  const double kd = wave_number(wave.period, wave.depth, gravity) * wave.depth;
  return wave.height / height_over_stroke(wave.kind, kd);
}

double breaking_steepness(double kd) { return 0.142 * std::tanh(kd); }

void apply(SolidDrive& drive, double gravity) {
  const WavemakerSetup& wave = drive.wave;
  const double half = 0.5 * stroke(wave, gravity);
  const Vec3 d = (1 / std::sqrt(length2(wave.direction))) * wave.direction;
  if (wave.kind == WavemakerKind::Piston) {
    drive.sway_amplitude = static_cast<float>(half) * d;
    drive.sway = {wave.period, 0};
    return;
  }
  drive.rotates = true;
  drive.about = wave.hinge;
  drive.axis = {d.z, 0, -d.x};  // y x d: positive angles tilt it the way the waves go
  drive.swing_angle = static_cast<float>(std::atan(half / wave.depth) * 180 / std::numbers::pi);
  drive.swing = {wave.period, 0};
}

}  // namespace riffle::wavemaker
