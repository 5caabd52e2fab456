/// riffle-import FILE BYTES SECONDS TRIANGLES: reads a mesh file and writes its triangles to standard output, for
/// sim/meshes/mesh_file.cpp. It is a program of its own, because a damaged file may crash the library that reads it or make
/// it take all memory: BYTES of memory and SECONDS of processor time bound this process.

#include <assimp/scene.h>
#include <sys/resource.h>

#include <array>
#include <assimp/Importer.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "face_triangles.h"

namespace {

struct Output {
  std::vector<float> vertices;
  std::vector<std::uint32_t> triangles;
};

struct TooMany {};

constexpr int kDeepest = 200;  // nodes within nodes

std::vector<std::array<double, 3>> corners_of(const aiMesh& mesh, const aiFace& face) {
  std::vector<std::array<double, 3>> corners(face.mNumIndices);
  for (unsigned k = 0; k < face.mNumIndices; ++k) {
    const aiVector3D& at = mesh.mVertices[face.mIndices[k]];
    corners[k] = {at.x, at.y, at.z};
  }
  return corners;
}

void collect(const aiScene& scene, const aiNode& node, const aiMatrix4x4& outer, std::size_t most, int depth,
             Output& out) {
  if (depth > kDeepest) throw TooMany{};
  const aiMatrix4x4 place = outer * node.mTransformation;
  for (unsigned m = 0; m < node.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[node.mMeshes[m]];
    const auto first = static_cast<std::uint32_t>(out.vertices.size() / 3);
    if (out.vertices.size() / 3 + mesh.mNumVertices > 3 * most) throw TooMany{};
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
      const aiVector3D at = place * mesh.mVertices[v];
      out.vertices.insert(out.vertices.end(), {at.x, at.y, at.z});
    }
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices < 3) continue;  // points and lines
      if (out.triangles.size() / 3 + face.mNumIndices - 2 > most) throw TooMany{};
      for (const std::array<std::uint32_t, 3>& triangle : riffle::triangles_of_face(corners_of(mesh, face)))
        for (const std::uint32_t corner : triangle) out.triangles.push_back(first + face.mIndices[corner]);
    }
  }
  for (unsigned c = 0; c < node.mNumChildren; ++c) collect(scene, *node.mChildren[c], place, most, depth + 1, out);
}

int say(const std::string& text) {
  std::fwrite("RIFFLE-TEXT", 1, 12, stdout);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return std::fflush(stdout) == 0 ? 0 : 1;
}

void limit(int what, rlim_t most) {
  const rlimit bound{most, most};
  setrlimit(static_cast<__rlimit_resource_t>(what), &bound);
}

int import(const std::string& file, std::size_t most) {
  Assimp::Importer importer;
  // Vertices are joined later: Assimp would take one that is not a number for the same as any other. Faces become triangles
  // here: aiProcess_Triangulate of Assimp 5.2 fills notches of faces with more than four corners.
  const aiScene* scene = importer.ReadFile(file, 0);
  if (scene == nullptr || scene->mRootNode == nullptr)
    return say("is not a mesh that the library Assimp reads: " + std::string(importer.GetErrorString()));
  Output out;
  try {
    collect(*scene, *scene->mRootNode, aiMatrix4x4(), most, 0, out);
  } catch (const TooMany&) {
    return say(
        "has more than " + std::to_string(most) +
        " triangles; allowed: up to that, and a mesh whose triangles are as small as a particle spacing shows all "
        "that the fluid can feel");
  }
  const std::uint64_t counts[2] = {out.vertices.size() / 3, out.triangles.size() / 3};
  std::fwrite("RIFFLE-MESH", 1, 12, stdout);
  std::fwrite(counts, sizeof counts, 1, stdout);
  std::fwrite(out.vertices.data(), sizeof(float), out.vertices.size(), stdout);
  std::fwrite(out.triangles.data(), sizeof(std::uint32_t), out.triangles.size(), stdout);
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) {
    std::fputs("riffle-import FILE BYTES SECONDS TRIANGLES: reads a mesh file for riffle\n", stderr);
    return 2;
  }
#ifndef RIFFLE_SANITIZE  // the sanitizers' shadow memory is larger than any bound
  limit(RLIMIT_AS, std::strtoull(words[2], nullptr, 10));
#endif
  limit(RLIMIT_CPU, std::strtoull(words[3], nullptr, 10));
  limit(RLIMIT_CORE, 0);
  try {
    return import(words[1], std::strtoull(words[4], nullptr, 10));
  } catch (const std::bad_alloc&) {
    return say("needs more than " + std::to_string(std::strtoull(words[2], nullptr, 10) >> 20) +
               " MiB of memory to be read; allowed: a mesh of fewer triangles");
  } catch (const std::exception& error) {
    return say(std::string("cannot be read: ") + error.what());
  }
}
