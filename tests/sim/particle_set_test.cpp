#include "sim/particle_set.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "core/device/algorithms.h"
#include "support/devices.h"
#include "support/random.h"

namespace riffle::test {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers identity(std::size_t n) {
  Numbers order(n);
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

Numbers shuffled(Random& random, std::size_t n) {
  Numbers order = identity(n);
  for (std::size_t i = n; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
  return order;
}

class ParticleSets : public OnEachDevice {
 protected:
  void reorder(ParticleSet& particles, const Numbers& order) const {
    const Buffer<std::uint32_t> device_order(device(), order);
    particles.reorder(device_order.data());
    synchronize(device());
  }
};

// Whoever is taken out, the others stay once each with all their values, and those before the end stay in their places.
TEST_P(ParticleSets, TakesOutWhatItIsTold) {
  Random random(7);
  for (const std::size_t n : {1u, 2u, 7u, 1000u, 5000u})
    for (int round = 0; round < 8; ++round) {
      ParticleSet particles(device(), static_cast<int>(n));
      const Numbers before = identity(n);
      std::vector<Vec4> vectors;
      for (const std::uint32_t i : before) vectors.push_back({float(i), 1, 2, 3});
      particles.add<std::uint32_t>("id", Persistence::Carry).assign(before);
      particles.add<Vec4>("place", Persistence::Scratch).assign(vectors);
      Numbers out = shuffled(random, n);
      out.resize(round == 0 ? n : static_cast<std::size_t>(random.below(static_cast<int>(n) + 1)));
      if (round == 1) out.assign(before.end() - static_cast<std::ptrdiff_t>(n / 2), before.end());
      if (round == 2) out.assign(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(n / 2));
      std::sort(out.begin(), out.end());
      const Buffer<std::uint32_t> places(device(), out);
      particles.take_out(places.data(), static_cast<int>(out.size()));
      const Numbers now = particles.get<std::uint32_t>("id").to_host();
      ASSERT_EQ(now.size(), n - out.size());
      Numbers expected, sorted = now;
      std::set_difference(before.begin(), before.end(), out.begin(), out.end(), std::back_inserter(expected));
      std::sort(sorted.begin(), sorted.end());
      EXPECT_EQ(sorted, expected);
      const std::vector<Vec4> values = particles.get<Vec4>("place").to_host();
      for (std::size_t i = 0; i < now.size(); ++i) {
        EXPECT_EQ(values[i].x, float(now[i]));
        EXPECT_TRUE(now[i] == i || now[i] >= now.size()) << now[i] << " moved to " << i;
      }
    }
}

TEST_P(ParticleSets, NewAttributesAreZero) {
  ParticleSet particles(device(), 100);
  EXPECT_EQ(particles.add<float>("a", Persistence::Carry).to_host(), std::vector<float>(100, 0.0f));
  EXPECT_EQ(particles.add<std::uint32_t>("b", Persistence::Scratch).to_host(), Numbers(100, 0));
  for (const Vec4& v : particles.add<Vec4>("c", Persistence::Carry).to_host())
    EXPECT_TRUE(xyz(v) == Vec3{} && v.w == 0);
}

TEST_P(ParticleSets, CarriedAttributesFollowTheirParticleAndScratchStays) {
  constexpr int n = 1000;
  ParticleSet particles(device(), n);
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.5f);
  particles.add<float>("carried", Persistence::Carry).assign(values);
  particles.add<float>("scratch", Persistence::Scratch).assign(values);
  Random random(1);
  const Numbers order = shuffled(random, n);
  reorder(particles, order);
  const std::vector<float> carried = particles.get<float>("carried").to_host();
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(carried[i], values[order[i]]);
  EXPECT_EQ(particles.get<float>("scratch").to_host(), values);
}

TEST_P(ParticleSets, IdentitySurvivesManyReorderings) {
  constexpr std::size_t n = 3000;
  Random random(2);
  ParticleSet particles(device(), n);
  std::vector<Vec4> position(n);
  std::vector<float> mass(n);
  for (std::size_t i = 0; i < n; ++i) {
    position[i] = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), static_cast<float>(i)};
    mass[i] = random.uniform(0, 1);
  }
  particles.add<std::uint32_t>("id", Persistence::Carry).assign(identity(n));
  particles.add<Vec4>("position", Persistence::Carry).assign(position);
  particles.add<float>("mass", Persistence::Carry).assign(mass);
  for (int round = 0; round < 7; ++round) reorder(particles, shuffled(random, n));
  const Numbers id = particles.get<std::uint32_t>("id").to_host();
  const std::vector<Vec4> x = particles.get<Vec4>("position").to_host();
  const std::vector<float> m = particles.get<float>("mass").to_host();
  EXPECT_NE(id, identity(n));
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_TRUE(xyz(x[i]) == xyz(position[id[i]]));
    ASSERT_EQ(x[i].w, position[id[i]].w);
    ASSERT_EQ(m[i], mass[id[i]]);
  }
}

TEST_P(ParticleSets, MoreAttributesThanOneGatherTakesAllFollow) {
  constexpr std::size_t n = 500;
  for (const int attributes :
       {kMaxGatherArrays - 1, kMaxGatherArrays, kMaxGatherArrays + 1, 3 * kMaxGatherArrays + 5}) {
    ParticleSet particles(device(), n);
    std::vector<float> values(n);
    for (int a = 0; a < attributes; ++a) {
      std::iota(values.begin(), values.end(), 1000.0f * static_cast<float>(a));
      particles.add<float>("attribute " + std::to_string(a), Persistence::Carry).assign(values);
      if (a % 3 == 0) particles.add<Vec4>("scratch " + std::to_string(a), Persistence::Scratch);
    }
    Random random(3);
    const Numbers order = shuffled(random, n);
    reorder(particles, order);
    for (int a = 0; a < attributes; ++a) {
      const std::vector<float> moved = particles.get<float>("attribute " + std::to_string(a)).to_host();
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(moved[i], 1000.0f * static_cast<float>(a) + static_cast<float>(order[i]));
    }
  }
}

