#include "bench/clouds/ply.h"

#include <algorithm>

namespace riffle::bench {

namespace {

/// Which of the vertices' properties are x, y and z.
struct Axes {
  std::array<std::size_t, 3> property{};
};

Axes axes_of(const PlyElement& vertex, const std::string& file) {
  Axes axes;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::string name(1, "xyz"[a]);
    const auto found = std::find_if(vertex.properties.begin(), vertex.properties.end(),
                                    [&](const PlyProperty& p) { return p.name == name; });
    if (found == vertex.properties.end() || found->list) {
      std::string names;
      for (const PlyProperty& p : vertex.properties) names += (names.empty() ? "" : ", ") + p.name;
      throw InputError(fmt::format("{}:{}: the element vertex has no number {}; found: {}", file, vertex.line, name,
                                   names.empty() ? "no property" : names));
    }
    axes.property[a] = static_cast<std::size_t>(found - vertex.properties.begin());
  }
  return axes;
}

}  // namespace

void read_ply(InputBytes& in, PointSink& sink) {
  const PlyHeader header = read_ply_header(in);
  const auto vertex = std::find_if(header.elements.begin(), header.elements.end(),
                                   [](const PlyElement& e) { return e.name == "vertex"; });
  if (vertex == header.elements.end())
    throw InputError(fmt::format("{}: the header has no element \"vertex\"", in.name()));
  const Axes axes = axes_of(*vertex, in.name());
  PlyRows wanted;
  wanted.element = &*vertex;
  wanted.properties.assign(axes.property.begin(), axes.property.end());
  wanted.begin = [&](std::optional<std::uint64_t> left) {
    if (left) sink.expect(vertex->count, *left, vertex->row_bytes());
  };
  wanted.row = [&](std::span<const double> x, const PlyPlace& place) {
    sink.add({x[0], x[1], x[2]}, [&] { return place.vertex(); });
  };
  read_ply_rows(in, header, wanted);
}

}  // namespace riffle::bench
