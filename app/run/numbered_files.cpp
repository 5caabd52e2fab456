#include "app/run/numbered_files.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "core/text/xml_text.h"

namespace riffle {

namespace fs = std::filesystem;

NumberedFiles::NumberedFiles(fs::path name, double every, double start, double before, fs::path list,
                             std::string option)
    : name_(std::move(name)),
      list_(std::move(list)),
      option_(std::move(option)),
      every_(every),
      before_(before),
      clock_(every, start) {}

fs::path NumberedFiles::file(std::size_t number) const {
  return name_.parent_path() / fmt::format("{}_{:06}{}", name_.stem().string(), number, name_.extension().string());
}

fs::path NumberedFiles::next(double time) {
  clock_.take(time);
  times_.push_back(time);
  return file(before_us_ + times_.size() - 1);
}

void NumberedFiles::refuse_other_interval(std::size_t number, double time) const {
  const double at = time - before_, due = static_cast<double>(number) * every_;
  if (!(at > due - 1.001 * every_ && at < due + 1.001 * every_))
    throw InputError(
        fmt::format("{} has file {} at {:g}, which {} {:g} has at {:g}: files would be "
                    "replaced by others; allowed: the interval of the run that goes on, or a new name",
                    (list_.empty() ? name_ : list_).string(), number, at, option_, every_, due));
}

void NumberedFiles::go_on_after(double time) {
  if (!times_.empty()) throw std::logic_error("a series of files that has begun goes on by itself");
  clock_ = MovieClock(every_, multiple_before(time, every_));
  clock_.take(time);
  before_us_ = static_cast<std::size_t>(std::lround(multiple_before(time, every_) / every_)) + 1;
  earlier_.clear();
  if (list_.empty()) return;
  std::ifstream list_before(list_);
  for (std::string line; std::getline(list_before, line);) {
    const std::size_t name = line.find("file=\""), digits = line.rfind('_');
    std::size_t number = before_us_;
    if (name == std::string::npos || digits == std::string::npos || digits < name) continue;
    std::from_chars(line.data() + digits + 1, line.data() + line.size(), number);
    if (const std::size_t stamp = line.find("timestep=\""); stamp != std::string::npos)
      refuse_other_interval(number, std::strtod(line.c_str() + stamp + 10, nullptr));
    std::error_code ignored;
    const bool ours = number < before_us_ && fs::exists(file(number), ignored) &&
                      line.find("\"" + xml_text(file(number).filename().string()) + "\"") != std::string::npos;
    if (ours) earlier_ += line + "\n";
  }
}

std::string NumberedFiles::list_text() const {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n" +
      earlier_;
  for (std::size_t k = 0; k < times_.size(); ++k) {
    std::error_code ignored;
    const fs::path file = this->file(before_us_ + k);
    if (!fs::exists(file, ignored)) continue;  // ParaView refuses a list with a file that is missing
    text += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", before_ + times_[k],
                        xml_text(file.filename().string()));
  }
  return text + "</Collection>\n</VTKFile>\n";
}

std::string NumberedFiles::pattern() const {
  return (name_.parent_path() / (name_.stem().string() + "_*" + name_.extension().string())).string();
}

}  // namespace riffle
