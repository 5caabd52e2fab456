#pragma once
/// The pictures of the shipped scenes as textures, for lists of scenes.

#include <map>
#include <string>

#include "render/gl/gl_objects.h"
#include "scenes/catalog.h"

namespace riffle::desktop {

class Thumbnails {
 public:
  static constexpr float kAspect = 192.0f / 120;  ///< width by height: tools/thumbnails draws them so

  /// Made at the first request and kept. The OpenGL context must be current here and in the destructor.
  /// @return 0 if the program has no picture of the scene, or cannot read it (the log says so)
  GLuint texture(const scenes::CatalogEntry& scene);

 private:
  std::map<std::string, render::GlTexture2D> textures_;  ///< an empty texture if there is no picture
};

}  // namespace riffle::desktop
