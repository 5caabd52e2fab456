/// Mesh files of every kind, and what is wrong with them.

#include "sim/meshes/mesh_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "core/error.h"
#include "support/scratch.h"
#include "tests/sim/meshes/example_meshes.h"

namespace riffle::test {
namespace {

namespace fs = std::filesystem;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string why_refused(const fs::path& file, const MeshImport& how = {}) {
  try {
    read_mesh_file(file, how);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string ply_text(const IndexedMesh& mesh) {
  std::string text = "ply\nformat ascii 1.0\nelement vertex " + std::to_string(mesh.vertices.size()) +
                     "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
                     std::to_string(mesh.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
  for (const Vec3& v : mesh.vertices)
    text += std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z) + "\n";
  for (const Triangle& t : mesh.triangles)
    text += "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " + std::to_string(t[2]) + "\n";
  return text;
}

std::string stl_text(const IndexedMesh& mesh) {
  std::string text = "solid example\n";
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (int k = 0; k < 3; ++k) {
      const Vec3 v = mesh.vertex(t, k);
      text += "vertex " + std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z) + "\n";
    }
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid example\n";
}

std::string binary_stl(const IndexedMesh& mesh) {
  std::string text(80, ' ');
  const auto append = [&](const void* data, std::size_t size) { text.append(static_cast<const char*>(data), size); };
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  append(&count, 4);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const float none[3] = {0, 0, 0};
    append(none, 12);
    for (int k = 0; k < 3; ++k) {
      const Vec3 v = mesh.vertex(t, k);
      append(&v, 12);
    }
    text.append(2, '\0');
  }
  return text;
}

/// A tetrahedron with a node that moves it by 5 along x. The buffer is 4 places and 12 indices of 16 bits.
std::string gltf_text() {
  return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
"nodes": [{"mesh": 0, "translation": [5, 0, 0]}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
"buffers": [{"byteLength": 72, "uri": "data.bin"}],
"bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]},
{"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}]})";
}

std::string gltf_data() {
  const float places[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::uint16_t indices[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  return std::string(reinterpret_cast<const char*>(places), 48) +
         std::string(reinterpret_cast<const char*>(indices), 24);
}

TEST(MeshFile, EveryKindIsRead) {
  const Scratch folder;
  const IndexedMesh torus = torus_mesh({1, 2, 3}, 0.6f, 0.25f, 24);
  for (const auto& [name, text] : {std::pair<std::string, std::string>("a.obj", obj_text(torus)),
                                   {"a.ply", ply_text(torus)},
                                   {"a.stl", stl_text(torus)},
                                   {"binary.STL", binary_stl(torus)}}) {
    const auto mesh = read_mesh_file(write_text(folder / name, text));
    EXPECT_EQ(mesh->triangles.size(), torus.triangles.size()) << name;
    const MeshSurface surface(*mesh);
    EXPECT_EQ(surface.mesh().vertices.size(), torus.vertices.size()) << name;
    EXPECT_NEAR(surface.volume(), MeshSurface(torus).volume(), 1e-4) << name;
  }
  write_text(folder / "data.bin", gltf_data());
  const MeshSurface tetrahedron(*read_mesh_file(write_text(folder / "a.gltf", gltf_text())));
  EXPECT_NEAR(tetrahedron.volume(), 1 / 6.0, 1e-6);
  EXPECT_FLOAT_EQ(tetrahedron.low().x, 5) << "nodes place meshes";
}

TEST(MeshFile, PolygonsBecomeTriangles) {
  const Scratch folder;
  const auto mesh = read_mesh_file(write_text(folder / "cube.obj",
                                              "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                              "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 1 5 8 4\n"));
  EXPECT_EQ(mesh->triangles.size(), 12u);
  EXPECT_NEAR(MeshSurface(*mesh).volume(), 1, 1e-6);
}

/// A face as corners in order, and the files that have it alone.
using Face = std::vector<Vec3>;

std::string obj_of(const Face& face) {
  std::string text, list = "f";
  for (std::size_t i = 0; i < face.size(); ++i) {
    text += fmt::format("v {} {} {}\n", face[i].x, face[i].y, face[i].z);
    list += fmt::format(" {}", i + 1);
  }
  return text + list + "\n";
}

std::string ply_of(const Face& face) {
  std::string text = fmt::format(
      "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list int int vertex_indices\nend_header\n",
      face.size());
  for (const Vec3& v : face) text += fmt::format("{} {} {}\n", v.x, v.y, v.z);
  text += fmt::format("{}", face.size());
  for (std::size_t i = 0; i < face.size(); ++i) text += fmt::format(" {}", i);
  return text + "\n";
}

/// Twice the area of a flat face, as a vector along its normal.
Vec3 doubled_area(const Face& face) {
  Vec3 sum{};
  for (std::size_t i = 0; i < face.size(); ++i)
    sum = sum + cross(face[i] - face[0], face[(i + 1) % face.size()] - face[0]);
  return sum;
}

using Edge = std::array<Vec3, 2>;

/// Assimp rounds the decimals of a file to a float that may be the next one.
bool equal(const Edge& a, const Edge& b) { return length2(a[0] - b[0]) < 1e-9f && length2(a[1] - b[1]) < 1e-9f; }

/// How often triangles go along an edge in that direction.
int count_of(const IndexedMesh& mesh, const Edge& edge) {
  int count = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) count += equal({mesh.vertex(t, k), mesh.vertex(t, (k + 1) % 3)}, edge);
  return count;
}

/// Triangles that are all the same way round as a flat face and whose areas sum up to its own fill it, and nothing else.
void expect_filled(const IndexedMesh& mesh, const Face& face, const std::string& what) {
  const Vec3 whole = doubled_area(face);
  const float size = std::sqrt(length2(whole));
  EXPECT_EQ(mesh.triangles.size(), face.size() - 2) << what;
  float sum = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 area = cross(mesh.vertex(t, 1) - mesh.vertex(t, 0), mesh.vertex(t, 2) - mesh.vertex(t, 0));
    // Of the corners where a face touches itself, a triangle may have two.
    const bool touches = mesh.vertex(t, 0) == mesh.vertex(t, 1) || mesh.vertex(t, 1) == mesh.vertex(t, 2) ||
                         mesh.vertex(t, 2) == mesh.vertex(t, 0);
    EXPECT_GT(dot(area, whole), touches ? -1e-6f * size * size : 1e-6f * size * size)
        << what << ": triangle " << t << " is the wrong way round, or has no area: a corner on its edge gets lost";
    sum += std::sqrt(length2(area));
  }
  EXPECT_NEAR(sum, size, 1e-4f * size) << what << ": triangles lie outside the face, or over each other";
  for (std::size_t i = 0; i < face.size(); ++i)
    EXPECT_GE(count_of(mesh, {face[i], face[(i + 1) % face.size()]}), 1) << what << ": edge " << i;
}

TEST(MeshFile, FacesWithNotchesAreFilledAndNothingElseIs) {
  const Scratch folder;
  const Face letter{{-0.3f, 1, 0}, {0.9f, 1, 0},  {0.9f, 0.75f, 0},  {0.43f, 0.75f, 0},
                    {0.43f, 0, 0}, {0.17f, 0, 0}, {0.17f, 0.75f, 0}, {-0.3f, 0.75f, 0}};  // a T
  const Face on_an_edge{{3, 0, 0}, {0, 3, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  // A notch from the upper side, whose end lies in the lower left corner.
  const Face touching{{0, 4, 0}, {0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {2.2f, 4, 0}, {0, 0, 0}, {1, 4, 0}};
  // A square with a square hole, around which the face goes along the edge from the corner 0 twice.
  const Face hole{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 0},
                  {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}, {1, 1, 0}};
  Face comb;
  for (int tooth = 0; tooth < 20; ++tooth) {
    const auto x = static_cast<float>(tooth);
    comb.insert(comb.end(), {{x, tooth % 3 == 0 ? 2.0f : 1.0f, 0}, {x + 0.5f, 0.1f, 0}});
  }
  comb.insert(comb.end(), {{20, 0, 0}, {0, 0, 0}});
  Face spiral;
  for (const float width : {1.0f, 0.8f})
    for (int k = 0; k <= 60; ++k) {
      const float angle = 0.25f * static_cast<float>(width == 1 ? k : 60 - k), radius = width + 0.1f * angle;
      spiral.push_back({radius * std::cos(angle), radius * std::sin(angle), 0});
    }
  const std::pair<const char*, Face> faces[] = {{"letter", letter},     {"on an edge", on_an_edge},
                                                {"touching", touching}, {"hole", hole},
                                                {"comb", comb},         {"spiral", spiral}};
  for (const auto& [name, flat] : faces)
    for (const bool backwards : {false, true})
      for (const float tilt : {0.0f, 0.5f, 1.2f, 1.5708f}) {
        Face face;
        for (const Vec3& v : flat)  // about the axis x, and then away from the origin
          face.push_back({v.x - 30, std::cos(tilt) * v.y + 7, std::sin(tilt) * v.y + 0.3f * v.x});
        if (backwards) std::reverse(face.begin(), face.end());
        const std::string what = fmt::format("{}, tilted by {}{}", name, tilt, backwards ? ", backwards" : "");
        expect_filled(*read_mesh_file(write_text(folder / "face.obj", obj_of(face))), face, what + ", OBJ");
        expect_filled(*read_mesh_file(write_text(folder / "face.ply", ply_of(face))), face, what + ", PLY");
      }
}

TEST(MeshFile, FacesOfRandomOutlinesAreFilled) {
  const Scratch folder;
  std::mt19937 random(7);
  std::uniform_real_distribution<float> radius(0.1f, 1);
  for (int outline = 0; outline < 60; ++outline) {
    Face face;
    const int corners = 4 + outline;
    for (int k = 0; k < corners; ++k) {
      const float angle = 6.2831853f * static_cast<float>(k) / static_cast<float>(corners), r = radius(random);
      face.push_back({r * std::cos(angle), r * std::sin(angle), 0.4f * r * std::cos(angle)});
    }
    expect_filled(*read_mesh_file(write_text(folder / "face.obj", obj_of(face))), face,
                  fmt::format("{} corners", corners));
  }
}

/// A face that is the outline of no certain shape still has each of its edges once, so that a surface of such faces is closed.
TEST(MeshFile, FacesThatAreNotFlatOrCrossThemselvesKeepTheirEdges) {
  const Scratch folder;
  const Face faces[] = {
      {{0, 0, 0}, {2, 0, 0.5f}, {2, 2, 0}, {1, 0.5f, 0.7f}, {0, 2, 0.5f}},                   // warped
      {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}},                                          // a bow, no area
      {{0, 0, 0}, {4, 3, 0}, {4, 0, 0}, {0, 1, 0}},                                          // a bow
      {{0, 0, 0}, {3, 1, 0}, {0, 2, 0}, {2.5f, -1, 0}, {2, 3, 0}},                           // a star
      {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0.5f, 0}, {0, 0.7f, 0}}};  // twice a corner
  for (const Face& face : faces) {
    const auto mesh = read_mesh_file(write_text(folder / "face.obj", obj_of(face)));
    EXPECT_EQ(mesh->triangles.size(), face.size() - 2);
    for (std::size_t i = 0; i < face.size(); ++i) {
      const Edge edge{face[i], face[(i + 1) % face.size()]};
      EXPECT_GE(count_of(*mesh, edge) - count_of(*mesh, {edge[1], edge[0]}), edge[0] == edge[1] ? 0 : 1)
          << "edge " << i << " of the face at " << &face - faces;
    }
  }
}

TEST(MeshFile, ALargeConcaveFaceIsReadInTime) {
  const Scratch folder;
  Face face;
  constexpr int kTeeth = 5000;
  for (int tooth = 0; tooth < kTeeth; ++tooth) {
    const float angle = 6.2831853f * static_cast<float>(tooth) / kTeeth, r = tooth % 2 == 0 ? 1.0f : 0.9f;
    face.push_back({r * std::cos(angle), r * std::sin(angle), 0});
  }
  MeshImport how;
  how.seconds = 20;
  EXPECT_EQ(read_mesh_file(write_text(folder / "wheel.obj", obj_of(face)), how)->triangles.size(), kTeeth - 2u);
}

TEST(MeshFile, IsReadOnceWhileItDoesNotChange) {
  const Scratch folder;
  const fs::path file = write_text(folder / "a.obj", obj_text(box_mesh({0, 0, 0}, {1, 1, 1})));
  const auto first = read_mesh_file(file);
  EXPECT_EQ(first, read_mesh_file(file));
  write_text(file, obj_text(ball_mesh({}, 1, 12)));
  EXPECT_NE(first, read_mesh_file(file));
}

TEST(MeshFile, BadFilesAreRefusedWithTheReason) {
  const Scratch folder;
  const auto refused = [&](const char* name, const std::string& text) {
    return why_refused(write_text(folder / name, text));
  };
  EXPECT_PRED2(has, why_refused(folder / "missing.obj"), "missing.obj");
  EXPECT_PRED2(has, why_refused(folder / "missing.obj"), "No such file");
  EXPECT_PRED2(has, refused("a.docx", "x"), "found the ending '.docx'; allowed: .stl, .obj, .ply, .gltf, .glb");
  EXPECT_PRED2(has, refused("empty.obj", ""), "is not a mesh");
  EXPECT_PRED2(has, refused("noise.stl", "solid nothing\n\x01\x02"), "noise.stl: ");
  EXPECT_PRED2(has, refused("cut.ply", ply_text(box_mesh({0, 0, 0}, {1, 1, 1})).substr(0, 210)), "cut.ply: ");
  EXPECT_PRED2(has, refused("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"), "none of its 1 triangles has an area");
  EXPECT_PRED2(has, refused("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nl 2 3\n"), "has no triangles");
  EXPECT_PRED2(has, refused("far.obj", "v 0 0 0\nv 1e30 0 0\nv 0 1 0\nf 1 2 3\n"), "allowed: finite numbers");
  IndexedMesh broken = box_mesh({0, 0, 0}, {1, 1, 1});
  broken.vertices[3].y = NAN;
  EXPECT_PRED2(has, refused("nan.stl", binary_stl(broken)), "nan.stl: ");
  const fs::path large = write_text(folder / "large.stl", "");
  fs::resize_file(large, kMostMeshFileBytes + 1);  // without a block on the disk
  EXPECT_PRED2(has, why_refused(large), "allowed: at most 1.0 GiB");
}

/// A program in place of riffle-import that does this.
MeshImport replaced_by(const Scratch& folder, const std::string& script) {
  MeshImport how;
  how.program = write_text(folder / "reader", "#!/bin/sh\n" + script + "\n");
  ::chmod(how.program.c_str(), 0700);
  return how;
}

TEST(MeshFile, AReaderThatCrashesIsAMessage) {
  const Scratch folder;
  const fs::path file = write_text(folder / "a.obj", obj_text(box_mesh({0, 0, 0}, {1, 1, 1})));
  EXPECT_EQ(why_refused(file), "");
  const std::string crash = why_refused(file, replaced_by(folder, "kill -SEGV $$"));
  EXPECT_PRED2(has, crash, "its reader crashed (Segmentation fault)");
  EXPECT_PRED2(has, crash, "a.obj");
  EXPECT_PRED2(has, crash, "a copy that another program has written");
  EXPECT_PRED2(has, why_refused(file, replaced_by(folder, "exit 3")), "ended with the code 3");
  MeshImport slow = replaced_by(folder, "exec sleep 60");
  slow.seconds = 0.3;
  EXPECT_PRED2(has, why_refused(file, slow), "was not read within 0.3 s");
  MeshImport none;
  none.program = folder / "no such program";
  EXPECT_THROW(read_mesh_file(file, none), RuntimeFailure);
}

TEST(MeshFile, WhatTheReaderWritesIsChecked) {
  const Scratch folder;
  const fs::path file = write_text(folder / "a.obj", obj_text(box_mesh({0, 0, 0}, {1, 1, 1})));
  const auto written = [&](const std::string& text) {
    write_text(folder / "output", text);
    return why_refused(file, replaced_by(folder, "cat '" + (folder / "output") + "'"));
  };
  const auto mesh = [](std::uint64_t vertices, std::uint64_t triangles, std::vector<std::uint32_t> indices) {
    std::string text("RIFFLE-MESH\0", 12);
    text.append(reinterpret_cast<const char*>(&vertices), 8).append(reinterpret_cast<const char*>(&triangles), 8);
    const float places[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    text.append(reinterpret_cast<const char*>(places), sizeof places);
    return text.append(reinterpret_cast<const char*>(indices.data()), indices.size() * 4);
  };
  EXPECT_EQ(written(mesh(3, 1, {0, 1, 2})), "");
  EXPECT_PRED2(has, written(mesh(3, 1, {0, 1, 3})), "wrote no mesh") << "an index beyond the vertices";
  EXPECT_PRED2(has, written(mesh(3, 2, {0, 1, 2})), "wrote no mesh") << "fewer triangles than it says";
  EXPECT_PRED2(has, written(mesh(~0ull, ~0ull, {0, 1, 2})), "wrote no mesh");
  EXPECT_PRED2(has, written("nonsense"), "wrote no mesh");
  EXPECT_PRED2(has, written(""), "wrote no mesh");
  EXPECT_PRED2(has, written(std::string("RIFFLE-TEXT\0", 12) + "is \x1b[31mred"), "is \\x1b[31mred");
}

TEST(MeshFile, ItsMemoryIsBounded) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer needs more memory than any bound";
#endif
  const Scratch folder;
  const fs::path file = write_text(folder / "a.obj", obj_text(torus_mesh({}, 0.6f, 0.25f, 300)));
  MeshImport small;
  small.program = fs::path(RIFFLE_IMPORT);
  small.bytes = 60 << 20;
  EXPECT_PRED2(has, why_refused(file, small), "a.obj: ");
  small.bytes = std::uint64_t{1} << 30;
  EXPECT_EQ(why_refused(file, small), "");
}

}  // namespace
}  // namespace riffle::test
