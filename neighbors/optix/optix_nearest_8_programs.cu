/// Up to 8 nearest points in a ray's payload.

#define RIFFLE_NEAREST 8
#include "neighbors/optix/optix_nearest_programs.cuh"

static_assert(RIFFLE_NEAREST == kFewNearest);
