#include "sim/motion/motion_table_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "core/error.h"
#include "core/text/table_file.h"

namespace riffle::motion_table {

namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{256} << 20;  // [bytes]

/// [1/s^2] Second derivatives of the cubic spline through the values, 0 at both ends.
std::vector<double> curvatures(const std::vector<double>& time, const std::vector<double>& value) {
  const std::size_t n = time.size();
  std::vector<double> upper(n, 0), right(n, 0), curvature(n, 0);
  for (std::size_t i = 1; i + 1 < n; ++i) {  // Thomas' algorithm
    const double before = time[i] - time[i - 1], after = time[i + 1] - time[i];
    const double pivot = 2 * (before + after) - before * upper[i - 1];
    upper[i] = after / pivot;
    right[i] =
        (6 * ((value[i + 1] - value[i]) / after - (value[i] - value[i - 1]) / before) - before * right[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) curvature[i] = right[i] - upper[i] * curvature[i + 1];
  return curvature;
}

/// The spline through what the file has, or its integral from 0 on.
void add_column(std::vector<MotionKnot>& knots, const std::vector<double>& time, const std::vector<double>& given,
                const Column& column) {
  const std::vector<double> curvature = curvatures(time, given);
  double sum = 0;
  for (std::size_t i = 0; i < knots.size(); ++i) {
    MotionKnot& knot = knots[i];
    const bool last = i + 1 == knots.size();
    const std::size_t a = last ? i - 1 : i, b = a + 1;
    const double h = time[b] - time[a], rise = (given[b] - given[a]) / h;
    if (column.rate) {
      knot.value[column.value] = sum;
      knot.slope[column.value] = given[i];
      if (!last) sum += h * (0.5 * (given[a] + given[b]) - h * h * (curvature[a] + curvature[b]) / 24);
    } else {
      knot.value[column.value] = given[i];
      knot.slope[column.value] =
          last ? rise + h * (curvature[a] + 2 * curvature[b]) / 6 : rise - h * (2 * curvature[a] + curvature[b]) / 6;
    }
  }
}

std::string allowed_names(std::span<const Column> columns) {
  std::string names = "t";
  for (const Column& column : columns) names += fmt::format(", {}", column.name);
  return names;
}

/// The column of a name with or without its unit; nullptr: none.
const Column* find_column(std::span<const Column> columns, const std::string& name) {
  for (const Column& column : columns)
    if (name == column.name || name == fmt::format("{} [{}]", column.name, column.unit)) return &column;
  return nullptr;
}

std::string without_blanks_around(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == text.npos ? "" : text.substr(begin, end - begin + 1);
}

std::vector<double> times_of(const TableFile& table, const std::string& column, const std::string& file) {
  std::vector<double> time = table.numbers(column);
  if (time.size() < 2) throw InputError(file + ": found one row; allowed: at least two");
  if (time[0] < 0) throw InputError(fmt::format("{}: found t = {:g}; allowed: from 0 on", file, time[0]));
  for (std::size_t i = 1; i < time.size(); ++i)
    if (!(time[i] > time[i - 1]))
      throw InputError(
          fmt::format("{}: found t = {:g} after t = {:g}; allowed: times that ascend", file, time[i], time[i - 1]));
  return time;
}

std::shared_ptr<const MotionTable> read_anew(const std::string& file, std::span<const Column> columns) {
  const TableFile table(file);
  std::string time_name;
  std::vector<std::pair<std::string, const Column*>> found;
  for (const std::string& name : table.names()) {
    const std::string trimmed = without_blanks_around(name);
    if (trimmed == "t" || trimmed == "t [s]") {
      if (!time_name.empty()) throw InputError(file + ": found two columns t; allowed: one");
      time_name = name;
      continue;
    }
    const Column* const column = find_column(columns, trimmed);
    if (!column)
      throw InputError(fmt::format("{}: found a column '{}'; allowed: {}", file, trimmed, allowed_names(columns)));
    for (const auto& [other, same] : found)
      if (same->value == column->value)
        throw InputError(
            fmt::format("{}: found both {} and {}; allowed: one of them", file, without_blanks_around(other), trimmed));
    found.emplace_back(name, column);
  }
  if (time_name.empty())
    throw InputError(fmt::format("{}: found no column t; allowed: {}", file, allowed_names(columns)));
  if (found.empty())
    throw InputError(fmt::format("{}: found no column beside t; allowed: {}", file, allowed_names(columns)));
  const std::vector<double> time = times_of(table, time_name, file);
  std::vector<MotionKnot> knots(time.size());
  for (std::size_t i = 0; i < time.size(); ++i) knots[i].time = time[i];
  for (const auto& [name, column] : found) {
    std::vector<double> given = table.numbers(name);
    for (std::size_t i = 0; i < given.size(); ++i) {
      given[i] *= column->scale;
      if (!(std::fabs(given[i]) <= 1e6))
        throw InputError(fmt::format("{}: found {:g} for {} at t = {:g}; allowed: -1e6 to 1e6", file, given[i],
                                     column->name, time[i]));
    }
    add_column(knots, time, given, *column);
  }
  return std::make_shared<const MotionTable>(std::move(knots));
}

/// What a file was when it was read, and as what.
struct Remembered {
  std::filesystem::file_time_type written;
  std::uintmax_t bytes = 0;
  const Column* columns = nullptr;
  std::weak_ptr<const MotionTable> table;
};

}  // namespace

std::optional<Jump> find_jump(std::span<const MotionKnot> knots, const double (&least)[kTableValues]) {
  const auto speed = [&](std::size_t to, int k) {
    if (to == 0 || to >= knots.size()) return 0.0;
    return std::fabs(knots[to].value[k] - knots[to - 1].value[k]) / (knots[to].time - knots[to - 1].time);
  };
  if (knots.size() < 3) return std::nullopt;  // nothing to compare with
  for (std::size_t i = 1; i < knots.size(); ++i)
    for (int k = 0; k < kTableValues; ++k) {
      const double change = knots[i].value[k] - knots[i - 1].value[k];
      if (std::fabs(change) > least[k] && speed(i, k) > 10 * std::max(speed(i - 1, k), speed(i + 1, k)))
        return Jump{knots[i - 1].time, knots[i].time, k, change};
    }
  return std::nullopt;
}

std::shared_ptr<const MotionTable> read(const std::filesystem::path& file, std::span<const Column> columns) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, Remembered> remembered;
  const std::string name = file.string();
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw InputError(name + ": found no such file");
  if (!std::filesystem::is_regular_file(status))  // opening a pipe would wait for its other end
    throw InputError(name + ": found no regular file; allowed: a comma-separated table");
  Remembered now;
  now.written = std::filesystem::last_write_time(file, error);
  now.bytes = std::filesystem::file_size(file, error);
  now.columns = columns.data();
  if (now.bytes > kLargestFile)
    throw InputError(fmt::format("{}: found {} MiB; allowed: up to {} MiB", name, now.bytes >> 20, kLargestFile >> 20));
  const std::filesystem::path key = std::filesystem::absolute(file);
  const std::lock_guard lock(mutex);
  std::erase_if(remembered, [](const auto& entry) { return entry.second.table.expired(); });
  if (const auto at = remembered.find(key); at != remembered.end() && at->second.written == now.written &&
                                            at->second.bytes == now.bytes && at->second.columns == now.columns)
    if (auto table = at->second.table.lock()) return table;
  try {
    auto table = read_anew(name, columns);
    now.table = table;
    remembered[key] = now;
    return table;
  } catch (const Unavailable& unavailable) {
    throw InputError(unavailable.what());
  }
}

}  // namespace riffle::motion_table
