/// Mesh files of every kind, and what is wrong with them.

#include "sim/meshes/mesh_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

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
