#include "app/report/outputs.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <utility>

#include "core/error.h"
#include "core/text/output_files.h"
#include "core/text/printable.h"

namespace riffle {

namespace {
bool is_file(const std::string& name) { return !name.empty() && name != "-"; }
}  // namespace

std::string text_of_json(const nlohmann::ordered_json& report) {
  return report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void ReportOutputs::prepare() const {
  if (csv == "-" && json == "-") throw InputError("--csv - and --json - cannot both go to standard output");
  if (is_file(csv) && is_file(json) && same_file(csv, json))
    throw InputError(fmt::format("--csv and --json are the same file, {}", csv));
  for (const std::string* file : {&csv, &json})
    if (is_file(*file)) prepare_file(*file);
}

void ReportOutputs::deliver(const std::string& text, const nlohmann::ordered_json& report,
                            const std::string& csv_text) const {
  const std::string json_text = json.empty() ? "" : text_of_json(report);
  std::fputs((json == "-" ? json_text : csv == "-" ? csv_text : printable(text)).c_str(), stdout);
  std::string failures;  // one file that cannot be written must not prevent the other
  for (const auto& [file, content] : {std::pair(&json, &json_text), std::pair(&csv, &csv_text)}) try {
      if (is_file(*file)) write_text(*file, *content);
    } catch (const std::exception& failure) {
      failures += (failures.empty() ? "" : "\n") + std::string(failure.what());
    }
  if (!failures.empty()) throw RuntimeFailure(failures);
}

}  // namespace riffle
