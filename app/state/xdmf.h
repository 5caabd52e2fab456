#pragma once
/// The text that tells ParaView where in a state file the particles are (XDMF 3).

#include <span>
#include <string>

#include "app/state/attribute_view.h"

namespace riffle {

/// @param file  name of the state file, as seen from the text's folder
std::string xdmf_text(const std::string& file, double time, std::span<const AttributeView> attributes);

}  // namespace riffle
