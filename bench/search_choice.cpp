#include "bench/search_choice.h"

#include <algorithm>

#include "app/command/option_checks.h"
#include "neighbors/method.h"
#include "neighbors/tree/tree_structures.h"

namespace riffle::bench {

void add_methods_option(CLI::App& command, std::vector<std::string>& names) {
  std::vector<std::string> known{"all"};
  for (const auto& info : neighbor_methods()) known.emplace_back(info.name);
  command.add_option("--methods", names, "hoetzlein,fenns; all, as when not given: every search but brute_force")
      ->delimiter(',')
      ->check(one_of("neighbour search", known))
      ->type_name("M,...");
}

std::vector<MethodSettings> searches_of(const std::vector<std::string>& names, const Device& device) {
  const auto named = [&](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  const bool all = names.empty() || named("all");
  std::vector<MethodSettings> searches;
  for (const auto& info : neighbor_methods()) {
    if (!named(info.name) && !(all && info.method != NeighborMethod::BruteForce)) continue;
    for (const TreeStructure structure : tree_structures(info.method, device)) {
      MethodSettings search;
      search.method = info.method;
      search.structure = structure;
      searches.push_back(search);
    }
  }
  return searches;
}

NeighborSetup with_search(const NeighborSetup& neighbors, const MethodSettings& search) {
  NeighborSetup changed = neighbors;
  changed.automatic = false;
  changed.method = search.method;
  changed.structure = search.structure;
  changed.skin = search.skin;
  return changed;
}

std::string name_of(const MethodSettings& search) { return search_name(search.method, search.structure, search.skin); }

}  // namespace riffle::bench
