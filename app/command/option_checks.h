#pragma once
/// Checks for single options of the command line, and the options that several commands share.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "core/device/device.h"

namespace riffle {

/// Accepts the allowed words. "unknown neighbour search 'hoetzlien'; did you mean 'hoetzlein'? allowed: ..."
CLI::Validator one_of(const std::string& what, std::vector<std::string> allowed);

/// Finite numbers only; CLI11's own ranges accept "nan".
CLI::Validator positive_seconds();         ///< on the wall
CLI::Validator scene_time(bool zero_too);  ///< in the scene's unit of time, which is not the second with every solver
inline constexpr const char* kSceneTime = "TIME";  ///< the type's name in the help

/// Finite numbers within the bounds.
CLI::Validator number_from(double least, double most);

/// Refuses a sign; CLI11 would read -1 as 2^64 - 1.
CLI::Validator whole_number();
CLI::Validator whole_number_from(std::uint64_t least, std::uint64_t most);

CLI::Validator output_path();

void add_device_option(CLI::App& command, DeviceRequest& device);
void add_csv_option(CLI::App& command, std::string& file);
/// @param what "the rows"
void add_json_option(CLI::App& command, const std::string& what, std::string& file);

}  // namespace riffle
