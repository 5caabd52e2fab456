#include "scenes/document/no_scene.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include "sim/meshes/mesh_file.h"

namespace riffle::scenes {

namespace {

struct Kind {
  std::initializer_list<const char*> endings;
  const char* what;   ///< "a movie"
  const char* to_do;  ///< with FILE for its name
};

const Kind kKinds[] = {
    {{".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff", ".svg"},
     "a picture",
     "a viewer of pictures shows it; `riffle run SCENE` draws one of a scene"},
    {{".mp4", ".mkv", ".mov", ".webm", ".avi", ".m4v"},
     "a movie",
     "a player shows it; `riffle run SCENE --video` makes one of a scene"},
    {{".vtp", ".lammpstrj", ".dump", ".data"},
     "a file of particles",
     "`bodies: [{particles: {file: FILE}}]` in a scene begins with them"},
    {{".gsd"},
     "a file of particles",
     "OVITO shows it; scenes begin with .vtp, .ply, .csv, .lammpstrj, .dump and .data"},
    {{".csv"},
     "a table",
     "a table of particles is read by `bodies: [{particles: {file: FILE}}]` in a scene; one of a run is for "
     "spreadsheets "
     "and NumPy"},
    {{".npz", ".npy"}, "a file of arrays", "numpy.load() reads it"},
    {{".xmf", ".pvd"}, "a companion for ParaView", "ParaView opens it; the data are in the files that it names"},
    {{".usda", ".usd", ".usdc"},
     "a surface",
     "Blender and Houdini open it; scenes read meshes as .obj, .stl, .ply, .gltf and .glb"},
};

}  // namespace

std::string why_no_scene(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::string shown = file.string();
  std::string what, to_do;
  if (ending == ".ply") {  // particles or triangles
    what = "a mesh or a file of particles";
    to_do =
        "`solids: [{mesh: {file: FILE}}]` in a scene, or \"+ solid mesh ...\" in the window, makes a solid of a mesh; "
        "`bodies: [{particles: {file: FILE}}]` begins with particles";
  } else if (is_mesh_file(file)) {
    what = "a mesh";
    to_do = "`solids: [{mesh: {file: FILE}}]` in a scene, or \"+ solid mesh ...\" in the window, makes a solid of it";
  }
  for (const Kind& kind : kKinds)
    if (std::find(kind.endings.begin(), kind.endings.end(), ending) != kind.endings.end())
      what = kind.what, to_do = kind.to_do;
  if (what.empty()) return "";
  for (std::size_t at = to_do.find("FILE"); at != std::string::npos; at = to_do.find("FILE", at + shown.size()))
    to_do.replace(at, 4, shown);
  return "is " + what + ", no scene; " + to_do;
}

}  // namespace riffle::scenes
