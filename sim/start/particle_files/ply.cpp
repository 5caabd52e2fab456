/// Particles in PLY files: the element `vertex`, in text or binary, with any other properties and elements beside.

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text/ply.h"
#include "sim/start/particle_files/particle_builder.h"

namespace riffle {

void read_particle_ply(InputBytes& in, ParticleBuilder& builder) {
  const PlyHeader header = read_ply_header(in);
  const auto vertex = std::find_if(header.elements.begin(), header.elements.end(),
                                   [](const PlyElement& element) { return element.name == "vertex"; });
  if (vertex == header.elements.end())
    throw InputError(fmt::format("{}: the header has no element \"vertex\"; allowed: one, of particles", in.name()));
  std::vector<std::string> names;
  for (const PlyProperty& property : vertex->properties) names.push_back(property.list ? "" : property.name);
  builder.set_columns(names, fmt::format("{}:{}", in.name(), vertex->line));
  for (const std::string& comment : header.comments) builder.read_comment(comment);
  PlyRows rows;
  rows.element = &*vertex;
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < kParticleColumns.size(); ++c)
    if (builder.columns()[c] != kNoColumn) {
      columns.push_back(c);
      rows.properties.push_back(builder.columns()[c]);
    }
  rows.begin = [&](std::optional<std::uint64_t> left) {
    if (left) builder.expect(vertex->count, *left / std::max<std::size_t>(1, vertex->row_bytes()));
  };
  ParticleNumbers particle{};
  rows.row = [&](std::span<const double> numbers, const PlyPlace& place) {
    for (std::size_t k = 0; k < columns.size(); ++k) particle[columns[k]] = numbers[k];
    builder.add(particle, [&] { return fmt::format("{}: {}", in.name(), place.vertex()); });
  };
  read_ply_rows(in, header, rows);
}

}  // namespace riffle
