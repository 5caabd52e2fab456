/// Particles in VTK's XML PolyData (.vtp) with raw appended data, as `--particles` and ParaView write it. Other encodings
/// and compressed files are refused by name.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/text/input_bytes.h"
#include "core/text/read_number.h"
#include "sim/start/particle_files/particle_builder.h"

namespace riffle {

namespace {

constexpr std::size_t kLongestHeader = std::size_t{1} << 20;

struct VtkType {
  std::string_view name;
  std::size_t bytes;
  double (*read)(const char* bytes);
};

template <class T>
double number_at(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

constexpr VtkType kVtkTypes[] = {{"Float32", 4, number_at<float>},      {"Float64", 8, number_at<double>},
                                 {"Int8", 1, number_at<std::int8_t>},   {"UInt8", 1, number_at<std::uint8_t>},
                                 {"Int16", 2, number_at<std::int16_t>}, {"UInt16", 2, number_at<std::uint16_t>},
                                 {"Int32", 4, number_at<std::int32_t>}, {"UInt32", 4, number_at<std::uint32_t>},
                                 {"Int64", 8, number_at<std::int64_t>}, {"UInt64", 8, number_at<std::uint64_t>}};

/// An array of the appended data.
struct VtpArray {
  std::string name;
  const VtkType* type = nullptr;
  std::size_t components = 1;
  std::uint64_t offset = 0;  ///< behind the underscore
  std::vector<char> data;

  double number(std::size_t point, std::size_t component) const {
    return type->read(data.data() + (point * components + component) * type->bytes);
  }
};

class VtpReader {
 public:
  explicit VtpReader(InputBytes& in) : in_(in) {}

  void read(ParticleBuilder& builder) {
    read_header();
    const std::string_view file = element("VTKFile");
    expect(file, "VTKFile", "type", "PolyData");
    expect(file, "VTKFile", "byte_order", "LittleEndian");
    if (!attribute(file, "compressor").empty()) refuse("compressed data", "raw data that are not compressed");
    const std::string_view wide = attribute(file, "header_type");
    if (wide != "UInt64" && wide != "UInt32") refuse("header_type=" + quote(wide), "UInt64, UInt32");
    length_bytes_ = wide == "UInt64" ? 8 : 4;
    expect(element("AppendedData"), "AppendedData", "encoding", "raw");
    const std::string_view piece = element("Piece");
    if (header_.find("<Piece", static_cast<std::size_t>(piece.data() - header_.data())) != header_.npos)
      refuse("more than one Piece", "one");
    const std::string_view stated = attribute(piece, "NumberOfPoints");
    const auto count = whole_number_in(stated);
    if (!count) refuse("NumberOfPoints=" + quote(stated), "a whole number");

    std::vector<VtpArray> arrays;
    take_arrays("Points", arrays, [](const std::string&) { return true; });
    if (arrays.size() != 1) refuse(fmt::format("{} arrays of points", arrays.size()), "one");
    arrays[0].name = "Points";
    take_arrays("PointData", arrays,
                [](const std::string& name) { return name == "velocity" || name == "fluid" || name == "compression"; });
    for (const VtpArray& array : arrays) {
      const std::size_t allowed = array.name == "Points" || array.name == "velocity" ? 3 : 1;
      if (array.components != allowed)
        refuse(fmt::format("{} components of {}", array.components, array.name), fmt::format("{}", allowed));
    }
    builder.read_comment(comments_);
    builder.set_time(field_value("TimeValue"));
    builder.set_expected_speed(field_value("ExpectedSpeed"));
    std::sort(arrays.begin(), arrays.end(), [](const VtpArray& a, const VtpArray& b) { return a.offset < b.offset; });
    to_appended_data();
    const std::uint64_t begin = in_.offset();
    for (VtpArray& array : arrays) read_data(array, begin, *count);
    give(arrays, *count, builder);
  }

 private:
  [[noreturn]] void refuse(const std::string& found, const std::string& allowed) const {
    throw InputError(fmt::format("{}: found {}; allowed: {}", in_.name(), found, allowed));
  }

  /// The text before the appended data, without comments.
  void read_header() {
    for (;;) {
      const auto line = in_.line();
      if (!line)
        refuse(fmt::format("no <AppendedData in {} lines", in_.line_number()), "a .vtp file with appended data");
      header_ += *line;
      header_ += '\n';
      if (header_.size() > kLongestHeader)
        refuse(fmt::format("no <AppendedData in the first {} bytes", kLongestHeader), "a .vtp file with appended data");
      if (line->find("<AppendedData") != line->npos) break;
    }
    for (std::size_t at; (at = header_.find("<!--")) != header_.npos;) {
      const std::size_t end = header_.find("-->", at), length = end == header_.npos ? end : end + 3 - at;
      comments_ += header_.substr(at, length);
      header_.erase(at, length);
    }
  }

  /// The tag's text from its name to its end.
  std::string_view element(const std::string& name) const {
    const std::size_t at = header_.find("<" + name);
    if (at == header_.npos) refuse("no <" + name + ">", "one");
    return tag_at(at + 1);
  }

  std::string_view tag_at(std::size_t begin) const {
    const std::size_t end = header_.find('>', begin);
    if (end == header_.npos) refuse("a tag without '>'", "XML");
    return std::string_view(header_).substr(begin, end - begin);
  }

  /// "" when there is none.
  static std::string_view attribute(std::string_view tag, const std::string& name) {
    const std::string begin = " " + name + "=\"";
    const std::size_t at = tag.find(begin);
    if (at == tag.npos) return {};
    const std::string_view rest = tag.substr(at + begin.size());
    return rest.substr(0, rest.find('"'));
  }

  void expect(std::string_view tag, const char* element, const char* name, const char* allowed) const {
    const std::string_view found = attribute(tag, name);
    if (found != allowed) refuse(fmt::format("{} {}={}", element, name, quote(found)), allowed);
  }

  template <class Wanted>
  void take_arrays(const std::string& section, std::vector<VtpArray>& arrays, const Wanted& wanted) const {
    // "<Points" is the beginning of no other element's name that may be in the file.
    const std::size_t begin = header_.find("<" + section);
    if (begin == header_.npos) return;
    const std::size_t end = std::min(header_.find("</" + section + ">", begin), header_.size());
    for (std::size_t at = begin; (at = header_.find("<DataArray", at)) < end; ++at) {
      const std::string_view tag = tag_at(at);
      VtpArray array;
      array.name = attribute(tag, "Name");
      if (!wanted(array.name)) continue;
      for (const VtpArray& other : arrays)
        if (other.name == array.name) refuse("two arrays of the name " + quote(array.name), "one");
      const std::string_view type = attribute(tag, "type"), format = attribute(tag, "format");
      for (const VtkType& known : kVtkTypes)
        if (known.name == type) array.type = &known;
      if (!array.type)
        refuse(fmt::format("type={} of {}", quote(type), quote(array.name)), "Float32, Float64, Int8 ... UInt64");
      if (format != "appended") refuse(fmt::format("format={} of {}", quote(format), quote(array.name)), "appended");
      const std::string_view components = attribute(tag, "NumberOfComponents");
      const auto parts = components.empty() ? std::optional<std::uint64_t>(1) : whole_number_in(components);
      const auto offset = whole_number_in(attribute(tag, "offset"));
      if (!parts || *parts > 9)
        refuse(fmt::format("NumberOfComponents={} of {}", quote(components), quote(array.name)), "1 to 9");
      if (!offset)
        refuse(fmt::format("offset={} of {}", quote(attribute(tag, "offset")), quote(array.name)), "a whole number");
      array.components = static_cast<std::size_t>(*parts);
      array.offset = *offset;
      arrays.push_back(std::move(array));
    }
  }

  /// The text of an array of FieldData; "" when there is none in text.
  std::string_view field_value(const std::string& name) const {
    const std::size_t begin = header_.find("<FieldData"), end = header_.find("</FieldData>");
    if (begin == header_.npos || end == header_.npos) return {};
    for (std::size_t at = begin; (at = header_.find("<DataArray", at)) < end; ++at) {
      const std::string_view tag = tag_at(at);
      if (attribute(tag, "Name") != name || attribute(tag, "format") != "ascii" || tag.ends_with('/')) continue;
      const std::size_t text = at + tag.size() + 1;
      return std::string_view(header_).substr(text, header_.find('<', text) - text);
    }
    return {};
  }

  void to_appended_data() {
    for (;;) {
      const char* byte = in_.take(1);
      if (!byte) refuse(fmt::format("the end at byte {}", in_.offset()), "an underscore and the appended data");
      if (*byte == '_') return;
      if (*byte != ' ' && *byte != '\t' && *byte != '\n' && *byte != '\r')
        refuse(fmt::format("{} at byte {}", quote(std::string_view(byte, 1)), in_.offset() - 1),
               "an underscore before the appended data");
    }
  }

  [[noreturn]] void end_too_early(const VtpArray& array) const {
    throw InputError(
        fmt::format("{}: the file ends at byte {}, within the array {}", in_.name(), in_.offset(), quote(array.name)));
  }

  void read_data(VtpArray& array, std::uint64_t begin, std::uint64_t points) {
    const std::uint64_t here = in_.offset() - begin;
    if (array.offset < here)
      refuse(fmt::format("offset {} of {}, inside another array", array.offset, quote(array.name)),
             fmt::format("{} or more", here));
    const std::uint64_t gap = array.offset - here;
    if (in_.skip(gap) < gap) end_too_early(array);
    const std::uint64_t at = in_.offset();
    const char* length = in_.take(length_bytes_);
    if (!length) end_too_early(array);
    std::uint64_t stated = 0;
    std::memcpy(&stated, length, length_bytes_);  // little-endian, as this program's machines are
    const std::size_t row = array.components * array.type->bytes;
    if (stated / row != points || stated % row != 0)
      refuse(fmt::format("a block of {} bytes for {} at byte {}", stated, quote(array.name), at),
             fmt::format("{} bytes for each of {} points", row, points));
    if (const auto left = in_.bytes_left(); left && *left < stated) {
      in_.skip(*left);
      end_too_early(array);
    }
    array.data.resize(stated);
    constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
    for (std::uint64_t done = 0; done < stated;) {
      const auto piece = static_cast<std::size_t>(std::min(kPiece, stated - done));
      const char* bytes = in_.take(piece);
      if (!bytes) end_too_early(array);
      std::memcpy(array.data.data() + done, bytes, piece);
      done += piece;
    }
  }

  void give(const std::vector<VtpArray>& arrays, std::uint64_t count, ParticleBuilder& builder) const {
    const auto find = [&](const char* name) {
      const auto at =
          std::find_if(arrays.begin(), arrays.end(), [&](const VtpArray& array) { return array.name == name; });
      return at == arrays.end() ? nullptr : &*at;
    };
    const VtpArray *points = find("Points"), *velocity = find("velocity"), *fluid = find("fluid"),
                   *compression = find("compression");
    std::vector<std::string> names;
    for (std::size_t c = 0; c < kParticleColumns.size(); ++c)
      if (c < 3 || (c < kFluidColumn ? velocity : c == kFluidColumn ? fluid : compression) != nullptr)
        names.emplace_back(kParticleColumns[c]);
    builder.set_columns(names, in_.name());
    builder.expect(count, count);
    ParticleNumbers particle{};
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        particle[c] = points->number(i, c);
        if (velocity) particle[3 + c] = velocity->number(i, c);
      }
      if (fluid) particle[kFluidColumn] = fluid->number(i, 0);
      if (compression) particle[kCompressionColumn] = compression->number(i, 0);
      builder.add(particle, [&] { return fmt::format("{}: point {}", in_.name(), i); });
    }
  }

  InputBytes& in_;
  std::string header_, comments_;
  std::size_t length_bytes_ = 8;
};

}  // namespace

void read_particle_vtp(InputBytes& in, ParticleBuilder& builder) { VtpReader(in).read(builder); }

}  // namespace riffle
