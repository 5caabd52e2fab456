#include "app/cli/version_text.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>
#include <imgui.h>
#include <png.h>
#include <spdlog/version.h>
#include <tbb/version.h>
#include <zlib.h>

#include <CLI/Version.hpp>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/build_commit.h"
#include "app/cli/processor.h"

namespace riffle {

namespace {

/// Those that are loaded, by what they say themselves; of the others what was compiled in.
std::vector<std::string> libraries() {
  unsigned hdf5[3] = {};
  H5get_libversion(&hdf5[0], &hdf5[1], &hdf5[2]);
  int glfw[3] = {};
  glfwGetVersion(&glfw[0], &glfw[1], &glfw[2]);
  return {
      fmt::format("oneTBB {}", TBB_runtime_version()),
      fmt::format("HDF5 {}.{}.{}", hdf5[0], hdf5[1], hdf5[2]),
      fmt::format("libpng {}", png_get_libpng_ver(nullptr)),
      fmt::format("zlib {}", zlibVersion()),
      fmt::format("GLFW {}.{}.{}", glfw[0], glfw[1], glfw[2]),
      fmt::format("Dear ImGui {}", ImGui::GetVersion()),
      fmt::format("fmt {}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100),
      fmt::format("spdlog {}.{}.{}", SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR, SPDLOG_VER_PATCH),
      "yaml-cpp " RIFFLE_YAML_CPP_VERSION,
      fmt::format("nlohmann-json {}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                  NLOHMANN_JSON_VERSION_PATCH),
      "CLI11 " CLI11_VERSION,
      "Assimp " RIFFLE_ASSIMP_VERSION " (riffle-import)",
  };
}

std::string instructions() {
  const std::string sets = instruction_sets();
  const std::string arch = *RIFFLE_ARCH ? RIFFLE_ARCH : "the compiler's default processor";
  return fmt::format("{} ({})", arch, sets);
}

std::string cuda() {
  if (!RIFFLE_WITH_CUDA) return "no: computes on the CPU";
  return fmt::format(
      "{}, compute capabilities {} (one without -real is there as PTX, too, for newer GPUs); OptiX comes from the "
      "driver",
      RIFFLE_CUDA_VERSION, RIFFLE_CUDA_ARCHITECTURES);
}

}  // namespace

std::string version_text() {
  return fmt::format(
      "riffle {}\n"
      "commit        {}\n"
      "build         {}, {}{}\n"
      "instructions  {}\n"
      "CUDA          {}\n"
      "libraries     {}",
      RIFFLE_VERSION, build_commit(), RIFFLE_BUILD_TYPE, RIFFLE_COMPILER, RIFFLE_SANITIZED ? ", sanitizers" : "",
      instructions(), cuda(), fmt::join(libraries(), ", "));
}

}  // namespace riffle
