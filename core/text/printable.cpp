#include "core/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace riffle {

namespace {

/// One character of UTF-8, or one byte that begins none.
struct Character {
  std::size_t bytes = 1;
  std::uint32_t code = 0;
  bool valid = false;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint8_t>(text[k]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {1, lead, true};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || bytes > text.size()) return {};
  std::uint32_t code = lead & (0xffu >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(k) & 0x3fu);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // anything below would have a shorter form
  if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
  return {bytes, code, true};
}

}  // namespace

std::string printable(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    if (!c.valid || c.code == 0x7f || (c.code < 0x20 && c.code != '\n' && c.code != '\t'))
      safe += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(text[0]));
    else if (c.code >= 0x80 && c.code < 0xa0)
      safe += fmt::format("\\u{:04x}", c.code);
    else
      safe += text.substr(0, c.bytes);
    text.remove_prefix(c.bytes);
  }
  return safe;
}

std::string printable_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return printable(line);
}

}  // namespace riffle
