#include "app/report/gnuplot.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"
#include "render/media/process.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

std::string slug(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c == '.' && !name.empty()))
      name += upper ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!name.empty() && name.back() != '_' && c != ',')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

std::string csv_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? '\'' : is_control(c) ? ' ' : c;
  return out + "\"";
}

std::string gp_text(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += is_control(c) ? ' ' : c;
  }
  return out + "'";
}

void draw_with_gnuplot(const std::string& gnuplot, const fs::path& folder, const std::string& name) {
  const int errors = memfd_create("gnuplot", MFD_CLOEXEC);
  const std::string change = "cd " + gp_text(fs::absolute(folder).string());
  const pid_t process =
      render::start_process({gnuplot, "-e", change, (fs::absolute(folder) / (name + ".gp")).string()}, -1, -1, errors);
  const int code = render::wait_process(process);
  const std::string said = errors >= 0 ? render::last_lines(errors, 3) : "";
  if (errors >= 0) close(errors);
  if (code != 0) throw RuntimeFailure(fmt::format("gnuplot failed on {}.gp: {}", name, said));
}

}  // namespace riffle
