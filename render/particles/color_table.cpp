#include "render/particles/color_table.h"

#include <vector>

#include "render/color_map.h"

namespace riffle::render {

void ColorTable::select(const std::string& name) {
  if (!table_.empty() && name == name_) return;
  std::vector<Vec4> table;
  for (const auto& rgb : color_map(name))
    table.push_back(
        {static_cast<float>(rgb[0]) / 255, static_cast<float>(rgb[1]) / 255, static_cast<float>(rgb[2]) / 255});
  table_.assign(table);
  name_ = name;
}

}  // namespace riffle::render
