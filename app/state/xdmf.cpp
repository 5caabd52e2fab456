#include "app/state/xdmf.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/xml_text.h"

namespace riffle {

namespace {

std::string data_item(const std::string& file, const AttributeValues& attribute, int count) {
  const bool vector = std::holds_alternative<std::vector<Vec4>>(attribute.values);
  const char* type = std::holds_alternative<std::vector<std::uint32_t>>(attribute.values) ? "UInt" : "Float";
  std::string array = attribute.name;  // as in the state file
  std::replace(array.begin(), array.end(), ' ', '_');
  return fmt::format(
      "<DataItem Dimensions=\"{}{}\" NumberType=\"{}\" Precision=\"4\" Format=\"HDF\">{}:/particles/{}</DataItem>",
      count, vector ? " 3" : "", type, xml_text(file), xml_text(array));
}

}  // namespace

std::string xdmf_text(const std::string& file, const SimulationState& state) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n<Grid Name=\"particles\" GridType=\"Uniform\">\n"
      "<Time Value=\"{}\"/>\n<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\" NodesPerElement=\"1\"/>\n",
      state.clock.time, state.count);
  for (const AttributeValues& attribute : state.attributes) {
    const bool vector = std::holds_alternative<std::vector<Vec4>>(attribute.values);
    const std::string item = data_item(file, attribute, state.count);
    if (attribute.name == "position")
      text += fmt::format("<Geometry GeometryType=\"XYZ\">{}</Geometry>\n", item);
    else
      text += fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>\n",
                          xml_text(attribute.name), vector ? "Vector" : "Scalar", item);
  }
  return text + "</Grid>\n</Domain>\n</Xdmf>\n";
}

}  // namespace riffle
