#pragma once
/// Readers of PLY and VTP files that share nothing with the writers. Any error in a file fails the test.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace riffle::test {

using Bits = std::vector<std::uint32_t>;

inline Bits bits_of(const std::vector<float>& values) {
  Bits bits(values.size());
  if (!values.empty()) std::memcpy(bits.data(), values.data(), 4 * values.size());
  return bits;
}

/// Extracts one component from interleaved values.
inline Bits component(const Bits& values, std::size_t which, std::size_t components) {
  Bits bits;
  for (std::size_t i = which; i < values.size(); i += components) bits.push_back(values[i]);
  return bits;
}

struct Ply {
  std::vector<std::string> names, comments;
  std::map<std::string, Bits> columns;
  std::size_t count = 0, bytes_left = 0;
};

inline Ply read_ply(const std::string& text) {
  Ply ply;
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "ply");
  std::getline(in, line);
  EXPECT_EQ(line, "format binary_little_endian 1.0");
  while (std::getline(in, line) && line != "end_header") {
    std::istringstream words(line);
    std::string word, type, name;
    words >> word;
    if (word == "comment") ply.comments.push_back(line.substr(8));
    if (word == "element") words >> name >> ply.count;
    if (word != "property") continue;
    words >> type >> name;
    EXPECT_TRUE(type == "float" || type == "uint") << line;
    ply.names.push_back(name);
  }
  for (std::size_t i = 0; i < ply.count; ++i)
    for (const std::string& name : ply.names) {
      unsigned char b[4] = {};
      in.read(reinterpret_cast<char*>(b), 4);
      EXPECT_EQ(in.gcount(), 4) << "particle " << i;
      ply.columns[name].push_back(b[0] | b[1] << 8 | b[2] << 16 | static_cast<std::uint32_t>(b[3]) << 24);
    }
  std::ostringstream rest;
  rest << in.rdbuf();
  ply.bytes_left = rest.str().size();
  return ply;
}

struct Vtp {
  struct Array {
    std::string type;
    std::size_t components = 0;
    std::string bytes;
    Bits bits() const {
      Bits bits(bytes.size() / 4);
      if (!bits.empty()) std::memcpy(bits.data(), bytes.data(), bytes.size());
      return bits;
    }
    std::vector<std::int64_t> integers() const {
      std::vector<std::int64_t> values(bytes.size() / 8);
      if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
      return values;
    }
  };
  std::map<std::string, Array> arrays;
  std::size_t points = 0, vertices = 0;
  double time = -1;
  std::string head;
};

/// The value of NAME="VALUE" in a piece of XML; "" without it.
inline std::string attribute_of(const std::string& xml, const std::string& name) {
  const std::size_t at = xml.find(name + "=\"");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size() + 2;
  return xml.substr(begin, xml.find('"', begin) - begin);
}

/// What stands from `begin` to `end`, both included; "" without them. Moves `from` behind it.
inline std::string piece_of(const std::string& text, const std::string& begin, const std::string& end,
                            std::size_t& from) {
  const std::size_t first = text.find(begin, from), last = text.find(end, first);
  if (first == std::string::npos || last == std::string::npos) return "";
  from = last + end.size();
  return text.substr(first, from - first);
}

inline Vtp read_vtp(const std::string& text) {
  Vtp vtp;
  const std::string mark = "<AppendedData encoding=\"raw\">\n_";
  const std::size_t begin = text.find(mark) + mark.size();
  vtp.head = text.substr(0, begin);
  EXPECT_NE(vtp.head.find("type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\""),
            std::string::npos);
  std::size_t from = 0;
  if (const std::string piece = piece_of(vtp.head, "<Piece ", ">", from); !piece.empty()) {
    vtp.points = std::stoul(attribute_of(piece, "NumberOfPoints"));
    vtp.vertices = std::stoul(attribute_of(piece, "NumberOfVerts"));
  }
  from = 0;
  if (const std::string time = piece_of(vtp.head, "Name=\"TimeValue\"", "<", from); !time.empty())
    vtp.time = std::stod(time.substr(time.find('>') + 1));
  std::size_t end = begin;
  from = 0;
  for (std::string tag; !(tag = piece_of(vtp.head, "<DataArray ", ">", from)).empty();) {
    if (attribute_of(tag, "format") != "appended") continue;
    const std::string name = attribute_of(tag, "Name");
    const std::size_t offset = begin + std::stoul(attribute_of(tag, "offset"));
    std::uint64_t bytes = 0;
    if (offset + 8 > text.size()) {
      ADD_FAILURE() << name << " lies behind the end";
      continue;
    }
    std::memcpy(&bytes, text.data() + offset, 8);
    EXPECT_LE(offset + 8 + bytes, text.size()) << name;
    vtp.arrays[name] = {attribute_of(tag, "type"), std::stoul(attribute_of(tag, "NumberOfComponents")),
                        text.substr(offset + 8, bytes)};
    end = std::max(end, offset + 8 + bytes);
  }
  EXPECT_EQ(text.substr(end), "\n</AppendedData>\n</VTKFile>\n");
  return vtp;
}

}  // namespace riffle::test
