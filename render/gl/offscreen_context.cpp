#include "render/gl/offscreen_context.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glad/egl.h>
#include <glad/gl.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/text/log.h"
#include "render/gl/driver_leaks.h"

namespace riffle::render {
namespace {

/// A display that was not opened yet.
struct Candidate {
  std::string platform;
  EGLDisplay display = EGL_NO_DISPLAY;
  std::optional<int> cuda_ordinal;
  int rank = 0;  ///< tried in ascending order
};

bool contains_word(const char* list, std::string_view word) {
  for (std::string_view rest = list ? list : ""; !rest.empty();) {
    const std::size_t end = rest.find(' ');
    if (rest.substr(0, end) == word) return true;
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return false;
}

const char* egl_error_name(EGLint code) {
  switch (code) {
    case EGL_SUCCESS: return "no error given";
    case EGL_NOT_INITIALIZED: return "EGL_NOT_INITIALIZED";
    case EGL_BAD_ACCESS: return "EGL_BAD_ACCESS";
    case EGL_BAD_ALLOC: return "EGL_BAD_ALLOC";
    case EGL_BAD_ATTRIBUTE: return "EGL_BAD_ATTRIBUTE";
    case EGL_BAD_CONFIG: return "EGL_BAD_CONFIG";
    case EGL_BAD_CONTEXT: return "EGL_BAD_CONTEXT";
    case EGL_BAD_DISPLAY: return "EGL_BAD_DISPLAY";
    case EGL_BAD_MATCH: return "EGL_BAD_MATCH";
    case EGL_BAD_PARAMETER: return "EGL_BAD_PARAMETER";
    default: return "an EGL error";
  }
}

/// The library, opened once and kept open, because drivers fail when they are unloaded and loaded again.
struct Library {
  void* handle = nullptr;
  std::string why_not;
  PFNEGLGETPROCADDRESSPROC get_proc_address = nullptr;

  static const Library& get() {
    static const Library library;
    return library;
  }

  template <class F>
  F function(const char* name) const {
    // Before EGL 1.5 eglGetProcAddress need not return core functions.
    if (void* symbol = dlsym(handle, name)) return reinterpret_cast<F>(symbol);
    return reinterpret_cast<F>(get_proc_address(name));
  }

 private:
  Library() {
    for (const char* name : {"libEGL.so.1", "libEGL.so"}) {
      handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (handle) break;
      if (why_not.empty()) why_not = dlerror();
    }
    if (!handle) return;
    get_proc_address = reinterpret_cast<PFNEGLGETPROCADDRESSPROC>(dlsym(handle, "eglGetProcAddress"));
    if (!get_proc_address) {
      why_not = "libEGL has no eglGetProcAddress";
      handle = nullptr;
    }
  }
};

GLADapiproc load_egl_symbol(const char* name) { return Library::get().function<GLADapiproc>(name); }

/// A process shares one display per device, so only its last user may terminate it.
std::mutex display_mutex;
std::map<EGLDisplay, int> display_users;

void release_display(EGLDisplay display) {
  const std::scoped_lock lock(display_mutex);
  if (--display_users[display] == 0) {
    display_users.erase(display);
    eglTerminate(display);
  }
}

std::vector<Candidate> list_candidates(std::optional<int> cuda_ordinal, std::vector<std::string>& reasons) {
  const Library& egl = Library::get();
  std::vector<Candidate> candidates;
  const auto query_string = egl.function<PFNEGLQUERYSTRINGPROC>("eglQueryString");
  const char* extensions = query_string ? query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS) : nullptr;
  const auto get_platform_display = egl.function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");

  const auto query_devices = egl.function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  if (get_platform_display && query_devices && contains_word(extensions, "EGL_EXT_platform_device")) {
    EGLint count = 0;
    query_devices(0, nullptr, &count);
    std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(std::max(count, 0)));
    if (count > 0 && !query_devices(count, devices.data(), &count)) count = 0;
    if (count == 0) reasons.emplace_back("EGL device platform: no devices");
    const auto query_attribute = egl.function<PFNEGLQUERYDEVICEATTRIBEXTPROC>("eglQueryDeviceAttribEXT");
    const auto query_device_string = egl.function<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    for (EGLint i = 0; i < count; ++i) {
      Candidate candidate;
      candidate.platform = fmt::format("EGL device {}", i);
      const char* device_extensions =
          query_device_string ? query_device_string(devices[static_cast<std::size_t>(i)], EGL_EXTENSIONS) : nullptr;
      EGLAttrib ordinal = -1;
      if (query_attribute && contains_word(device_extensions, "EGL_NV_device_cuda") &&
          query_attribute(devices[static_cast<std::size_t>(i)], EGL_CUDA_DEVICE_NV, &ordinal))
        candidate.cuda_ordinal = static_cast<int>(ordinal);
      const bool software = contains_word(device_extensions, "EGL_MESA_device_software");
      const bool wanted = cuda_ordinal && candidate.cuda_ordinal == cuda_ordinal;
      candidate.rank = wanted ? 0 : software ? 3 : candidate.cuda_ordinal ? 1 : 2;
      candidate.display = get_platform_display(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr);
      candidates.push_back(candidate);
    }
  } else {
    reasons.emplace_back("EGL device platform: not offered");
  }
  if (get_platform_display && contains_word(extensions, "EGL_MESA_platform_surfaceless")) {
    const EGLDisplay display = get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    candidates.push_back({"EGL surfaceless", display, std::nullopt, 4});
  } else {
    reasons.emplace_back("EGL surfaceless platform: not offered");
  }
  if (const auto get_display = egl.function<PFNEGLGETDISPLAYPROC>("eglGetDisplay"))
    candidates.push_back({"EGL default display", get_display(EGL_DEFAULT_DISPLAY), std::nullopt, 5});
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
  return candidates;
}

/// ", found OpenGL 4.1 ...": the version of a display without 4.5; "" without any core context.
std::string older_version(EGLDisplay display, EGLConfig config) {
  const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 2, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
  if (context == EGL_NO_CONTEXT) return "";
  std::string found;
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    const auto get_string = reinterpret_cast<PFNGLGETSTRINGPROC>(eglGetProcAddress("glGetString"));
    const auto* version = get_string ? reinterpret_cast<const char*>(get_string(GL_VERSION)) : nullptr;
    if (version) found = fmt::format(", found OpenGL {}", version);
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  }
  eglDestroyContext(display, context);
  return found;
}

