#pragma once
/// The bar below the picture.

namespace riffle::desktop {

struct WorkerStatus;

/// What playing on does to moments that are later than the present one.
struct PlayingOn {
  const char *text, *shorter;  ///< beside the time
  const char* tip;             ///< the end of a sentence
};
PlayingOn playing_on(const WorkerStatus& status);

/// [pixel] Its lines of buttons are one, or two where the window is narrow. @param width [pixel] of the bar
float transport_height(float width);

}  // namespace riffle::desktop
