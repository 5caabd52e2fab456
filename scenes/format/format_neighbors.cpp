#include "scenes/format/format_keys.h"

namespace riffle {

using namespace format_keys;

namespace {

std::vector<std::string> method_names_and_auto() {
  std::vector<std::string> names;
  for (const auto& info : neighbor_methods()) names.emplace_back(info.name);
  names.emplace_back("auto");
  return names;
}

void store_method(SceneDraft& draft, const Value& value) {
  NeighborSetup& setup = neighbors(draft);
  setup.automatic = value.text() == "auto";
  if (!setup.automatic) setup.method = *neighbor_method_from(value.text());
}

void store_cell(SceneDraft& draft, const Value& value) {
  NeighborSetup& setup = neighbors(draft);
  if (value.is_text()) return;
  if (!value.is_list()) {
    setup.cell_ratio = value.number();
    return;
  }
  const auto& counts = value.items();
  setup.cell_count = {static_cast<int>(counts[0].whole()), static_cast<int>(counts[1].whole()),
                      counts.size() > 2 ? static_cast<int>(counts[2].whole()) : 1};
}

}  // namespace

Record neighbors_record() {
  return {{
      optional(
          "method", {words(method_names_and_auto())}, std::string(to_string(NeighborSetup{}.method)),
          "Neighbour search; `riffle list` says what each one is. `auto` times them on the particles as they are, "
          "takes the fastest, and measures again when the flow has changed; every search finds the same neighbours.",
          store_method),
      field("skin", number_from(0, 1, "support radii"), neighbors, &NeighborSetup::skin,
            "Verlet list: the search reaches this much farther than h, and its list is kept while that is exact. 0: a "
            "new search at every step. `auto` chooses the skin too."),
      optional("cell", {words({"auto"}), number_from(0.25, 4, "support radii"), spatial(whole(1, 1 << 21))}, "auto",
               "Cells of the methods' grids: their least edge, or how many there are along each axis. `auto`: what "
               "suits the method best.",
               store_cell),
      choice("table", neighbors, &NeighborSetup::table,
             "Of `green`: `dense` has a slot for every cell of the domain, `hashed` two to four for every particle, "
             "however large the domain; `automatic` is dense while cells are few."),
      choice("insertion", neighbors, &NeighborSetup::insertion,
             "Of `bucket`: particles enter their cell's list by one atomic exchange each, or in rounds in which one "
             "particle per cell wins."),
      choice("structure", neighbors, &NeighborSetup::structure,
             "Of `rtnn`: `lbvh` is a tree of its own, on every device; `optix` is that of NVIDIA's driver, on a GPU "
             "alone, and where the driver has none it is `lbvh` all the same; `auto` is `optix` where the GPU has RT "
             "cores, which make it quick."),
  }};
}

}  // namespace riffle
