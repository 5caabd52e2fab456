#pragma once
/// What all passes over the particles share: the buffer, the colours, the cut.

#include <cstddef>
#include <optional>
#include <string>

#include "render/camera.h"
#include "render/gl/gl_objects.h"
#include "render/to_glm.h"
#include "render/view.h"

namespace riffle::render {

/// A colour map as a texture of one row; uploads only when the map changes.
class ColorMapTexture {
 public:
  void select(const std::string& name);  ///< @throws InputError for an unknown map
  GLuint name() const { return texture_.name(); }

 private:
  GlTexture2D texture_;
  std::string map_;
};

/// The particles of one picture and the view. Refers to arguments of draw().
struct ParticlePass {
  GLuint vertices = 0;  ///< buffer: (count) of {x, y, z, value}
  int count = 0;
  std::optional<std::size_t> speed_offset;  ///< [bytes] in `vertices`: (count) speeds [m/s]
  float radius = 0;                         ///< [m] of a drawn sphere
  float spacing = 0;                        ///< [m] mean distance of neighbours in the bulk
  ViewTransform view;
  Vec3 up{0, 1, 0};  ///< in the world
  const ColorScale& scale;
  const ColorMapTexture& color_map;
  std::optional<CutPlane> cut;
};

/// Sets the uniforms of particles.glsl and of the view; binds the colour map (a unit of its own) and the particles (storage block
/// 0).
/// @param height [pixel] of the target
void set_particle_uniforms(const Program& program, const ParticlePass& pass, int height);

/// Sets color_map.glsl's uniform and binds the map (a unit of its own). set_particle_uniforms() does it, too.
void set_color_map(const Program& program, const ParticlePass& pass);

/// Draws six vertices per particle with the current program. A vertex array without attributes must be bound.
void draw_particle_squares(const ParticlePass& pass);

}  // namespace riffle::render
