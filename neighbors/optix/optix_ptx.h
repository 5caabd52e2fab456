#pragma once
/// The ray programs (neighbors/optix/optix_programs.cu) as PTX. The source that defines it is generated.

#include <string_view>

namespace riffle {

std::string_view optix_ptx();

}  // namespace riffle
