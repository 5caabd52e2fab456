#pragma once
/// The command line of `riffle bench rtnn`.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/cli/options.h"

namespace riffle {

/// Words that mean something only together.
struct RtnnWords {
  std::vector<std::string> clouds;
  std::string search = "both", order = "both";
};

CLI::App* add_rtnn_bench(CLI::App& bench, RtnnBenchOptions& options, RtnnWords& words, std::string& device);

/// Once the line is parsed. @throws InputError
void read_rtnn_words(const RtnnWords& words, RtnnBenchOptions& options);

}  // namespace riffle
