#pragma once
/// The bar below the picture.

namespace riffle::desktop {

/// [pixel] Its lines of buttons are one, or two where the window is narrow. @param width [pixel] of the bar
float transport_height(float width);

}  // namespace riffle::desktop
