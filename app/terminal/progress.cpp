#include "app/terminal/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/timing/seconds_since.h"

namespace riffle {

namespace {

int terminal_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

std::string clock_text(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  if (seconds >= 360000) return fmt::format("{:.3g} days", seconds / 86400);
  const int s = static_cast<int>(std::lround(seconds));
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string short_count(double count) {
  const auto [scale, letter] = count >= 1e9   ? std::pair(1e9, " G")
                               : count >= 1e6 ? std::pair(1e6, " M")
                               : count >= 1e3 ? std::pair(1e3, " k")
                                              : std::pair(1.0, "");
  const double scaled = count / scale;
  return fmt::format("{:.{}f}{}", scaled, scaled < 10 ? 2 : scaled < 100 ? 1 : 0, letter);
}

Progress::Progress(bool shown, std::uint64_t particles, const char* time_unit)
    : shown_(shown && isatty(STDERR_FILENO)),
      particles_(particles),
      time_unit_(time_unit),
      begin_(Clock::now()),
      last_draw_() {}

Progress::~Progress() { wipe(); }

void Progress::wipe() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

bool Progress::due() {
  if (!shown_) return false;
  const auto now = Clock::now();
  if (drawn_ && now - last_draw_ < std::chrono::milliseconds(100)) return false;
  last_draw_ = now;
  return drawn_ = true;
}

double Progress::elapsed() const { return seconds_since(begin_); }

void Progress::update(double fraction, double simulated_time, std::uint64_t steps) {
  if (!due()) return;
  const double seconds = elapsed(), rate = seconds > 0 ? static_cast<double>(steps) / seconds : 0;
  draw(fraction, fmt::format("t = {:.3f} {}  {} steps/s  {} particle-steps/s", simulated_time, time_unit_,
                             short_count(rate), short_count(rate * static_cast<double>(particles_))));
}

void Progress::update(double fraction, const std::string& what) {
  if (due()) draw(fraction, what);
}

void Progress::draw(double fraction, const std::string& text) const {
  fraction = std::clamp(fraction, 0.0, 1.0);
  const std::string eta = fraction > 0 ? clock_text(elapsed() * (1 - fraction) / fraction) : "-";
  std::string line = fmt::format(" {:3.0f} %  {}  ETA {}", 100 * fraction, text, eta);
  const int columns = terminal_columns() - 1;
  const int bar = std::min(30, columns - static_cast<int>(line.size()) - 2);
  if (bar >= 5) {
    const int filled = static_cast<int>(std::lround(fraction * bar));
    line = fmt::format("[{:#>{}}{:.>{}}]{}", "", filled, "", bar - filled, line);
  }
  if (static_cast<int>(line.size()) > columns)
    line.resize(static_cast<std::size_t>(std::max(columns, 0)));  // a wrapped line cannot be rewritten
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
}

}  // namespace riffle
