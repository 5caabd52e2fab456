#include "sim/measure/blocked_structure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace riffle {

BlockMean block_mean(const std::vector<double>& blocks) {
  BlockMean mean;
  const auto n = static_cast<double>(blocks.size());
  if (blocks.empty()) return mean;
  double sum = 0, squares = 0;
  for (const double value : blocks) sum += value;
  mean.value = sum / n;
  for (const double value : blocks) squares += (value - mean.value) * (value - mean.value);
  if (blocks.size() >= kLeastBlocks) mean.error = std::sqrt(squares / (n * (n - 1)));
  return mean;
}

bool is_no_line(const BlockMean& bend, double exponent) {
  return std::abs(bend.value) > 2 * bend.error || std::abs(exponent - 1) > 0.1;
}

BlockedDistribution::BlockedDistribution(const SimulationSetup& setup) : reach_(distribution_reach(setup)) {}

void BlockedDistribution::add(const Simulation& simulation) {
  if (simulation.particle_count() < 2) return;
  if (blocks_.empty() || blocks_.back().states() == per_block_) {
    if (blocks_.size() == kMostBlocks) {
      for (std::size_t k = 0; k < kMostBlocks / 2; ++k) {
        RadialDistribution joined = blocks_[2 * k];
        joined.join(blocks_[2 * k + 1]);
        blocks_[k] = joined;
      }
      blocks_.erase(blocks_.begin() + kMostBlocks / 2, blocks_.end());
      per_block_ *= 2;
    }
    blocks_.emplace_back(reach_, kBins);
  }
  blocks_.back().add(simulation, distribution_volume(simulation));
}

std::size_t BlockedDistribution::blocks() const {
  return blocks_.size() - (!blocks_.empty() && blocks_.back().states() < per_block_ ? 1 : 0);
}

int BlockedDistribution::states() const {
  int sum = 0;
  for (const RadialDistribution& block : blocks_) sum += block.states();
  return sum;
}

std::vector<BlockedDistribution::Row> BlockedDistribution::rows() const {
  return rows_of([](const RadialDistribution& block) { return block.values(); });
}

std::vector<BlockedDistribution::Row> BlockedDistribution::rows(int fluid, int other) const {
  return rows_of([&](const RadialDistribution& block) { return block.values(fluid, other); });
}

template <class Values>
std::vector<BlockedDistribution::Row> BlockedDistribution::rows_of(const Values& values_of) const {
  RadialDistribution all(reach_, kBins);
  std::vector<std::vector<double>> values;
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    all.join(blocks_[k]);
    if (k < blocks()) values.push_back(values_of(blocks_[k]));
  }
  const std::vector<double> g = values_of(all);
  std::vector<Row> rows;
  for (int bin = 0; bin < kBins; ++bin) {
    std::vector<double> of_blocks;
    for (const std::vector<double>& block : values) of_blocks.push_back(block[static_cast<std::size_t>(bin)]);
    rows.push_back({all.radius(bin), {g[static_cast<std::size_t>(bin)], block_mean(of_blocks).error}});
  }
  return rows;
}

BlockedDisplacement::BlockedDisplacement(double lag, double every)
    : lag_(every * std::max(1.0, std::round(lag / every))), every_(every) {}

void BlockedDisplacement::add(const Simulation& simulation) {
  const double time = simulation.latest().time;
  if (current_) {
    current_->add(simulation);
    if (time - begin_ < lag_ - 0.5 * every_) return;
    windows_.push_back(current_->samples());
    fit(*current_);
  }
  current_.emplace(simulation);
  begin_ = time;
}

void BlockedDisplacement::fit(const MeanSquareDisplacement& window) {
  constexpr double kNoEnd = std::numeric_limits<double>::infinity();
  const double from = fit_from() - 0.5 * every_, middle = 0.5 * (fit_from() + lag_), some = 0.25 * every_;
  const auto count = [&](double first, double last) {
    return std::ranges::count_if(window.samples(), [&](const MeanSquareDisplacement::Sample& sample) {
      return sample.time >= first && sample.time <= last;
    });
  };
  if (count(from, kNoEnd) < kLeastFitted) return;
  diffusions_.push_back(window.diffusion(from, kNoEnd));
  of_fluids_.resize(window.samples().back().of_fluid.size());
  for (std::size_t f = 0; f < of_fluids_.size(); ++f)
    of_fluids_[f].push_back(window.diffusion(from, kNoEnd, static_cast<int>(f)));
  if (count(from, middle + some) >= 2 && count(middle - some, kNoEnd) >= 2)
    bends_.push_back(window.diffusion(middle - some, kNoEnd) - window.diffusion(from, middle + some));
}

std::vector<BlockedDisplacement::Row> BlockedDisplacement::rows() const {
  struct Place {
    std::vector<double> lag, msd;
    std::vector<std::vector<double>> of_fluid;
  };
  std::map<long, Place> places;
  const auto take = [&](const Samples& samples) {
    for (const MeanSquareDisplacement::Sample& sample : samples) {
      Place& place = places[std::lround(sample.time / every_)];
      place.lag.push_back(sample.time), place.msd.push_back(sample.value);
      place.of_fluid.resize(sample.of_fluid.size());
      for (std::size_t f = 0; f < sample.of_fluid.size(); ++f) place.of_fluid[f].push_back(sample.of_fluid[f]);
    }
  };
  for (const Samples& window : windows_) take(window);
  if (windows_.empty() && current_) take(current_->samples());
  std::vector<Row> rows;
  for (const auto& [number, place] : places) {
    if (2 * place.msd.size() <= windows_.size()) continue;
    rows.push_back({block_mean(place.lag).value, block_mean(place.msd)});
    for (const std::vector<double>& fluid : place.of_fluid) rows.back().of_fluid.push_back(block_mean(fluid));
  }
  return rows;
}

BlockMean BlockedDisplacement::diffusion() const { return block_mean(diffusions_); }

BlockMean BlockedDisplacement::diffusion(std::size_t fluid) const {
  return fluid < of_fluids_.size() ? block_mean(of_fluids_[fluid]) : BlockMean{};
}

BlockMean BlockedDisplacement::bend() const { return block_mean(bends_); }

double BlockedDisplacement::exponent() const { return growth_exponent(rows(), fit_from() - 0.5 * every_); }

double growth_exponent(const std::vector<BlockedDisplacement::Row>& rows, double from) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const BlockedDisplacement::Row& row : rows) {
    if (row.lag < from || !(row.msd.value > 0)) continue;
    const double lag = std::log(row.lag), msd = std::log(row.msd.value);
    n += 1, x += lag, y += msd, xx += lag * lag, xy += lag * msd;
  }
  return n >= 2 ? (n * xy - x * y) / (n * xx - x * x) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace riffle
