#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "core/text/ply.h"
#include "core/text/read_number.h"

namespace riffle {

namespace {

struct TypeName {
  const char* name;
  PlyType type;
};
constexpr TypeName kTypes[] = {
    {"char", PlyType::Int8},      {"uchar", PlyType::UInt8},    {"short", PlyType::Int16},
    {"ushort", PlyType::UInt16},  {"int", PlyType::Int32},      {"uint", PlyType::UInt32},
    {"float", PlyType::Float32},  {"double", PlyType::Float64}, {"int8", PlyType::Int8},
    {"uint8", PlyType::UInt8},    {"int16", PlyType::Int16},    {"uint16", PlyType::UInt16},
    {"int32", PlyType::Int32},    {"uint32", PlyType::UInt32},  {"float32", PlyType::Float32},
    {"float64", PlyType::Float64}};

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t", at)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

/// The header's lines in order; what is refused is refused with its line.
class HeaderReader {
 public:
  explicit HeaderReader(InputBytes& in) : in_(in) {}

  PlyHeader read() {
    const auto magic = in_.line();
    if (!magic || words_of(*magic) != std::vector<std::string_view>{"ply"})
      throw InputError(fmt::format("{}:1: found {}; a PLY file begins with the line \"ply\"", in_.name(),
                                   magic ? quote(*magic) : "an empty file"));
    for (;;) {
      const auto line = in_.line();
      if (!line)
        throw InputError(
            fmt::format("{}: the header ends after line {} without \"end_header\"", in_.name(), in_.line_number()));
      const auto words = words_of(*line);
      if (words.empty() || words[0] == "obj_info") continue;
      if (words[0] == "comment") {
        const std::size_t begin = line->find("comment") + 7;
        header_.comments.emplace_back(line->substr(std::min(line->find_first_not_of(" \t", begin), line->size())));
        continue;
      }
      if (words[0] == "end_header") break;
      take(*line, words);
    }
    if (!encoding_known_)
      throw InputError(
          fmt::format("{}found end_header before any format; \"format ascii 1.0\", "
                      "\"format binary_little_endian 1.0\" or \"format binary_big_endian 1.0\" must come first",
                      in_.at_line()));
    return std::move(header_);
  }

 private:
  using Words = std::vector<std::string_view>;

  [[noreturn]] void refuse(std::string_view line, const std::string& allowed) const {
    throw InputError(fmt::format("{}found {}; allowed: {}", in_.at_line(), quote(line), allowed));
  }

  void take(std::string_view line, const Words& words) {
    if (words[0] == "format")
      take_format(line, words);
    else if (words[0] == "element")
      take_element(line, words);
    else if (words[0] == "property")
      take_property(line, words);
    else
      refuse(line, "format, comment, obj_info, element, property, end_header");
  }

  void take_format(std::string_view line, const Words& words) {
    const std::string allowed = "one line \"format ascii|binary_little_endian|binary_big_endian 1.0\"";
    if (encoding_known_ || words.size() != 3 || words[2] != "1.0") refuse(line, allowed);
    if (words[1] == "ascii")
      header_.encoding = PlyEncoding::Text;
    else if (words[1] == "binary_little_endian")
      header_.encoding = PlyEncoding::LittleEndian;
    else if (words[1] == "binary_big_endian")
      header_.encoding = PlyEncoding::BigEndian;
    else
      refuse(line, allowed);
    encoding_known_ = true;
  }

  void take_element(std::string_view line, const Words& words) {
    const auto count = words.size() == 3 ? whole_number_in(words[2]) : std::nullopt;
    if (!count) refuse(line, "\"element NAME COUNT\" with a whole number from 0 up");
    const std::string name(words[1]);
    if (const auto [other, is_new] = element_lines_.try_emplace(name, in_.line_number()); !is_new)
      refuse(line, fmt::format("each element once; line {} has it already", other->second));
    header_.elements.push_back({name, *count, {}, in_.line_number()});
    property_names_.clear();
  }

  PlyType type(std::string_view line, std::string_view name) const {
    for (const TypeName& t : kTypes)
      if (name == t.name) return t.type;
    refuse(line, "the types char, uchar, short, ushort, int, uint, float, double and int8 ... float64");
  }

  void take_property(std::string_view line, const Words& words) {
    if (header_.elements.empty()) refuse(line, "properties after the element that they belong to");
    PlyElement& element = header_.elements.back();
    PlyProperty property;
    if (words.size() == 5 && words[1] == "list") {
      property.list = true;
      property.count_type = type(line, words[2]);
      property.type = type(line, words[3]);
      if (property.count_type == PlyType::Float32 || property.count_type == PlyType::Float64)
        refuse(line, "a whole type for the length of a list");
    } else if (words.size() == 3) {
      property.type = type(line, words[1]);
    } else {
      refuse(line, "\"property TYPE NAME\" and \"property list TYPE TYPE NAME\"");
    }
    property.name = words.back();
    if (!property_names_.insert(property.name).second) refuse(line, "each property of an element once");
    element.properties.push_back(property);
  }

  InputBytes& in_;
  PlyHeader header_;
  std::unordered_map<std::string, std::uint64_t> element_lines_;  ///< a header may have very many
  std::unordered_set<std::string> property_names_;                ///< of the last element
  bool encoding_known_ = false;
};

}  // namespace

std::size_t size_of(PlyType type) {
  switch (type) {
    case PlyType::Int8:
    case PlyType::UInt8: return 1;
    case PlyType::Int16:
    case PlyType::UInt16: return 2;
    case PlyType::Int32:
    case PlyType::UInt32:
    case PlyType::Float32: return 4;
    case PlyType::Float64: return 8;
  }
  return 0;
}

bool PlyElement::has_lists() const {
  return std::any_of(properties.begin(), properties.end(), [](const PlyProperty& p) { return p.list; });
}

std::size_t PlyElement::row_bytes() const {
  std::size_t bytes = 0;
  for (const PlyProperty& p : properties) bytes += size_of(p.list ? p.count_type : p.type);
  return bytes;
}

PlyHeader read_ply_header(InputBytes& in) { return HeaderReader(in).read(); }

}  // namespace riffle
