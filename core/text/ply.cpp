#include "core/text/ply.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/error.h"
#include "core/text/read_number.h"

namespace riffle {

namespace {

constexpr std::size_t kUnwanted = ~std::size_t{0};

const char* plural_of(const PlyElement& element) { return element.name == "vertex" ? "vertices" : "rows"; }

[[noreturn]] void end_too_early(const InputBytes& in, const PlyElement& element, std::uint64_t rows, bool text) {
  throw InputError(fmt::format("{}: the file ends at {} {}, after {} of {} {} of the element {} (line {} states them)",
                               in.name(), text ? "line" : "byte", text ? in.line_number() : in.offset(), rows,
                               element.count, plural_of(element), element.name, element.line));
}

// ---- text: a line is a row

/// Its numbers, one after the other.
class TextRow {
 public:
  TextRow(const InputBytes& in, const PlyElement& element, std::uint64_t row, std::string_view line)
      : in_(in), element_(element), row_(row), line_(line), rest_(line) {}

  double next(const std::string& property) {
    const std::string_view word = take();
    if (word.empty()) refuse("too few numbers");
    const auto value = number_in(word);
    if (!value) refuse(fmt::format("{} for {}", quote(word), property));
    return *value;
  }
  std::uint64_t next_length(const std::string& property) {
    const std::string_view word = take();
    const auto value = whole_number_in(word);
    if (!value) refuse(fmt::format("{} for the length of the list {}", quote(word), property));
    return *value;
  }
  void expect_end() {
    if (!take().empty()) refuse("more numbers than properties");
  }

 private:
  std::string_view take() {
    const std::size_t begin = std::min(rest_.find_first_not_of(" \t"), rest_.size());
    const std::size_t end = std::min(rest_.find_first_of(" \t", begin), rest_.size());
    const std::string_view word = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return word;
  }
  [[noreturn]] void refuse(const std::string& found) const {
    throw InputError(fmt::format("{}found {} in row {} of the element {} ({}); a row is a line of {} properties",
                                 in_.at_line(), found, row_, element_.name, quote(line_), element_.properties.size()));
  }

  const InputBytes& in_;
  const PlyElement& element_;
  std::uint64_t row_;
  std::string_view line_, rest_;
};

/// Where each property of the element belongs among the wanted numbers.
std::vector<std::size_t> slots_of(const PlyElement& element, const PlyRows& wanted) {
  std::vector<std::size_t> slots(element.properties.size(), kUnwanted);
  for (std::size_t k = 0; k < wanted.properties.size(); ++k) slots[wanted.properties[k]] = k;
  return slots;
}

/// @param wanted  nullptr: rows are only checked
void read_text_rows(InputBytes& in, const PlyElement& element, const PlyRows* wanted) {
  if (element.properties.empty()) return;  // its rows are empty
  std::vector<std::size_t> slots(element.properties.size(), kUnwanted);
  if (wanted) slots = slots_of(element, *wanted);
  std::vector<double> numbers_wanted(wanted ? wanted->properties.size() : 0);
  for (std::uint64_t row = 0; row < element.count; ++row) {
    auto line = in.line();
    while (line && line->find_first_not_of(" \t") == line->npos) line = in.line();
    if (!line) end_too_early(in, element, row, true);
    TextRow numbers(in, element, row, *line);
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      const PlyProperty& property = element.properties[p];
      if (property.list) {
        for (std::uint64_t left = numbers.next_length(property.name); left > 0; --left) numbers.next(property.name);
        continue;
      }
      const double value = numbers.next(property.name);
      if (slots[p] != kUnwanted) numbers_wanted[slots[p]] = value;
    }
    numbers.expect_end();
    if (wanted) wanted->row(numbers_wanted, {row, true, in.line_number()});
  }
}

// ---- binary

template <class T, class Bits>
double number_from(const char* bytes, bool swap) {
  Bits bits;
  std::memcpy(&bits, bytes, sizeof bits);
  if (swap) {
    char* b = reinterpret_cast<char*>(&bits);
    std::reverse(b, b + sizeof bits);
  }
  return static_cast<double>(std::bit_cast<T>(bits));
}

double number_from(const char* bytes, PlyType type, bool swap) {
  switch (type) {
    case PlyType::Int8: return number_from<std::int8_t, std::uint8_t>(bytes, swap);
    case PlyType::UInt8: return number_from<std::uint8_t, std::uint8_t>(bytes, swap);
    case PlyType::Int16: return number_from<std::int16_t, std::uint16_t>(bytes, swap);
    case PlyType::UInt16: return number_from<std::uint16_t, std::uint16_t>(bytes, swap);
    case PlyType::Int32: return number_from<std::int32_t, std::uint32_t>(bytes, swap);
    case PlyType::UInt32: return number_from<std::uint32_t, std::uint32_t>(bytes, swap);
    case PlyType::Float32: return number_from<float, std::uint32_t>(bytes, swap);
    case PlyType::Float64: return number_from<double, std::uint64_t>(bytes, swap);
  }
  return 0;
}

class BinaryRows {
 public:
  BinaryRows(InputBytes& in, const PlyElement& element, bool swap) : in_(in), element_(element), swap_(swap) {}

