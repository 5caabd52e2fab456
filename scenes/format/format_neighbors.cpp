#include "scenes/format/format_keys.h"

namespace riffle::scenes {

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

Value fetch_method(SceneDraft& d) {
  return neighbors(d).automatic ? "auto" : std::string(to_string(neighbors(d).method));
}

Value fetch_cell(SceneDraft& d) {
  const NeighborSetup& setup = neighbors(d);
  if (setup.cell_count.x > 0) return std::vector<Value>{setup.cell_count.x, setup.cell_count.y, setup.cell_count.z};
  return setup.cell_ratio > 0 ? Value(setup.cell_ratio) : Value("auto");
}

}  // namespace

Record neighbors_record() {
  return {{
      optional(
          "method", {words(method_names_and_auto())}, std::string(to_string(NeighborSetup{}.method)),
          "Neighbour search; `riffle list` says what each one is. `auto` times them on the particles as they are, "
          "takes the fastest, and measures again when the flow has changed; every search finds the same neighbours.",
          store_method, fetch_method),
      field("skin", number_from(0, 1, "support radii"), neighbors, &NeighborSetup::skin,
            "Verlet list: the search reaches this much farther than h, and its list is kept while that is exact. 0: a "
            "new search at every step. `auto` chooses the skin too."),
      optional("cell", {words({"auto"}), number_from(0.25, 4, "support radii"), spatial(whole(1, 1 << 21))}, "auto",
               "Cells of the methods' grids: their least edge, or how many there are along each axis. `auto`: what "
               "suits the method best; in a domain that is nearly empty, cells that are larger than h.",
               store_cell, fetch_cell),
      choice("table", neighbors, &NeighborSetup::table,
             "With `green`: its table of cells. `automatic`: `dense` while there are at most a few cells per particle, "
             "otherwise `hashed`. `dense`: a slot for every cell of the domain. `hashed`: two to four slots for every "
             "particle, however large the domain."),
      choice("insertion", neighbors, &NeighborSetup::insertion,
             "With `bucket`: how particles enter the list of their cell. `atomic`: by one atomic exchange each. "
             "`iterative`: in rounds, in each of which one particle enters the list of a cell."),
      choice("structure", neighbors, &NeighborSetup::structure,
             "With `rtnn`: the tree in which it searches. `auto`: on a GPU with OptiX, the one that is faster in two "
             "builds and searches of the run's first particles, otherwise `lbvh`; in a deterministic run `lbvh`. "
             "`lbvh`: Riffle's own tree, on every device. `optix`: the tree of NVIDIA's driver, on a GPU only; if the "
             "driver has none, the scene cannot run there."),
      choice(
          "sections", neighbors, &NeighborSetup::sections,
          "With `fenns`: into how many sections the particles of a coarse cell are sorted. `27`: by the faces of the "
          "cell that are near, so that a neighbouring cell reads only the part of the border that faces it. `2`: "
          "border "
          "and inner section, as in its paper; a neighbouring cell reads the whole border."),
  }};
}

}  // namespace riffle::scenes
