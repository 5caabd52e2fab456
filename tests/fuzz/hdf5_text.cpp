#include "tests/fuzz/hdf5_text.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <vector>

#include "app/state/hdf5_file.h"
#include "core/error.h"
#include "core/text/read_number.h"

namespace riffle::fuzz {

namespace {

constexpr std::uint64_t kMostElements = 4096;

template <class T>
T number_of(const std::string& word) {
  if (const auto whole = whole_number_in(word)) return static_cast<T>(*whole);
  const double value = std::strtod(word.c_str(), nullptr);
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(std::fabs(value) <= 3e38 || !std::isfinite(value) || sizeof(T) == 8 ? value : 0);
  else
    return std::fabs(value) < 2147483647.0 ? static_cast<T>(static_cast<std::int64_t>(value)) : T{};
}

/// The sizes of "12x3"; false where they are none, or too many elements.
bool read_sizes(const std::string& word, hdf5::Shape& shape, std::uint64_t& count) {
  count = 1;
  if (word == "-") return true;
  std::istringstream parts(word);
  for (std::string part; std::getline(parts, part, 'x');) {
    const auto size = whole_number_in(part);
    if (!size || *size > kMostElements) return false;
    shape.push_back(*size);
    count *= *size;
    if (count > kMostElements || shape.size() > 6) return false;
  }
  return !shape.empty();
}

std::string rest_of(std::istringstream& line) {
  std::string rest;
  std::getline(line >> std::ws, rest);
  for (std::size_t at = 0; (at = rest.find("\\n", at)) != rest.npos; ++at) rest.replace(at, 2, "\n");
  return rest;
}

/// Calls use(T{}) for the type of a name.
template <class Use>
void with_type(const std::string& type, const Use& use) {
  if (type == "u8") use(std::uint8_t{});
  if (type == "i32") use(std::int32_t{});
  if (type == "u32") use(std::uint32_t{});
  if (type == "u64") use(std::uint64_t{});
  if (type == "f32") use(float{});
  if (type == "f64") use(double{});
}

void write_array(hdf5::Writer& out, std::istringstream& line) {
  std::string name, type, sizes;
  line >> name >> type >> sizes;
  hdf5::Shape shape;
  std::uint64_t count = 0;
  if (!read_sizes(sizes, shape, count)) return;
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  with_type(type, [&](auto kind) {
    using T = decltype(kind);
    std::vector<T> values;
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(words.empty() ? T{} : number_of<T>(words[i % words.size()]));
    out.write(name, values, shape);
  });
}

void write_note(hdf5::Writer& out, std::istringstream& line) {
  std::string object, name, type;
  line >> object >> name >> type;
  if (type == "text") return out.note(object, name, rest_of(line));
  std::string word;
  line >> word;
  with_type(type, [&](auto kind) { out.note(object, name, number_of<decltype(kind)>(word)); });
}

void write_line(hdf5::Writer& out, const std::string& text) {
  std::istringstream line(text);
  std::string what, name;
  line >> what;
  if (what == "array") return write_array(out, line);
  if (what == "note") return write_note(out, line);
  line >> name;
  if (name.empty()) return;
  if (what == "group") out.make_group(name);
  if (what == "text") out.write_text(name, rest_of(line));
  if (what == "bytes") out.write_bytes(name, rest_of(line));
}

}  // namespace

std::string hdf5_file_of(const std::string& text) {
  try {
    hdf5::Writer out("input.h5", 512);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) try {
        write_line(out, line);
      } catch (const RuntimeFailure&) {  // HDF5 refuses the line: of no group, or a second time
      }
    const hdf5::Image image = out.finish();
    return std::string(image.bytes(), image.size);
  } catch (const RuntimeFailure&) {
    return "";
  }
}

}  // namespace riffle::fuzz
