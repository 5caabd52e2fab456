#include "app/desktop/widgets/thumbnails.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "core/text/log.h"
#include "render/assets.h"
#include "render/media/png.h"

namespace riffle::desktop {

namespace {

render::GlTexture2D upload(const render::Image& image) {
  render::GlTexture2D texture = render::GlTexture2D::create();
  const GLuint name = texture.name();
  // The list shows them at a third of their size or less. Without mipmaps it would show every third pixel.
  int levels = 1;
  for (int side = std::max(image.width, image.height); side > 1; side /= 2) ++levels;
  glTextureStorage2D(name, levels, GL_RGBA8, image.width, image.height);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(name, 0, 0, 0, image.width, image.height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glGenerateTextureMipmap(name);
  glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(name, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(name, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return texture;
}

render::GlTexture2D make(const std::string& scene) {
  const std::string file = fmt::format("thumbnails/{}.png", scene);
  for (const render::Asset& asset : render::assets())
    if (asset.name == file) return upload(render::decode_png(asset.bytes));
  return {};
}

}  // namespace

GLuint Thumbnails::texture(const scenes::CatalogEntry& scene) {
  // A user's scene may have the name of a shipped one, but looks different.
  if (!scene.shipped) return 0;
  const auto [found, is_new] = textures_.try_emplace(scene.name);
  if (!is_new) return found->second.name();
  try {
    found->second = make(scene.name);
  } catch (const std::exception& failure) {
    log::warn("the picture of {} cannot be shown: {}", scene.name, failure.what());
  }
  return found->second.name();
}

}  // namespace riffle::desktop
