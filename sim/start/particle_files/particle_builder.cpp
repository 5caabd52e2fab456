#include "sim/start/particle_files/particle_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/device/particle_limit.h"
#include "core/error.h"
#include "core/text/input_bytes.h"
#include "core/text/read_number.h"
#include "sim/setup.h"

namespace riffle {

namespace {

constexpr double kFarthest = 1e18;  ///< squares of distances still fit a float
constexpr double kFastest = 1e6;    ///< as scenes allow
constexpr double kLeastCompression = -0.9, kMostCompression = 10;

}  // namespace

void ParticleBuilder::set_columns(std::span<const std::string> names, const std::string& where) {
  std::string found;
  for (const std::string& name : names) found += (found.empty() ? "" : ", ") + quote(name);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    columns_[c] = kNoColumn;
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k] == kParticleColumns[c]) {
        if (has(c)) throw InputError(fmt::format("{}: found the column {} twice; allowed: once", where, names[k]));
        columns_[c] = k;
      }
  }
  if (!has(0) || !has(1))
    throw InputError(fmt::format(
        "{}: found the columns {}; allowed: x and y, and z, vx, vy, vz, fluid and compression where the file has "
        "them",
        where, found.empty() ? "of no name" : found));
  const int velocities = has(3) + has(4) + has(5);
  if (velocities != 0 && !(has(3) && has(4) && (has(5) || !has(2))))
    throw InputError(fmt::format(
        "{}: found only a part of a velocity among the columns {}; allowed: vx, vy and vz, or none", where, found));
}

void ParticleBuilder::expect(std::uint64_t stated, std::uint64_t most) {
  const std::uint64_t held = std::min(stated, most);
  if (held > static_cast<std::uint64_t>(kMostParticles))
    throw InputError(fmt::format("{}: found {} particles; allowed: at most {}", file_, held, kMostParticles));
  particles_.position.reserve(held);
  if (has(3)) particles_.velocity.reserve(held);
  if (has(kFluidColumn)) particles_.fluid.reserve(held);
  if (has(kCompressionColumn)) particles_.compression.reserve(held);
}

void ParticleBuilder::add(const ParticleNumbers& numbers, const std::function<std::string()>& where) {
  const auto number = [&](std::size_t c) { return has(c) ? numbers[c] : 0; };
  const auto check = [&](std::size_t c, double most) {
    if (std::fabs(number(c)) <= most) return;
    throw InputError(fmt::format("{}: found {} for {}; allowed: numbers from -{:g} to {:g}", where(), numbers[c],
                                 kParticleColumns[c], most, most));
  };
  for (std::size_t c = 0; c < 3; ++c) check(c, kFarthest);
  for (std::size_t c = 3; c < 6; ++c) check(c, kFastest);
  const auto vector = [&](std::size_t c) {
    return Vec3{static_cast<float>(number(c)), static_cast<float>(number(c + 1)), static_cast<float>(number(c + 2))};
  };
  if (has(kFluidColumn)) {
    const double fluid = numbers[kFluidColumn];
    if (!(fluid >= 0 && fluid < kMaxFluids && fluid == std::floor(fluid)))
      throw InputError(
          fmt::format("{}: found {} for fluid; allowed: a whole number from 0 to {}", where(), fluid, kMaxFluids - 1));
    particles_.fluid.push_back(static_cast<std::uint8_t>(fluid));
  }
  if (has(kCompressionColumn)) {
    const double compression = numbers[kCompressionColumn];
    if (!(compression >= kLeastCompression && compression <= kMostCompression))
      throw InputError(fmt::format("{}: found {} for compression; allowed: numbers from {:g} to {:g}", where(),
                                   compression, kLeastCompression, kMostCompression));
    particles_.compression.push_back(static_cast<float>(compression));
  }
  if (particles_.size() == static_cast<std::size_t>(kMostParticles))
    throw InputError(fmt::format("{}: allowed: at most {} particles", where(), kMostParticles));
  particles_.position.push_back(vector(0));
  if (has(3)) particles_.velocity.push_back(vector(3));
}

namespace {

/// The number that a text begins with, if it is from `least` to `most`.
std::optional<double> first_number(std::string_view text, double least, double most) {
  constexpr std::string_view kSpaces = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  const auto value = number_in(text.substr(0, text.find_first_of(kSpaces)));
  return value && *value >= least && *value <= most ? value : std::nullopt;
}

}  // namespace

void ParticleBuilder::set_time(std::string_view text) {
  if (const auto time = first_number(text, -kFarthest, kFarthest)) particles_.time = time;
}

void ParticleBuilder::set_expected_speed(std::string_view text) {
  if (const auto speed = first_number(text, 0, kFastest)) particles_.expected_speed = static_cast<float>(*speed);
}

void ParticleBuilder::read_comment(std::string_view comment) {
  constexpr std::string_view time = "time ", speed = "expected_speed ";
  if (comment.starts_with(time)) set_time(comment.substr(time.size()));
  summed_ |= comment.find(kSummedCompression) != comment.npos;
  if (comment.starts_with(speed)) set_expected_speed(comment.substr(speed.size()));
}

std::shared_ptr<const FileParticles> ParticleBuilder::finish() {
  if (particles_.size() == 0) throw InputError(fmt::format("{}: found no particle; allowed: one or more", file_));
  if (summed_) particles_.compression.clear();
  for (const Vec3& v : particles_.velocity) particles_.fastest = std::max(particles_.fastest, std::sqrt(length2(v)));
  return std::make_shared<const FileParticles>(std::move(particles_));
}

}  // namespace riffle
