#include "sim/dpd/pair_correlation.h"

#include <math.h>  // j0

#include <cmath>
#include <cstddef>
#include <deque>
#include <mutex>
#include <numbers>

namespace riffle::dpd {

namespace {

constexpr int kPoints = 6 * kCorrelationCells;  // up to 6 r_c, where the fluid no longer knows of the particle
constexpr double kStep = 1.0 / kCorrelationCells;
constexpr double kWaveStep = std::numbers::pi / (kPoints * kStep);

double radius(int i) { return (i + 0.5) * kStep; }
double wave(int k) { return (k + 0.5) * kWaveStep; }

/// (kPoints, kPoints) matrices of the transform of radial functions and of its inverse.
struct Transform {
  std::vector<double> forth, back;

  explicit Transform(int dimension)
      : forth(static_cast<std::size_t>(kPoints) * kPoints), back(static_cast<std::size_t>(kPoints) * kPoints) {
    constexpr double pi = std::numbers::pi;
    for (int a = 0; a < kPoints; ++a)
      for (int b = 0; b < kPoints; ++b) {
        const std::size_t at = static_cast<std::size_t>(a) * kPoints + static_cast<std::size_t>(b);
        if (dimension == 3) {
          forth[at] = 4 * pi * std::sin(wave(a) * radius(b)) * radius(b) * kStep / wave(a);
          back[at] = std::sin(radius(a) * wave(b)) * wave(b) * kWaveStep / radius(a) / (2 * pi * pi);
        } else {
          forth[at] = 2 * pi * ::j0(wave(a) * radius(b)) * radius(b) * kStep;
          back[at] = ::j0(radius(a) * wave(b)) * wave(b) * kWaveStep / (2 * pi);
        }
      }
  }
};

const Transform& transform(int dimension) {
  if (dimension == 2) {
    static const Transform flat(2);
    return flat;
  }
  static const Transform solid(3);
  return solid;
}

std::vector<double> product(const std::vector<double>& matrix, const std::vector<double>& vector) {
  std::vector<double> result(kPoints);
  for (std::size_t row = 0; row < result.size(); ++row) {
    double sum = 0;
    for (std::size_t column = 0; column < vector.size(); ++column)
      sum += matrix[row * kPoints + column] * vector[column];
    result[row] = sum;
  }
  return result;
}

/// Improves the indirect correlation gamma(r), with the share `mixing` of each new estimate. @return whether it converges
bool iterate(std::vector<double>& indirect, const std::vector<double>& energy, double crowd, int dimension,
             double mixing) {
  constexpr int kMost = 600;
  constexpr double kConverged = 1e-6, kLost = 1e3;
  const Transform& of = transform(dimension);
  std::vector<double> direct(kPoints);
  for (int iteration = 0; iteration < kMost; ++iteration) {
    for (std::size_t i = 0; i < direct.size(); ++i) direct[i] = std::exp(indirect[i] - energy[i]) - indirect[i] - 1;
    std::vector<double> waves = product(of.forth, direct);
    for (double& c : waves) {
      if (!(1 - crowd * c > 0)) return false;
      c = crowd * c * c / (1 - crowd * c);
    }
    const std::vector<double> next = product(of.back, waves);
    double change = 0;
    for (std::size_t i = 0; i < next.size(); ++i) {
      change = std::fmax(change, std::fabs(next[i] - indirect[i]));
      indirect[i] += mixing * (next[i] - indirect[i]);
    }
    if (!(change < kLost)) return false;
    if (change < kConverged) return true;
  }
  return false;
}

/// g(r), in crowds by way of smaller ones: each solution is near the next.
std::vector<double> solve(double repulsion, double crowd, int dimension) {
  constexpr double kFirst = 2, kGrowth = 1.25, kMixing[] = {0.5, 0.1};
  std::vector<double> energy(kPoints), indirect(kPoints);
  for (int i = 0; i < kPoints; ++i) {
    const double gap = 1 - radius(i);
    energy[static_cast<std::size_t>(i)] = gap > 0 ? 0.5 * repulsion * gap * gap : 0;  // u / kT
  }
  const auto improve = [&](double to, double mixing) {
    std::vector<double> next = indirect;
    if (!iterate(next, energy, to, dimension, mixing)) return false;
    indirect = next;
    return true;
  };
  if (!improve(crowd, kMixing[0]))
    for (double dense = 0; dense < crowd;) {
      dense = std::fmin(crowd, std::fmax(kFirst, kGrowth * dense));
      if (!improve(dense, kMixing[0]) && !improve(dense, kMixing[1]))
        return std::vector<double>(kCorrelationCells, 1.0);
    }
  std::vector<double> g(kCorrelationCells);
  for (std::size_t i = 0; i < g.size(); ++i) g[i] = std::exp(indirect[i] - energy[i]);
  return g;
}

}  // namespace

std::vector<double> radial_distribution(double repulsion, double crowd, int dimension) {
  struct Known {
    double repulsion, crowd;
    int dimension;
    std::vector<double> g;
  };
  static std::mutex mutex;
  static std::deque<Known> known;
  constexpr std::size_t kKept = 16;
  const std::lock_guard lock(mutex);
  for (const Known& k : known)
    if (k.repulsion == repulsion && k.crowd == crowd && k.dimension == dimension) return k.g;
  known.push_back({repulsion, crowd, dimension, solve(repulsion, crowd, dimension)});
  if (known.size() > kKept) known.pop_front();
  return known.back().g;
}

}  // namespace riffle::dpd
