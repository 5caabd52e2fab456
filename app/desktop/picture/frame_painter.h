#pragma once
/// Turns the worker's particles into a picture: the window's own, and those that are saved and recorded.

#include <cstdint>
#include <memory>
#include <optional>

#include "app/desktop/picture/picture_extras.h"
#include "app/run/solid_meshes.h"
#include "core/device/device_stream.h"
#include "render/particles/extent.h"
#include "render/renderer.h"

namespace riffle::scenes {
struct Scene;
}  // namespace riffle::scenes

namespace riffle::desktop {

/// How a picture looks. The window's pictures and the saved ones have this in common.
struct PictureLook {
  Camera camera;
  render::ColorScale scale;
  render::RenderOptions options;
  ExtrasChoice extras;
  bool caption = true;  ///< time and number of particles, at the lower left
};

/// Whether a picture shows any particle, and if not, why.
enum class Seen { Particles, AllCutAway, NothingInView };

struct ShownParticle {
  std::uint32_t id = 0;
  Vec3 position{};  ///< [m] in the picture
};

struct ShownSolid {
  std::size_t number = 0;  ///< in the scene
  Vec3 place{};            ///< [m] in the picture
  Vec3 at{};               ///< [m] where the scene puts that point of the solid
};

/// Its OpenGL context must be current, from the first prepare() to the end.
class FramePainter {
 public:
  /// Makes ready for pictures of this frame. [pixel] of the picture
  /// @return whether the picture so far is lost: of another size, or drawn by another renderer
  bool prepare(const ParticleFrame& frame, int width, int height, const render::RenderOptions& options);

  /// Whether prepare() would make another renderer for this frame. Pictures that are still being read would be lost
  /// with the present one.
  bool will_restart(const ParticleFrame& frame) const;

  /// Of the particles that the cut leaves. After prepare(). Waits.
  render::ParticleExtent measure_extent(const ParticleFrame& frame, const scenes::Scene& scene,
                                        const PictureLook& look) const;

  /// After prepare(). Does not wait for the drawing. @param scene of the frame
  void draw(const ParticleFrame& frame, const scenes::Scene& scene, const PictureLook& look);

  /// The particle that the last picture shows at a place: of spheres the first on the line of sight, of the fluid's
  /// surface the one nearest to it. Nothing where no particle is shown, or a solid in front of it. After draw(). Waits.
  /// @param frame,scene,look as they were drawn @param x,y -1..1 of the picture, y up
  std::optional<ShownParticle> particle_at(const ParticleFrame& frame, const scenes::Scene& scene,
                                           const PictureLook& look, float x, float y) const;

  /// The solid that the last picture shows there; in 2-D under the particles. Nothing where solids are hidden.
  /// After draw(). @param frame,scene,look as they were drawn
  std::optional<ShownSolid> solid_at(const ParticleFrame& frame, const scenes::Scene& scene, const PictureLook& look,
                                     float x, float y) const;

  /// Where the last picture has a point of a solid. @param at  [m] where the scene puts it
  std::optional<Vec3> place_of(std::size_t solid, Vec3 at) const;

  /// After prepare(). Waits.
  Seen what_is_seen(const ParticleFrame& frame, const scenes::Scene& scene, const PictureLook& look) const;

  void wait() const { stream_->synchronize(); }  ///< until the frame has been read, and may be given back

  bool has_renderer() const { return renderer_ != nullptr; }  ///< since the first prepare()
  render::Renderer& renderer() { return *renderer_; }
  const Neighborhood& neighborhood() const { return neighborhood_; }  ///< of the last draw()

 private:
  std::optional<DeviceStream> stream_;  // outlives the renderer, which draws from it
  std::unique_ptr<render::Renderer> renderer_;
  Neighborhood neighborhood_;
  SolidMeshes solids_;
};

}  // namespace riffle::desktop
