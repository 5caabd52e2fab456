#pragma once
/// The outline of an entry of the scene over the picture: the edges of its shapes, also where it has not been moved to yet.

#include <deque>
#include <memory>
#include <vector>

#include "app/desktop/handles/picture_projection.h"
#include "core/math/triangles.h"
#include "scenes/placing/placed_entry.h"

namespace riffle {
struct IndexedMesh;
struct SimulationSetup;
}  // namespace riffle

namespace riffle::desktop {

/// An edge of a surface, or of an area.
struct OutlineEdge {
  Vec3 from, to;         ///< [m]
  Vec3 left{}, right{};  ///< normals of the faces beside it
  bool always = true;    ///< false: only where one face is seen and the other is not
};

std::vector<OutlineEdge> edges_of(const TriangleMesh& mesh);
std::vector<OutlineEdge> edges_of(const IndexedMesh& mesh);

/// Remembers the edges of shapes that stay as they are: to find them takes milliseconds.
class Outlines {
 public:
  /// @param entry  of `setup`, perhaps moved
  void draw(const scenes::PlacedEntry& entry, const SimulationSetup& setup, const PanelContext& context,
            const PictureProjection& picture, ImU32 ink, float width);

 private:
  struct FileEdges {
    std::shared_ptr<const MeshSurface> surface;
    MeshPlacement placement;  ///< of the surface
    std::vector<OutlineEdge> edges;
  };
  struct ShapeEdges {
    PlainShape shape;
    Domain domain;
    std::vector<OutlineEdge> edges;
  };
  std::vector<OutlineEdge> of_file(const PlainShape& shape, const PlainShape& present);
  const std::vector<OutlineEdge>& of_shape(const PlainShape& shape, const Domain& domain);

  std::vector<FileEdges> files_;
  std::deque<ShapeEdges> shapes_;  ///< the newest last
};

}  // namespace riffle::desktop
