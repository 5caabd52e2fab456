#include "bench/clouds/point_file.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "bench/clouds/ply.h"
#include "bench/clouds/point_sink.h"
#include "core/text/input_bytes.h"
#include "core/text/read_number.h"

namespace riffle::bench {

namespace {

constexpr std::string_view kSeparators = " \t,;";

/// A line's columns, one after the other.
class Columns {
 public:
  explicit Columns(std::string_view line) : rest_(line.substr(0, line.find('#'))) {}

  /// "" when none is left. An empty column is returned as its comma, which is not a number and is reported as such.
  std::string_view next() {
    const std::size_t begin = rest_.find_first_not_of(kSeparators);
    if (begin == rest_.npos) return {};
    const std::string_view between = rest_.substr(0, begin);
    if (std::count_if(between.begin(), between.end(), [](char c) { return c == ',' || c == ';'; }) > (first_ ? 0 : 1)) {
      rest_.remove_prefix(begin);
      return between;
    }
    first_ = false;
    const std::size_t end = std::min(rest_.find_first_of(kSeparators, begin), rest_.size());
    const std::string_view column = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return column;
  }

 private:
  std::string_view rest_;
  bool first_ = true;
};

/// "1,5" as well as "1.5".
bool is_number_with_decimal_comma(std::string_view text) {
  std::string number(text);
  const std::size_t comma = number.find(',');
  const auto digit_at = [&](std::size_t at) { return at < number.size() && number[at] >= '0' && number[at] <= '9'; };
  if (comma != number.npos) {
    if (comma == 0 || !digit_at(comma - 1) || !digit_at(comma + 1)) return false;
    number[comma] = '.';
  }
  return number_in(number).has_value();
}

/// Whether the line is a point when commas are read as decimal ones: three numbers between other separators, at least
/// one with a comma.
bool may_have_decimal_commas(std::string_view line) {
  constexpr std::string_view others = " \t;";
  line = line.substr(0, line.find('#'));
  bool comma = false;
  int found = 0;
  for (std::size_t at = 0; found < 3 && (at = line.find_first_not_of(others, at)) != line.npos; ++found) {
    const std::size_t end = std::min(line.find_first_of(others, at), line.size());
    std::string_view word = line.substr(at, end - at);
    if (word.starts_with(',')) word.remove_prefix(1);
    if (word.ends_with(',')) word.remove_suffix(1);
    if (!is_number_with_decimal_comma(word)) return false;
    comma |= word.find(',') != word.npos;
    at = end;
  }
  return found == 3 && comma;
}

void read_text(InputBytes& in, PointSink& sink) {
  std::optional<std::uint64_t> stated;
  std::uint64_t stated_on = 0, rows = 0;
  while (const auto line = in.line()) {
    Columns columns(*line);
    std::string_view column[3];
    int found = 0;
    while (found < 3 && !(column[found] = columns.next()).empty()) ++found;
    if (found == 0) continue;
    if (found == 1 && rows == 0 && !stated && (stated = whole_number_in(column[0]))) {
      stated_on = in.line_number();
      continue;
    }
    if (found < 3)
      throw InputError(fmt::format("{}found {} {} ({}); a point is at least three numbers, x y z", in.at_line(), found,
                                   found == 1 ? "column" : "columns", quote(*line)));
    if (line->find(',') != line->npos && may_have_decimal_commas(*line))
      throw InputError(
          fmt::format("{}found {}, which is one point where commas separate columns and another where they are decimal "
                      "ones; allowed: decimal points, and columns separated by blanks, commas or semicolons",
                      in.at_line(), quote(*line)));
    std::array<double, 3> x;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto value = number_in(column[a]);
      if (!value)
        throw InputError(fmt::format("{}found {} for {}; allowed: numbers, and comments from # on", in.at_line(),
                                     quote(column[a]), "xyz"[a]));
      x[a] = *value;
    }
    sink.add(x, [&] { return fmt::format("point {} (line {})", rows, in.line_number()); });
    ++rows;
  }
  if (stated && *stated != rows)
    throw InputError(fmt::format("{}:{}: states {} points, found {} by the end of the file (line {})", in.name(),
                                 stated_on, *stated, rows, in.line_number()));
}

void read_raw(InputBytes& in, PointSink& sink) {
  constexpr std::size_t kRow = 3 * sizeof(float);
  if (const auto bytes = in.bytes_left()) {
    if (*bytes % kRow != 0)
      throw InputError(
          fmt::format("{}: found {} bytes, which are {} points and {} bytes more; a point is 12 bytes, three "
                      "floats",
                      in.name(), *bytes, *bytes / kRow, *bytes % kRow));
    sink.expect(*bytes / kRow, *bytes, kRow);
  }
  for (std::uint64_t row = 0; const char* bytes = in.take(kRow); ++row) {
    float x[3];
    std::memcpy(x, bytes, sizeof x);
    sink.add({double{x[0]}, double{x[1]}, double{x[2]}},
             [&] { return fmt::format("point {} (byte {})", row, in.offset() - kRow); });
  }
  if (const std::uint64_t more = in.skip(kRow))
    throw InputError(
        fmt::format("{}{} bytes more than whole points; a point is 12 bytes, three floats", in.at_byte(), more));
}

static_assert(std::endian::native == std::endian::little, "raw points are read as they lie in the file");

}  // namespace

PointFormat point_format(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".ply") return PointFormat::Ply;
  if (ending == ".xyzb") return PointFormat::Raw;
  for (const char* text : {".xyz", ".txt", ".csv", ".pts"})
    if (ending == text) return PointFormat::Text;
  throw InputError(fmt::format(
      "{}: found the ending {}, allowed for points: .ply, .xyz, .txt, .csv, .pts (text), .xyzb (raw floats)",
      file.string(), quote(ending)));
}

PointFile read_points(const std::filesystem::path& file, BadPoints bad) {
  const PointFormat format = point_format(file);
  InputBytes in(file);
  PointSink sink(in.name(), bad);
  switch (format) {
    case PointFormat::Ply: read_ply(in, sink); break;
    case PointFormat::Text: read_text(in, sink); break;
    case PointFormat::Raw: read_raw(in, sink); break;
  }
  return sink.finish();
}

}  // namespace riffle::bench
