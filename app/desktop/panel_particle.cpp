#include <fmt/format.h>

#include <cmath>

#include "app/desktop/panels.h"
#include "app/desktop/widgets.h"

namespace riffle {

namespace {

std::string vector_text(Vec3 v, bool three) {
  return three ? fmt::format("{:.4g}, {:.4g}, {:.4g}", v.x, v.y, v.z) : fmt::format("{:.4g}, {:.4g}", v.x, v.y);
}

void draw_picked(PanelContext& context, const ParticleReport& particle) {
  const Scene& scene = *context.status.scene;
  const bool dpd = scene.simulation.solver == SolverKind::Dpd, three = scene.simulation.domain.dimension == 3;
  const Vec3 v = particle.velocity;
  ui::row("particle", fmt::format("{}", particle.id));
  ui::row("fluid", scene.simulation.fluids[particle.fluid].name);
  ui::row("neighbours", fmt::format("{}", particle.neighbors),
          "Fluid particles within the support radius; they are marked.");
  ui::row(dpd ? "position" : "position [m]", vector_text(particle.position, three));
  ui::row(dpd ? "velocity" : "velocity [m/s]", vector_text(v, three));
  ui::row(dpd ? "speed" : "speed [m/s]", fmt::format("{:.4g}", std::sqrt(length2(v))));
  if (particle.density) ui::row("density [kg/m\u00b3]", fmt::format("{:.5g}", *particle.density));
  if (particle.pressure) ui::row("pressure [Pa]", fmt::format("{:.4g}", *particle.pressure));
  if (ui::button("unpick", "Look at none", "Esc")) context.worker.unpick();
}

}  // namespace

void draw_particle_panel(PanelContext& context) {
  if (!ui::section("particle", "Particle and hand", false) || !context.status.loaded) return;
  if (context.view.picked)
    draw_picked(context, *context.view.picked);
  else
    ImGui::TextDisabled("Click on a particle to look at it.");
  ImGui::SetNextItemWidth(10 * ui::em());
  ImGui::SliderFloat("hand's size", &context.view.hand.size, 0.02f, 0.4f, "%.2f");
  ui::mark("hand.size");
  ui::tip("Radius of the ball that the right mouse button pulls or pushes, in lengths of the domain.");
  ImGui::SetNextItemWidth(10 * ui::em());
  ImGui::SliderFloat("strength", &context.view.hand.strength, 0.1f, 5, "%.1f", ImGuiSliderFlags_Logarithmic);
  ui::mark("hand.strength");
  ui::tip("1 gives a particle the scene's usual speed over that radius.");
}

}  // namespace riffle
