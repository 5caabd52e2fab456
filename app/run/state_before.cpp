#include "app/run/state_before.h"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <system_error>
#include <utility>

#include "app/run/states_as_before.h"
#include "app/state/state_file.h"
#include "core/error.h"
#include "core/text/output_files.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

/// Nothing of a file that is no complete state.
std::optional<StateSummary> state_in(const fs::path& file) {
  try {
    return summary_of(open_state(file));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// Whether the other file is worth more than this one.
bool is_later(const fs::path& other, const fs::path& file) {
  const std::optional<StateSummary> old = state_in(other);
  if (!old) return false;
  const std::optional<StateSummary> present = state_in(file);
  return !present || (old->step > present->step && difference_of_scenes(old->scene, present->scene).empty());
}

}  // namespace

fs::path name_of_state_before(const fs::path& file) {
  return file.parent_path() / fmt::format("{}_before{}", file.stem().string(), file.extension().string());
}

StateBefore::StateBefore(fs::path file) : file_(std::move(file)), other_(name_of_state_before(file_)) {
  std::error_code none;
  if (!fs::is_regular_file(file_, none)) return;
  way_ = fs::is_regular_file(other_, none) && is_later(other_, file_) ? Way::OtherIsLater : Way::Keep;
}

std::uint64_t StateBefore::freed() const {
  std::error_code error;
  const bool is_alone = fs::hard_link_count(other_, error) == 1 && !error;
  const std::uint64_t bytes = is_alone ? fs::file_size(other_, error) : 0;
  return error ? 0 : bytes;
}

std::string StateBefore::text() const {
  switch (way_) {
    case Way::None: return "";
    case Way::Keep:
      return fmt::format("{} is of an earlier run and is {} from the first state of this run on", file_.string(),
                         other_.string());
    case Way::OtherIsLater:
      return fmt::format("{} is of an earlier run and will be replaced; {}, which is later, stays", file_.string(),
                         other_.string());
  }
  return "";
}

void StateBefore::keep() {
  std::error_code error, ignored;
  if (way_ != Way::Keep || done_ || !fs::exists(file_, ignored)) return;
  // A second name leaves the first one as it is until the new state takes it. Some file systems have no second names.
  const fs::path partial = partial_name(other_);
  fs::remove(partial, ignored);
  fs::create_hard_link(file_, partial, error);
  if (!error) {
    fs::rename(partial, other_, error);
    fs::remove(partial, ignored);  // rename() leaves it where both are one file already
  } else {
    fs::rename(file_, other_, error);
  }
  if (error)
    throw RuntimeFailure(
        fmt::format("{}: cannot be written: the state of an earlier run in it cannot be renamed to {}: {}",
                    file_.string(), other_.string(), error.message()));
  fs::remove(companion_of(other_), ignored);  // it is of another state
  done_ = true;
}

}  // namespace riffle
