#pragma once
/// The ray programs as PTX. The defining sources are generated.

#include <string_view>

namespace riffle {

std::string_view optix_ptx();             ///< neighbors/optix/optix_programs.cu
std::string_view optix_point_ptx();       ///< neighbors/optix/optix_point_programs.cu
std::string_view optix_nearest_8_ptx();   ///< neighbors/optix/optix_nearest_8_programs.cu
std::string_view optix_nearest_15_ptx();  ///< neighbors/optix/optix_nearest_15_programs.cu

}  // namespace riffle
