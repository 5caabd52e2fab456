#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <cstdlib>

#include "app/cli/processor.h"
#include "app/command/command.h"
#include "app/desktop/shell/desktop.h"
#include "core/device/device.h"
#include "core/text/number_text.h"
#include "core/text/printable.h"
#include "neighbors/optix/optix_status.h"
#include "render/gl/offscreen_context.h"
#include "render/media/video.h"
#include "render/sphere_method.h"
#include "scenes/catalog.h"

namespace riffle {

namespace {

/// One thing that the program can use: whether it is present, and how to get it.
void print(const char* name, bool there, const std::string& state, const std::string& remedy = "") {
  fmt::print("{} {:<13} {}\n", there ? "[ok]" : "[--]", name, printable_line(state));
  if (!remedy.empty()) fmt::print("     {:<13} -> {}\n", "", remedy);
}

std::string cuda_version(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

void examine_cuda() {
  const CudaStatus& cuda = cuda_status();
  if (!cuda.usable) {
    print("CUDA", false, cuda.reason);
    return;
  }
  print("CUDA", true,
        fmt::format("{}, compute capability {}.{}, {}; driver accepts CUDA {}, built with {}", cuda.name,
                    cuda.compute_capability / 10, cuda.compute_capability % 10,
                    bytes_text(static_cast<double>(cuda.total_memory)), cuda_version(cuda.driver_version),
                    cuda_version(cuda.runtime_version)));
}

void examine_display() {
  const char* const remedy = "scenes run without a window, and pictures and movies are drawn off-screen";
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  const char* x11 = std::getenv("DISPLAY");
  std::string name;
  if (x11 && *x11) name = fmt::format("X11 ({})", x11);
  if (wayland && *wayland) name += fmt::format("{}Wayland ({})", name.empty() ? "" : " and ", wayland);
  if (name.empty()) {
    print("display", false, "none: neither WAYLAND_DISPLAY nor DISPLAY is set", remedy);
    return;
  }
  const std::string reason = desktop::why_no_window();
  print("display", reason.empty(), name + ": " + (reason.empty() ? "the window can be opened" : reason),
        reason.empty() ? "" : remedy);
}

void examine_opengl() {
  const auto probe = render::OffscreenContext::probe();
  if (probe.found) {
    print("OpenGL", true,
          fmt::format("{}, {} ({}){}", probe.info.renderer, probe.info.version, probe.platform,
                      probe.info.software ? "; drawn by the processor" : ""));
    const auto above = render::splat_above(select_device(DeviceRequest::Auto), probe.info.software);
    print("spheres", true,
          !above       ? "drawn by OpenGL"
          : *above > 0 ? fmt::format("drawn by OpenGL, and above {} particles by kernels", *above)
                       : "drawn by kernels");
  } else {
    print("OpenGL", false, "no off-screen context: " + probe.why_not,
          "runs go on without pictures; Debian: apt install libegl1 libgl1-mesa-dri");
  }
}

void examine_ffmpeg() {
  std::string why_not;
  if (render::VideoWriter::available(&why_not))
    print("ffmpeg", true, "found: --video writes movies");
  else
    print("ffmpeg", false, why_not.empty() ? "not found" : why_not, "--video needs it; Debian: apt install ffmpeg");
}

void examine_optix() {
  const OptixStatus optix = optix_status();
  print("OptiX", optix.usable, optix.state,
        optix.usable ? "" : "it comes with NVIDIA's display driver; without it rtnn searches with a tree of its own");
}

int examine_machine() {
  utsname system{};
  uname(&system);
  fmt::print("riffle {} ({}, {}, {}, {} CUDA)\n{} {} {}\n\n", RIFFLE_VERSION, RIFFLE_COMPILER, RIFFLE_BUILD_TYPE,
             *RIFFLE_ARCH ? RIFFLE_ARCH : "the compiler's default processor",
             cuda_status().compiled_in ? "with" : "without", system.sysname, system.release, system.machine);
  const Device cpu;
  print("processor", true, fmt::format("{}, {} threads", device_name(cpu), cpu_threads()));
  print("instructions", true, fmt::format("the program needs {}; this processor has them", instruction_sets()));
  print("memory", true, fmt::format("{} available", bytes_text(static_cast<double>(free_memory(cpu)))));
  examine_cuda();
  examine_display();
  examine_opengl();
  examine_ffmpeg();
  examine_optix();
  const auto scenes = scenes::list_scenes();
  print("scenes", !scenes.empty(), fmt::format("{} in {}", scenes.size(), fmt::join(scenes::scene_folders(), ", ")),
        scenes.empty() ? "give `riffle run` the path of a scene file" : "");
  return 0;
}

}  // namespace

CommandRow doctor_command() {
  return command_row("doctor", "what this machine offers: processor, GPU, OpenGL, ffmpeg", examine_machine);
}

}  // namespace riffle
