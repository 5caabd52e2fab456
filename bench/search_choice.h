#pragma once
/// The searches that a benchmark of whole steps compares.

#include <string>
#include <vector>

#include "core/device/device.h"
#include "sim/setup.h"

namespace CLI {
class App;
}

namespace riffle::bench {

/// --methods: names, or "all", which is every method but brute_force.
void add_methods_option(CLI::App& command, std::vector<std::string>& names);

/// The methods by name, or all of them if there is none or one is "all"; each with every structure that it can use on the device.
std::vector<MethodSettings> searches_of(const std::vector<std::string>& names, const Device& device);

/// A simulation's settings with this method, structure and skin; its cells stay as its scene has them.
NeighborSetup with_search(const NeighborSetup& neighbors, const MethodSettings& search);

/// "hoetzlein with skin 0.1", "rtnn by OptiX"
std::string name_of(const MethodSettings& search);

}  // namespace riffle::bench
