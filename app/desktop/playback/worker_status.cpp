#include "app/desktop/playback/worker_status.h"

#include "scenes/scene.h"
#include "sim/units.h"

namespace riffle::desktop {

const Units& units_of(const WorkerStatus& status) {
  return status.loaded ? units_of(status.scene->simulation) : kSiUnits;
}

}  // namespace riffle::desktop
