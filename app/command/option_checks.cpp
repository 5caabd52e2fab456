#include "app/command/option_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/text/suggestion.h"

namespace riffle {

CLI::Validator one_of(const std::string& what, std::vector<std::string> allowed) {
  return CLI::Validator(
      [what, allowed](std::string& given) -> std::string {
        if (std::find(allowed.begin(), allowed.end(), given) != allowed.end()) return "";
        return fmt::format("unknown {} '{}';{} allowed: {}", what, given, suggestion(given, allowed, " "),
                           fmt::join(allowed, ", "));
      },
      "");
}

namespace {

CLI::Validator duration(bool zero_too, const std::string& allowed) {
  return CLI::Validator(
      [zero_too, allowed](std::string& given) -> std::string {
        char* end = nullptr;
        const double value = std::strtod(given.c_str(), &end);
        if (end != given.c_str() && *end == '\0' && std::isfinite(value) && (value > 0 || (zero_too && value == 0)))
          return "";
        return fmt::format("'{}' is not a time; allowed: {}", given, allowed);
      },
      "");
}

}  // namespace

CLI::Validator positive_seconds() { return duration(false, "a number of seconds above 0"); }

CLI::Validator scene_time(bool zero_too) {
  return duration(zero_too, std::string(zero_too ? "a number from 0 up" : "a number above 0") +
                                ", in the scene's unit of time: seconds; with dpd reduced units");
}

CLI::Validator number_from(double least, double most) {
  return CLI::Validator(
      [least, most](std::string& text) -> std::string {
        double value = 0;
        try {
          std::size_t end = 0;
          value = std::stod(text, &end);
          if (end == text.size() && value >= least && value <= most) return "";
        } catch (const std::logic_error&) {
        }
        return fmt::format("found '{}'; allowed: a number from {:g} to {:g}", text, least, most);
      },
      fmt::format("NUMBER from {:g} to {:g}", least, most));
}

namespace {

bool is_whole_number(const std::string& text) {
  return !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

CLI::Validator whole_number() {
  return CLI::Validator(
      [](std::string& given) -> std::string {
        if (is_whole_number(given)) return "";
        return "'" + given + "' is not a whole number from 0 up";
      },
      "");
}

CLI::Validator whole_number_from(std::uint64_t least, std::uint64_t most) {
  return CLI::Validator(
      [least, most](std::string& given) -> std::string {
        if (is_whole_number(given) && std::stoull(given) >= least && std::stoull(given) <= most) return "";
        return fmt::format("found '{}'; allowed: a whole number from {} to {}", given, least, most);
      },
      "");
}

CLI::Validator output_path() {
  return CLI::Validator(
      [](std::string& given) -> std::string {
        if (given.empty()) return "the name of a file is empty";
        if (given.starts_with("--"))
          return fmt::format("the name of a file is missing before {0}; a file of that name is ./{0}", given);
        return "";
      },
      "");
}

void add_device_option(CLI::App& command, DeviceRequest& device) {
  const auto read = [&device](const std::string& word) {
    device = word == "cuda" || word == "gpu" ? DeviceRequest::Cuda
             : word == "cpu"                 ? DeviceRequest::Cpu
                                             : DeviceRequest::Auto;
  };
  command
      .add_option_function<std::string>(
          "--device", read, "where to compute; auto takes the GPU when there is a usable one; gpu means cuda")
      ->check(one_of("device", {"auto", "cpu", "cuda", "gpu"}))
      ->type_name("auto|cpu|cuda");
}

void add_csv_option(CLI::App& command, std::string& file) {
  command.add_option("--csv", file, "the rows, comma-separated; - prints nothing else on standard output")
      ->check(output_path())
      ->type_name("FILE|-");
}

void add_json_option(CLI::App& command, const std::string& what, std::string& file) {
  command.add_option("--json", file, what + " as JSON; - prints nothing else on standard output")
      ->check(output_path())
      ->type_name("FILE|-");
}

}  // namespace riffle
