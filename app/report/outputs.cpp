#include "app/report/outputs.h"

#include <fmt/format.h>

#include <cstdio>

#include "core/error.h"
#include "core/text/output_files.h"
#include "core/text/printable.h"

namespace riffle {

namespace {
bool is_file(const std::string& name) { return !name.empty() && name != "-"; }
}  // namespace

void ReportOutputs::prepare() const {
  if (csv == "-" && json == "-") throw InputError("--csv - and --json - cannot both go to standard output");
  if (is_file(csv) && is_file(json) && same_file(csv, json))
    throw InputError(fmt::format("--csv and --json are the same file, {}", csv));
  for (const std::string* file : {&csv, &json})
    if (is_file(*file)) prepare_file(*file);
}

void ReportOutputs::deliver(const std::string& text, const nlohmann::ordered_json& report,
                            const std::string& csv_text) const {
  const std::string json_text = json.empty() ? "" : report.dump(2) + "\n";
  std::fputs((json == "-" ? json_text : csv == "-" ? csv_text : printable(text)).c_str(), stdout);
  if (is_file(json)) write_text(json, json_text);
  if (is_file(csv)) write_text(csv, csv_text);
}

}  // namespace riffle