TEST_P(ParticleSets, ReferencesStayValidWhenAttributesAreAdded) {
  ParticleSet particles(device(), 10);
  Buffer<float>& first = particles.add<float>("first", Persistence::Carry);
  for (int a = 0; a < 100; ++a) particles.add<float>("other " + std::to_string(a), Persistence::Scratch);
  EXPECT_EQ(&first, &particles.get<float>("first"));
  reorder(particles, identity(10));
  EXPECT_EQ(&first, &particles.get<float>("first"));
}

TEST_P(ParticleSets, AWrongNameOrTypeIsNamed) {
  ParticleSet particles(device(), 10);
  particles.add<float>("density", Persistence::Scratch);
  const auto message = [&](const auto& action) -> std::string {
    try {
      action();
    } catch (const std::logic_error& error) {
      return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
  };
  EXPECT_NE(message([&] { particles.get<Vec4>("density"); }).find("density"), std::string::npos);
  EXPECT_NE(message([&] { particles.get<float>("densty"); }).find("densty"), std::string::npos);
  EXPECT_NE(message([&] { particles.add<float>("density", Persistence::Carry); }).find("density"), std::string::npos);
  EXPECT_NE(message([&] { particles.add<Vec4>("density", Persistence::Carry); }).find("density"), std::string::npos);
}

TEST_P(ParticleSets, MemoryBytesIsWhatWasAllocated) {
  const std::size_t before = allocated_bytes(GetParam());
  {
    ParticleSet particles(device(), 1000);
    particles.add<Vec4>("position", Persistence::Carry);
    particles.add<float>("density", Persistence::Scratch);
    EXPECT_EQ(particles.memory_bytes(), 2 * 16000u + 4000u);
    EXPECT_EQ(allocated_bytes(GetParam()) - before, particles.memory_bytes());
  }
  EXPECT_EQ(allocated_bytes(GetParam()), before);
}

TEST_P(ParticleSets, TheNumberChangesAndNoValueIsLost) {
  ParticleSet particles(device(), 5);
  const Buffer<float>& carried = particles.add<float>("carried", Persistence::Carry);
  const Buffer<std::uint32_t>& scratch = particles.add<std::uint32_t>("scratch", Persistence::Scratch);
  particles.add<Vec4>("position", Persistence::Carry);
  particles.write<float>("carried", 0, std::vector<float>{1, 2, 3, 4, 5});
  particles.write<std::uint32_t>("scratch", 0, Numbers{10, 20, 30, 40, 50});
  EXPECT_EQ(particles.capacity(), 5);

  particles.reserve(8);
  EXPECT_EQ(particles.capacity(), 8);
  EXPECT_EQ(particles.count(), 5);
  EXPECT_EQ(carried.to_host(), (std::vector<float>{1, 2, 3, 4, 5}));
  particles.append(2);
  EXPECT_EQ(particles.capacity(), 8);
  EXPECT_EQ(carried.to_host(), (std::vector<float>{1, 2, 3, 4, 5, 0, 0}));
  EXPECT_EQ(scratch.to_host(), (Numbers{10, 20, 30, 40, 50, 0, 0}));
  particles.write<float>("carried", 5, std::vector<float>{6, 7});
  EXPECT_THROW(particles.write<float>("carried", 6, std::vector<float>{6, 7}), std::logic_error);

  const Buffer<std::uint32_t> places(device(), Numbers{1, 2, 5});
  particles.keep(places.data(), 3);
  EXPECT_EQ(particles.count(), 3);
  EXPECT_EQ(particles.capacity(), 8);
  EXPECT_EQ(carried.to_host(), (std::vector<float>{2, 3, 6}));
  EXPECT_EQ(scratch.to_host(), (Numbers{20, 30, 0}));
  EXPECT_EQ(particles.get<Vec4>("position").size(), 3u);

  particles.append(1);  // where another particle was: its value is 0 all the same
  EXPECT_EQ(carried.to_host(), (std::vector<float>{2, 3, 6, 0}));
  particles.append(5);  // beyond the capacity
  EXPECT_EQ(carried.to_host(), (std::vector<float>{2, 3, 6, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(particles.memory_bytes(), 9 * (2 * 4u + 4u + 2 * 16u));

  particles.carry("scratch");
  particles.write<std::uint32_t>("scratch", 0, Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8});
  reorder(particles, {8, 7, 6, 5, 4, 3, 2, 1, 0});
  EXPECT_EQ(scratch.to_host(), (Numbers{8, 7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(carried.to_host(), (std::vector<float>{0, 0, 0, 0, 0, 0, 6, 3, 2}));
}

TEST_P(ParticleSets, NoParticlesAreNoError) {
  ParticleSet particles(device(), 0);
  particles.add<Vec4>("position", Persistence::Carry);
  EXPECT_NO_THROW(reorder(particles, {}));
  EXPECT_TRUE(particles.get<Vec4>("position").empty());
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(ParticleSets);

}  // namespace
}  // namespace riffle::test
