#pragma once
/// The ray programs (neighbors/optix/optix_programs.cu) as PTX. The defining source is generated.

#include <string_view>

namespace riffle {

std::string_view optix_ptx();

}  // namespace riffle