  /// Skips all rows; without reading them if no row has a list.
  void pass_over() {
    if (element_.has_lists()) {
      for (row_ = 0; row_ < element_.count; ++row_)
        for (const PlyProperty& p : element_.properties) p.list ? pass_list(p) : static_cast<void>(next(p.type));
      return;
    }
    const std::uint64_t bytes = element_.row_bytes();
    if (bytes == 0) return;
    // The count may claim more bytes than 64 bits hold; no file is that long.
    const std::uint64_t most = ~std::uint64_t{0} / bytes;
    const std::uint64_t skipped = in_.skip(std::min(element_.count, most) * bytes);
    row_ = skipped / bytes;
    if (row_ < element_.count) end_too_early(in_, element_, row_, false);
  }

  void read(const PlyRows& wanted) {
    const std::vector<std::size_t> slots = slots_of(element_, wanted);
    std::vector<double> numbers(wanted.properties.size());
    for (row_ = 0; row_ < element_.count; ++row_) {
      const std::uint64_t begin = in_.offset();
      for (std::size_t p = 0; p < element_.properties.size(); ++p) {
        const PlyProperty& property = element_.properties[p];
        if (property.list) {
          pass_list(property);
          continue;
        }
        const double value = next(property.type);
        if (slots[p] != kUnwanted) numbers[slots[p]] = value;
      }
      wanted.row(numbers, {row_, false, begin});
    }
  }

 private:
  double next(PlyType type) {
    const char* bytes = in_.take(size_of(type));
    if (!bytes) end_too_early(in_, element_, row_, false);
    return number_from(bytes, type, swap_);
  }
  void pass_list(const PlyProperty& property) {
    const double length = next(property.count_type);
    if (length < 0)
      throw InputError(
          fmt::format("{}found {} for the length of the list {} in row {} of the element {}; it must be 0 "
                      "or more",
                      in_.at_byte(), length, property.name, row_, element_.name));
    const std::uint64_t bytes = static_cast<std::uint64_t>(length) * size_of(property.type);
    if (in_.skip(bytes) < bytes) end_too_early(in_, element_, row_, false);
  }

  InputBytes& in_;
  const PlyElement& element_;
  bool swap_;
  std::uint64_t row_ = 0;
};

/// Bytes behind the last element mean that the counts are wrong.
void expect_end(InputBytes& in, PlyEncoding encoding) {
  if (encoding == PlyEncoding::Text) {
    while (const auto line = in.line())
      if (line->find_first_not_of(" \t") != line->npos)
        throw InputError(
            fmt::format("{}found {} behind the last row that the header states", in.at_line(), quote(*line)));
    return;
  }
  const std::uint64_t end = in.offset();
  if (const std::uint64_t more = in.skip(~std::uint64_t{0}))
    throw InputError(
        fmt::format("{}: byte {}: found {} bytes behind the last row that the header states", in.name(), end, more));
}

}  // namespace

std::string PlyPlace::vertex() const { return fmt::format("vertex {} ({} {})", row, text ? "line" : "byte", at); }

void read_ply_rows(InputBytes& in, const PlyHeader& header, const PlyRows& wanted) {
  const bool swap = (header.encoding == PlyEncoding::BigEndian) == (std::endian::native == std::endian::little);
  const bool text = header.encoding == PlyEncoding::Text;
  for (const PlyElement& element : header.elements) {
    const bool read = &element == wanted.element;
    if (read && wanted.begin) wanted.begin(text ? std::nullopt : in.bytes_left());
    if (text)
      read_text_rows(in, element, read ? &wanted : nullptr);
    else if (read)
      BinaryRows(in, element, swap).read(wanted);
    else
      BinaryRows(in, element, swap).pass_over();
  }
  expect_end(in, header.encoding);
}

}  // namespace riffle
