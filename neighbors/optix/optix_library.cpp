#include "neighbors/optix/optix_library.h"

#include <dlfcn.h>

#include <cstdlib>

#include "core/error.h"
#include "core/text/log.h"

namespace riffle {

namespace {

/// The driver's own name of a code, if the function table is loaded already.
std::string name_of(const optix::FunctionTable& table, optix::Result code) {
  if (!table.error_name || !table.error_string) return std::to_string(code);
  return fmt::format("{} ({}): {}", table.error_name(code), code, table.error_string(code));
}

}  // namespace

void OptixLibrary::Unload::operator()(void* handle) const { dlclose(handle); }

OptixLibrary::OptixLibrary(const std::string& name) : handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (!handle_) {
    const char* why = dlerror();
    throw Unavailable(fmt::format("{} cannot be loaded ({})", name, why ? why : "no reason given"));
  }
  const auto query = reinterpret_cast<optix::QueryFunctionTable>(dlsym(handle_.get(), optix::kEntryPoint));
  if (!query) throw Unavailable(fmt::format("{} has no {}: it is not OptiX", name, optix::kEntryPoint));
  const optix::Result code = query(optix::kAbiVersion, 0, nullptr, nullptr, &table_, sizeof table_);
  if (code == optix::kUnsupportedAbiVersion)
    throw Unavailable(fmt::format("{} does not know version {} of the interface: the driver is older than 495", name,
                                  optix::kAbiVersion));
  if (code != 0)
    throw Unavailable(
        fmt::format("{} refuses version {} of the interface with code {}", name, optix::kAbiVersion, code));
}

void OptixLibrary::check(optix::Result code, const char* what, const std::string& details) const {
  if (code == 0) return;
  throw RuntimeFailure(
      fmt::format("OptiX, {}: {}{}{}", what, name_of(table_, code), details.empty() ? "" : "; ", details));
}

void OptixLibrary::log_failure(optix::Result code, const char* what) const noexcept {
  if (code == 0) return;
  try {
    log::error("OptiX, {}: {}", what, name_of(table_, code));
  } catch (...) {  // a message that cannot be composed is no reason to end the program
  }
}

std::string optix_library_name() {
  const char* name = std::getenv("RIFFLE_OPTIX_LIBRARY");
  return name && *name ? name : optix::kLibraryName;
}

}  // namespace riffle
