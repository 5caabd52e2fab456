#include "render/gl/driver_leaks.h"

#if defined(__SANITIZE_ADDRESS__)
#include <dlfcn.h>
#include <link.h>
#include <cstddef>

// Memory that software OpenGL drivers, their libraries and their compiler keep until the process ends; we cannot free
// it.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libubsan\nleak:libLLVM\nleak:swrast_dri\nleak:libgallium\nleak:libEGL\nleak:libGLX\nleak:libxcb\nleak:"
         "libX11\n";
}

void riffle::render::keep_drivers_loaded() {
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void*) {
        if (module->dlpi_name && *module->dlpi_name) dlopen(module->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        return 0;
      },
      nullptr);
}
#else
void riffle::render::keep_drivers_loaded() {}
#endif
