#pragma once
/// Outlines of what has no surface in the picture.

namespace riffle {
struct InletSetup;
struct OutletSetup;
struct ProbeSetup;
struct SimulationSetup;
}  // namespace riffle

namespace riffle::desktop {

class Marker;

void draw_inlet_mark(Marker& marker, const SimulationSetup& setup, const InletSetup& inlet);
void draw_outlet_mark(Marker& marker, const OutletSetup& outlet, int dimension);
void draw_probe_mark(Marker& marker, const ProbeSetup& probe, int dimension);

}  // namespace riffle::desktop
