#include "core/text/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "core/text/printable.h"

namespace riffle::log {

namespace {

spdlog::level::level_enum native(Level level) {
  switch (level) {
    case Level::Debug: return spdlog::level::debug;
    case Level::Info: return spdlog::level::info;
    case Level::Warning: return spdlog::level::warn;
    case Level::Error: return spdlog::level::err;
    case Level::Off: return spdlog::level::off;
  }
  return spdlog::level::info;
}

// Standard output belongs to results (tables, --json -), so every message goes to standard error.
spdlog::logger& logger() {
  static auto instance = [] {
    auto created = std::make_shared<spdlog::logger>("riffle", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    created->set_pattern("riffle: %^%l%$: %v");
    return created;
  }();
  return *instance;
}

}  // namespace

void set_level(Level level) { logger().set_level(native(level)); }

void write(Level level, std::string_view message) { logger().log(native(level), "{}", printable(message)); }

}  // namespace riffle::log
