#include "core/error.h"
#include "core/text/log.h"

namespace riffle {

[[noreturn]] void throw_cuda_failure(const char* error_name, const char* error_text, const char* expression,
                                     const char* file, int line) {
  throw RuntimeFailure(fmt::format("{}:{}: {} failed: {} ({})", file, line, expression, error_text, error_name));
}

void log_cuda_failure(const char* error_text, const char* expression, const char* file, int line) noexcept {
  try {
    log::error("{}:{}: {} failed: {}", file, line, expression, error_text);
  } catch (...) {  // called from destructors: a log that cannot be written must not end the program
  }
}

}  // namespace riffle
