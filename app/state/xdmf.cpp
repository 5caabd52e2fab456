#include "app/state/xdmf.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/xml_text.h"

namespace riffle {

namespace {

std::string data_item(const std::string& file, const AttributeView& attribute) {
  const std::size_t count = std::visit([](const auto& values) { return values.size(); }, attribute.values);
  const char* type = std::holds_alternative<std::span<const std::uint32_t>>(attribute.values) ? "UInt" : "Float";
  std::string array = attribute.name;  // as in the state file
  std::replace(array.begin(), array.end(), ' ', '_');
  return fmt::format(
      "<DataItem Dimensions=\"{}{}\" NumberType=\"{}\" Precision=\"4\" Format=\"HDF\">{}:/particles/{}</DataItem>",
      count, attribute.is_vector() ? " 3" : "", type, xml_text(file), xml_text(array));
}

}  // namespace

std::string xdmf_text(const std::string& file, double time, std::span<const AttributeView> attributes) {
  const std::size_t count =
      attributes.empty() ? 0 : std::visit([](const auto& values) { return values.size(); }, attributes[0].values);
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n<Grid Name=\"particles\" GridType=\"Uniform\">\n"
      "<Time Value=\"{}\"/>\n<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\" NodesPerElement=\"1\"/>\n",
      time, count);
  for (const AttributeView& attribute : attributes) {
    const std::string item = data_item(file, attribute);
    if (attribute.name == "position")
      text += fmt::format("<Geometry GeometryType=\"XYZ\">{}</Geometry>\n", item);
    else
      text += fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>\n",
                          xml_text(attribute.name), attribute.is_vector() ? "Vector" : "Scalar", item);
  }
  return text + "</Grid>\n</Domain>\n</Xdmf>\n";
}

}  // namespace riffle
