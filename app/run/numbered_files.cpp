#include "app/run/numbered_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "app/run/number_ranges.h"
#include "core/error.h"
#include "core/text/xml_text.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

/// [s] The time that a file of particles or of a surface says in its head, in the words of any of their formats; nothing if it has
/// none.
std::optional<double> written_time(const fs::path& file) {
  std::string head(16384, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  for (const std::string_view words : {"\ncomment time ", "\n# time ", "double time = ", "Name=\"TimeValue\""}) {
    std::size_t at = head.find(words);
    if (at == std::string::npos) continue;
    at += words.size();
    if (words.ends_with('"')) at = head.find('>', at) + 1;  // npos + 1 is the begin, where no number stands
    char* end = nullptr;
    const double time = std::strtod(head.c_str() + at, &end);
    if (end != head.c_str() + at && std::isfinite(time)) return time;
  }
  return std::nullopt;
}

std::string count_text(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

NumberedFiles::NumberedFiles(fs::path name, double every, double start, double before, fs::path list,
                             std::string option)
    : name_(std::move(name)),
      list_(std::move(list)),
      option_(std::move(option)),
      every_(every),
      start_(start),
      before_(before),
      clock_(every, start) {}

fs::path NumberedFiles::file_of(const fs::path& name, std::size_t number) {
  return name.parent_path() / fmt::format("{}_{:06}{}", name.stem().string(), number, name.extension().string());
}

fs::path NumberedFiles::next(double time) {
  clock_.take(time);
  times_.push_back(time);
  return file(before_us_ + times_.size() - 1);
}

std::vector<NumberedFiles::Entry> NumberedFiles::entries() const {
  std::vector<Entry> found;
  std::error_code ignored;
  if (list_.empty()) {
    for (std::size_t number = 0; fs::exists(file(number), ignored); ++number)
      if (const auto time = written_time(file(number))) found.push_back({number, *time - before_, ""});
    return found;
  }
  std::ifstream list_before(list_);
  for (std::string line; std::getline(list_before, line);) {
    const std::size_t name = line.find("file=\""), digits = line.rfind('_'), stamp = line.find("timestep=\"");
    std::size_t number = 0;
    if (name == std::string::npos || digits == std::string::npos || digits < name || stamp == std::string::npos)
      continue;
    if (std::from_chars(line.data() + digits + 1, line.data() + line.size(), number).ec != std::errc()) continue;
    found.push_back({number, std::strtod(line.c_str() + stamp + 10, nullptr) - before_, line});
  }
  return found;
}

void NumberedFiles::refuse_other_interval(const std::vector<Entry>& entries, double step) const {
  const auto refuse = [&](const Entry& entry) {
    throw InputError(fmt::format(
        "{} has file {} at {:g}, which {} {:g} has at {:g}: files would be replaced by others; allowed: the "
        "interval of the run that goes on, or a new name",
        (list_.empty() ? pattern() : list_.string()), entry.number, entry.time, option_, every_,
        static_cast<double>(entry.number) * every_));
  };
  double last = -1;
  for (const Entry& entry : entries) {
    const double due = static_cast<double>(entry.number) * every_;
    if (!follows_steps(step)) {
      // A run makes its last file at its end, up to an interval early. Others are late by less than a step.
      const double early = &entry == &entries.back() ? 1.001 : 0.25;
      if (!(entry.time > due - early * every_ && entry.time < due + 1.001 * every_)) refuse(entry);
      continue;
    }
    // A file a step: none has the interval of another, but for the last, which a run makes at its end.
    const double interval = whole_intervals(entry.time, every_);
    if (!(interval > last) && &entry != &entries.back()) refuse(entry);
    last = interval;
  }
}

void NumberedFiles::go_on_after(double time, double step) {
  if (!times_.empty()) throw std::logic_error("a series of files that has begun goes on by itself");
  went_on_ = time;
  clock_ = MovieClock(every_, multiple_before(time, every_));
  clock_.take(time);
  before_us_ = static_cast<std::size_t>(std::lround(multiple_before(time, every_) / every_)) + 1;
  earlier_.clear();
  const std::vector<Entry> found = entries();
  refuse_other_interval(found, step);
  if (follows_steps(step) && !found.empty()) {
    before_us_ = 0;
    for (const Entry& entry : found)
      if (entry.time <= time + 1e-6 * every_) before_us_ = std::max(before_us_, entry.number + 1);
  }
  std::error_code ignored;
  std::size_t listed = 0;
  for (const Entry& entry : found) {
    const bool ours =
        !entry.line.empty() && entry.number < before_us_ && fs::exists(file(entry.number), ignored) &&
        entry.line.find("\"" + xml_text(file(entry.number).filename().string()) + "\"") != std::string::npos;
    if (!ours) continue;
    earlier_ += entry.line + "\n";
    ++listed;
  }
  note_gaps(listed, follows_steps(step) && found.empty());
}

std::vector<std::size_t> NumberedFiles::numbers_there() const {
  const std::string begin = name_.stem().string() + "_";
  std::vector<std::size_t> numbers;
  std::error_code error;
  const fs::path folder = name_.parent_path().empty() ? "." : name_.parent_path();
  for (fs::directory_iterator entry(folder, error), none; !error && entry != none; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::size_t number = 0;
    if (!name.starts_with(begin)) continue;
    if (std::from_chars(name.data() + begin.size(), name.data() + name.size(), number).ec != std::errc()) continue;
    if (name == file(number).filename().string()) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// Where nobody knows the numbers of a file each step, before_us_ counts intervals, which may be shorter by far.
void NumberedFiles::note_gaps(std::size_t listed, bool unknown) {
  gaps_.clear();
  std::vector<std::size_t> there = numbers_there();
  there.erase(std::lower_bound(there.begin(), there.end(), before_us_), there.end());
  if (before_us_ > 0 && there.empty()) {
    gaps_ = fmt::format("{}: none of the {} of before the state is there", pattern(), count_text(before_us_, "file"));
    return;
  }
  const std::string missing = missing_text(count_text(before_us_, "file"), there, unknown ? 0 : before_us_,
                                           [&](std::size_t k) { return file(k).filename().string(); });
  if (!missing.empty()) gaps_ = fmt::format("{}: {}", pattern(), missing);
  if (list_.empty() || there.size() <= listed) return;
  const std::size_t unlisted = there.size() - listed;
  gaps_ += fmt::format("{}{} does not have {} of before the state that {} there", gaps_.empty() ? "" : "; ",
                       list_.string(), count_text(unlisted, "file"), unlisted == 1 ? "is" : "are");
}

std::string NumberedFiles::left_over() const {
  std::vector<std::size_t> numbers = numbers_there();
  numbers.erase(numbers.begin(), std::lower_bound(numbers.begin(), numbers.end(), before_us_ + times_.size()));
  if (numbers.empty()) return "";
  return fmt::format("{} of an earlier run {} beside those of this one: {}", count_text(numbers.size(), "file"),
                     numbers.size() == 1 ? "stays" : "stay",
                     ranges_text(numbers, [&](std::size_t k) { return file(k).string(); }));
}

void NumberedFiles::take_back(double time) {
  while (!times_.empty() && times_.back() > time) times_.pop_back();
  if (times_.empty() && before_us_ == 0) {
    clock_ = MovieClock(every_, start_);
    return;
  }
  const double last = times_.empty() ? went_on_ : times_.back();
  clock_ = MovieClock(every_, multiple_before(last, every_));
  clock_.take(last);
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
