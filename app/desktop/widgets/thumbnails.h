#pragma once
/// The pictures of the shipped scenes as textures, for lists of scenes.

#include <map>
#include <string>

#include "render/gl/gl_objects.h"
#include "scenes/catalog.h"

namespace riffle {

class Thumbnails {
 public:
  static constexpr float kAspect = 192.0f / 120;  ///< width by height: tools/thumbnails draws them so

  /// Made when first asked for and kept. Needs the context current, as the end of this does.
  /// @return 0 for a scene that the program carries no picture of, or none that can be read (which the log then has)
  GLuint texture(const CatalogEntry& scene);

 private:
  std::map<std::string, GlTexture2D> textures_;  ///< without a name where there is no picture
};

}  // namespace riffle