/// A current OpenGL 4.5 context on the candidate's display, or EGL_NO_CONTEXT and the reason.
EGLContext open_context(const Candidate& candidate, std::string& why_not) {
  const EGLDisplay display = candidate.display;
  if (display == EGL_NO_DISPLAY) {
    why_not = "no display";
    return EGL_NO_CONTEXT;
  }
  const auto initialize = Library::get().function<PFNEGLINITIALIZEPROC>("eglInitialize");
  const auto get_error = Library::get().function<PFNEGLGETERRORPROC>("eglGetError");
  {
    const std::scoped_lock lock(display_mutex);
    EGLint major = 0, minor = 0;
    if (!initialize || !initialize(display, &major, &minor)) {
      why_not =
          fmt::format("eglInitialize failed ({})", get_error ? egl_error_name(get_error()) : "no libEGL functions");
      return EGL_NO_CONTEXT;
    }
    if (!gladLoadEGL(display, load_egl_symbol)) {
      why_not = "the EGL functions could not be loaded";
      return EGL_NO_CONTEXT;
    }
    ++display_users[display];
  }
  EGLContext context = EGL_NO_CONTEXT;
  const auto refuse = [&](std::string reason) {
    why_not = std::move(reason);
    if (context != EGL_NO_CONTEXT) {
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
      eglDestroyContext(display, context);
    }
    release_display(display);
    return EGL_NO_CONTEXT;
  };

  if (!contains_word(eglQueryString(display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context"))
    return refuse("contexts without a surface are not supported");
  if (!eglBindAPI(EGL_OPENGL_API)) return refuse("desktop OpenGL is not supported");
  EGLConfig config = EGL_NO_CONFIG_KHR;
  if (!contains_word(eglQueryString(display, EGL_EXTENSIONS), "EGL_KHR_no_config_context")) {
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) return refuse("no OpenGL configuration");
  }
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               4,
                               EGL_CONTEXT_MINOR_VERSION,
                               5,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               EGL_CONTEXT_OPENGL_DEBUG,
                               EGL_TRUE,
                               EGL_NONE};
  context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
  if (context == EGL_NO_CONTEXT) {
    const std::string error = egl_error_name(eglGetError());
    return refuse(fmt::format("an OpenGL 4.5 core context was refused ({}{})", error, older_version(display, config)));
  }
  if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
    return refuse(fmt::format("the context could not be made current ({})", egl_error_name(eglGetError())));
  const int version = gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress));
  if (version == 0) return refuse("the OpenGL functions could not be loaded");
  const GlInfo info = current_gl_info();
  if (info.major < 4 || (info.major == 4 && info.minor < 5))
    return refuse(fmt::format("OpenGL {}.{} is older than the required 4.5", info.major, info.minor));
  return context;
}

}  // namespace

OffscreenContext::OffscreenContext(std::optional<int> cuda_ordinal) {
  const Library& egl = Library::get();
  if (!egl.handle)
    throw Unavailable(fmt::format("no off-screen OpenGL: {} (Debian's package libegl1 has it)", egl.why_not));
  std::vector<std::string> reasons;
  for (const Candidate& candidate : list_candidates(cuda_ordinal, reasons)) {
    std::string why_not;
    const EGLContext context = open_context(candidate, why_not);
    if (context == EGL_NO_CONTEXT) {
      reasons.push_back(fmt::format("{}: {}", candidate.platform, why_not));
      continue;
    }
    display_ = candidate.display;
    context_ = context;
    platform_ = candidate.platform;
    cuda_ordinal_ = candidate.cuda_ordinal;
    info_ = current_gl_info();
    install_gl_debug_output();
    keep_drivers_loaded();
    return;
  }
  throw Unavailable(fmt::format("no off-screen OpenGL 4.5: {}", fmt::join(reasons, "; ")));
}

OffscreenContext::~OffscreenContext() {
  if (eglGetCurrentContext() == context_) eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
  release_display(display_);
}

std::unique_ptr<OffscreenContext> OffscreenContext::create(std::optional<int> cuda_ordinal, std::string* why_not) {
  try {
    return std::make_unique<OffscreenContext>(cuda_ordinal);
  } catch (const Unavailable& error) {
    if (why_not) *why_not = error.what();
    return nullptr;
  }
}

void OffscreenContext::make_current() {
  if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
    throw RuntimeFailure(fmt::format("eglMakeCurrent failed ({})", egl_error_name(eglGetError())));
}

OffscreenContext::Probe OffscreenContext::probe(std::optional<int> cuda_ordinal) {
  Probe probe;
  if (const auto context = create(cuda_ordinal, &probe.why_not)) {
    probe.found = true;
    probe.platform = context->platform();
    probe.info = context->info();
  }
  return probe;
}

}  // namespace riffle::render
