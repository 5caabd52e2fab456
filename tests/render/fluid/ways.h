#pragma once
/// Who draws the fluid look.

#include <ostream>
#include <string>
#include <vector>

#include "render/sphere_method.h"
#include "support/devices.h"

namespace riffle::test {

/// The drawing method: OpenGL, or kernels on a device.
struct Way {
  render::SphereMethod method;
  DeviceKind kind;
};
inline std::string name_of(const Way& way) {
  return std::string(to_string(way.method)) + '_' + std::string(to_string(way.kind));
}
inline void PrintTo(const Way& way, std::ostream* out) { *out << name_of(way); }

inline std::vector<Way> ways() {
  std::vector<Way> all{{render::SphereMethod::Raster, DeviceKind::Cpu}};
  for (const DeviceKind kind : built_devices()) all.push_back({render::SphereMethod::Splat, kind});
  return all;
}

}  // namespace riffle::test
