#pragma once
/// The driver's OptiX library, found when the program runs. Private to neighbors/.

#include <memory>
#include <string>

#include "neighbors/optix/optix_api.h"

namespace riffle {

class OptixLibrary {
 public:
  /// name: a file, or a name that the loader knows.
  /// @throws Unavailable if it is missing, is something else, or refuses this version of the interface
  explicit OptixLibrary(const std::string& name);
  OptixLibrary(const OptixLibrary&) = delete;
  OptixLibrary& operator=(const OptixLibrary&) = delete;

  const optix::FunctionTable* operator->() const { return &table_; }

  /// @throws RuntimeFailure with the failed action, the name of the code, its text, and `details` if given
  void check(optix::Result code, const char* what, const std::string& details = "") const;
  void log_failure(optix::Result code, const char* what) const noexcept;  ///< the same for destructors

 private:
  struct Unload {
    void operator()(void* handle) const;
  };
  std::unique_ptr<void, Unload> handle_;
  optix::FunctionTable table_{};
};

/// The driver's library, or the one that RIFFLE_OPTIX_LIBRARY names instead.
std::string optix_library_name();

}  // namespace riffle
