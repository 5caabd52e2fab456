#pragma once
/// The parameters that were changed while a run went on: the small table beside that of the diagnostics.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "scenes/document/changed_keys.h"
#include "sim/setup.h"

namespace riffle {

/// Whether the key is of the neighbour search: what the fluid does is the same with every search.
inline bool is_of_search(std::string_view key) { return key.starts_with("neighbors."); }

struct ParameterChange {
  double time = 0, until = 0;  ///< [s] simulated: of the change; of a slider's last movement
  scenes::KeyChange key;
};

/// "flow-changes.csv" beside "flow.csv".
std::filesystem::path changes_file(const std::filesystem::path& table);

/// The line of names, and one for each change.
std::string changes_header(const SimulationSetup& setup);
std::string changes_rows(std::span<const ParameterChange> changes);

/// Writes the file beside the table. Without changes there is none, and one of an earlier run is removed.
/// @param goes_on  [s] of the state that a run goes on from: changes in the file before it stay; nothing: none stays
/// @return its name, "" for none. @throws RuntimeFailure; InputError for a file of that name that is another table
std::string write_changes(const std::filesystem::path& table, std::span<const ParameterChange> changes,
                          const SimulationSetup& setup, std::optional<double> goes_on);

}  // namespace riffle
