#include "support/neighbor_oracle.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "neighbors/separation.h"

namespace riffle::test {

namespace {

double nearest_image_in_double(double d, double length) { return length > 0 ? d - length * std::round(d / length) : d; }

/// Distances in double precision, and the error that float arithmetic may cause in them.
class DoubleCheck {
 public:
  DoubleCheck(const Domain& domain, float h) : h_(h) {
    for (int a = 0; a < 3; ++a)
      length_[a] = domain.periodic(a) ? double{component(domain.max, a) - component(domain.min, a)} : 0.0;
  }

  void check(Vec3 a, Vec3 b, bool within) {
    if (!is_finite(a) || !is_finite(b)) {
      if (within) fail(a, b, within);
      return;
    }
    double r2 = 0, scale = 0;
    for (int k = 0; k < 3; ++k) {
      const double d = double{component(a, k)} - double{component(b, k)};
      const double r = nearest_image_in_double(d, length_[k]);
      r2 += r * r;
      if (length_[k] > 0) scale = std::max(scale, std::max(std::abs(d), length_[k]));
    }
    const double r = std::sqrt(r2);
    // On an open axis the error of a difference is half an ulp of the difference; on a periodic axis it is half an ulp
    // of the value before wrapping.
    const double rounding = 1e-6 * h_ + 0x1p-22 * scale;
    if (within ? r > h_ + rounding : r < h_ - rounding) fail(a, b, within);
  }

 private:
  void fail(Vec3 a, Vec3 b, bool within) {
    if (++failures_ > 3) return;
    ADD_FAILURE() << "separation() puts (" << a.x << ", " << a.y << ", " << a.z << ") and (" << b.x << ", " << b.y
                  << ", " << b.z << ") " << (within ? "within " : "beyond ") << h_ << ", double precision does not";
  }

  double length_[3];
  double h_;
  int failures_ = 0;
};

bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }
// 0 and -0 are the same separation: 0 - (-0) has either sign, depending on which particle is the query.
bool same_component(float a, float b) { return same_bits(a, b) || (a == 0 && b == 0); }

bool same_separation(const Neighbor& a, const Neighbor& b) {
  return same_component(a.r_ij.x, b.r_ij.x) && same_component(a.r_ij.y, b.r_ij.y) &&
         same_component(a.r_ij.z, b.r_ij.z) && same_bits(a.r2, b.r2);
}

NeighborSets all_pairs(const std::vector<Vec4>& sources, const std::vector<Vec4>& queries, const Domain& domain,
                       float h, bool self) {
  const PeriodicWrap wrap = periodic_wrap(domain);
  const float h2 = h * h;
  DoubleCheck check(domain, h);
  NeighborSets sets(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i)
    for (std::size_t j = 0; j < sources.size(); ++j) {
      if (self && i == j) continue;
      const Vec3 r_ij = separation(xyz(queries[i]), xyz(sources[j]), wrap);
      const float r2 = squared_length(r_ij);
      check.check(xyz(queries[i]), xyz(sources[j]), r2 < h2);
      if (r2 < h2) sets[i].push_back({static_cast<std::uint32_t>(j), r_ij, r2});
    }
  return sets;
}

void sort_by_index(std::vector<Neighbor>& set) {
  std::sort(set.begin(), set.end(), [](const Neighbor& a, const Neighbor& b) { return a.j < b.j; });
}

}  // namespace

NeighborSets expected_neighbors(const std::vector<Vec4>& x, const Domain& domain, float h) {
  return all_pairs(x, x, domain, h, true);
}

NeighborSets expected_neighbors_of(const std::vector<Vec4>& sources, const std::vector<Vec4>& queries,
                                   const Domain& domain, float h) {
  return all_pairs(sources, queries, domain, h, false);
}

testing::AssertionResult same_neighbors(NeighborSets expected, NeighborSets found) {
  if (expected.size() != found.size())
    return testing::AssertionFailure() << found.size() << " queries were answered, not all " << expected.size();
  std::size_t missing = 0, extra = 0, duplicate = 0, displaced = 0;
  std::string first;
  const auto note = [&](std::size_t& counter, const char* what, std::size_t i, std::uint32_t j) {
    ++counter;
    if (first.empty()) first = std::string(what) + ": i = " + std::to_string(i) + ", j = " + std::to_string(j);
  };
  for (std::size_t i = 0; i < expected.size(); ++i) {
    auto& want = expected[i];
    auto& have = found[i];
    sort_by_index(want);
    sort_by_index(have);
    std::size_t w = 0;
    for (std::size_t k = 0; k < have.size(); ++k) {
      if (k > 0 && have[k].j == have[k - 1].j) {
        note(duplicate, "duplicate", i, have[k].j);
        continue;
      }
      while (w < want.size() && want[w].j < have[k].j) note(missing, "missing", i, want[w++].j);
      if (w < want.size() && want[w].j == have[k].j) {
        if (!same_separation(want[w], have[k])) note(displaced, "other r_ij or r2", i, have[k].j);
        ++w;
      } else {
        note(extra, "extra", i, have[k].j);
      }
    }
    while (w < want.size()) note(missing, "missing", i, want[w++].j);
  }
  if (missing + extra + duplicate + displaced == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << missing << " pairs missing, " << extra << " extra, " << duplicate
                                     << " duplicate, " << displaced << " with another r_ij or r2, of "
                                     << pair_count(expected) << "; the first is " << first;
}

testing::AssertionResult symmetric(const NeighborSets& sets) {
  NeighborSets sorted = sets;
  for (auto& set : sorted) sort_by_index(set);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (const Neighbor& n : sorted[i]) {
      if (n.j >= sorted.size()) return testing::AssertionFailure() << i << " finds " << n.j << ", which does not exist";
      const auto& other = sorted[n.j];
      const auto back = std::lower_bound(other.begin(), other.end(), i,
                                         [](const Neighbor& a, std::size_t value) { return a.j < value; });
      if (back == other.end() || back->j != i)
        return testing::AssertionFailure() << i << " finds " << n.j << ", which does not find it";
      if (!same_separation({0, -back->r_ij, back->r2}, n))
        return testing::AssertionFailure() << "r_ij is not -r_ji for " << i << " and " << n.j;
    }
  return testing::AssertionSuccess();
}

std::size_t pair_count(const NeighborSets& sets) {
  std::size_t count = 0;
  for (const auto& set : sets) count += set.size();
  return count;
}

}  // namespace riffle::test
