// Hours at the window in a minute: nothing may grow.

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "desktop_session.h"
#include "neighbors/method.h"

namespace riffle::test {
namespace {

using nlohmann::json;

class LongDesktop : public InterfaceTest {
 protected:
  /// [bytes] that the states of runs that were left may have, and their rows once more. A round leaves about 0.6 MiB of both, so
  /// that both are full after the second round, from which growth is counted.
  std::map<std::string, std::string> more_environment() override { return {{"RIFFLE_KEPT_BYTES", "524288"}}; }

  /// [MiB] that the program has written to. Pages of libraries come and go with the machine's needs.
  double memory() {
    std::ifstream in("/proc/" + std::to_string(session().process()) + "/status");
    double kilobytes = 0;
    for (std::string word; in >> word;)
      if (word == "RssAnon:") in >> kilobytes;
    return kilobytes / 1024;
  }

  /// Runs once through everything that allocates and frees memory.
  void round() {
    for (const std::string scene : {"pool", "drop"}) {
      const std::uint64_t version = session().values()["scene_version"];
      ASSERT_TRUE(session().choose("scene", scene));
      ASSERT_TRUE(session().wait_until("the scene " + scene + " is there", [&](const json& now) {
        return now["scene"] == scene && now["scene_version"] > version;
      }));
      ASSERT_TRUE(session().choose("speed", "fastest"));
      for (const NeighborMethodInfo& info : neighbor_methods()) {
        ASSERT_TRUE(session().choose("method", std::string(info.name)));
        ASSERT_TRUE(session().wait_for("method", std::string(info.name)));
        ASSERT_TRUE(session().wait_for_steps(20));
      }
      for (const auto& [width, height] : {std::pair{1200, 800}, {700, 500}, {800, 520}}) {
        screen().resize(session().window(), width, height);
        ASSERT_TRUE(session().wait_for("framebuffer", json{width, height}));
      }
      ASSERT_TRUE(session().click("reset"));
      for (const bool shown : {false, true}) {
        ASSERT_TRUE(session().press("Tab"));
        ASSERT_TRUE(session().wait_for("panels", shown));
      }
      ASSERT_TRUE(session().wait_for_steps(20));
    }
    // The number of fences varies with the pictures: it is counted while nothing moves.
    ASSERT_TRUE(session().click("play"));
    ASSERT_TRUE(session().wait_for("playing", false));
    ASSERT_TRUE(session().wait_for_pictures(5));
    const json now = session().values();
    objects_.push_back(now["gl_objects"]);
    // The moments of the run that is shown have a budget of their own. How many there are varies with the machine's load.
    const double moments = now["moments_bytes"].get<double>() / (1 << 20),
                 kept = now["kept_bytes"].get<double>() / (1 << 20);
    memory_.push_back(memory() - moments);
    std::printf(
        "round %zu: %.1f MiB and %.1f MiB of %d moments, %.1f MiB of %d runs that were left, %d OpenGL objects\n",
        memory_.size(), memory_.back(), moments, now["moments"].get<int>(), kept, now["kept_runs"].get<int>(),
        objects_.back());
    std::fflush(stdout);
    ASSERT_TRUE(session().click("play"));
    ASSERT_TRUE(session().wait_for("playing", true));
  }

  std::vector<int> objects_;
  std::vector<double> memory_;
};

TEST_F(LongDesktop, Soak) {
  const char* limit = std::getenv("RIFFLE_SOAK_SECONDS");  // make soak: 600
  const std::chrono::duration<double> duration(limit ? std::atof(limit) : 60);
  open();
  // The list of scenes makes one texture for each shipped scene when it first shows the scene, and keeps it. Which scenes it
  // shows on the way to another one varies with the machine's load: it shows all of them before objects are counted.
  ASSERT_TRUE(session().look_through("scene"));
  const auto begin = std::chrono::steady_clock::now();
  while (objects_.size() < 4 || std::chrono::steady_clock::now() - begin < duration) ASSERT_NO_FATAL_FAILURE(round());
  RecordProperty("rounds", static_cast<int>(objects_.size()));
  std::printf("%zu rounds, memory %.1f MiB after the second and %.1f at the end, %d OpenGL objects\n", objects_.size(),
              memory_[1], memory_.back(), objects_.back());
  for (std::size_t i = 1; i < objects_.size(); ++i) EXPECT_LE(objects_[i], objects_[1]) << "round " << i;
  // Allocators keep the memory they once had, so the first rounds grow. A leaked picture of 800 x 520 is 1.6 MiB, a
  // leaked simulation of the drop half a MiB, each several times a round.
  const auto rounds = static_cast<double>(memory_.size() - 2);
  EXPECT_LT(memory_.back() - memory_[1], 8 + 0.25 * rounds);
  EXPECT_EQ(session().values()["notices"], 0);
}

/// A column of a comma-separated file whose name begins so; lines with # are comments.
std::vector<double> column(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  std::vector<double> values;
  std::size_t index = std::string::npos;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    std::size_t k = 0;
    const bool names = index == std::string::npos;
    for (std::string field; std::getline(fields, field, ','); ++k) {
      if (names && index == std::string::npos && field.starts_with(name)) index = k;
      if (!names && k == index) values.push_back(std::atof(field.c_str()));
    }
  }
  return values;
}

// A fluid in equilibrium, for as long as Soak: its temperature and momentum, the number of its particles and the memory are steady.
TEST_F(LongDesktop, ADpdFluidStaysInEquilibrium) {
  const char* limit = std::getenv("RIFFLE_SOAK_SECONDS");
  const std::chrono::duration<double> duration(limit ? std::atof(limit) : 30);
  write("scenes/equilibrium.yaml",
        "domain: {min: [0, 0, 0], max: [8, 8, 8], axes: periodic}\ngravity: [0, 0, 0]\n"
        "particles: {number_density: 3}\n"
        "bodies:\n  - {filling: random, box: {min: [0, 0, 0], max: [8, 8, 8]}}\n"
        "solver: {type: dpd, repulsion: 25, friction: 4.5}\ntime: {step: 0.04, end: 1.0e9}\n");
  open({"scenes/equilibrium.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().choose("speed", "fastest"));
  ASSERT_TRUE(session().wait_for_steps(500));
  const int particles = session().values()["particles"], objects = session().values()["gl_objects"];
  std::vector<double> sizes;         // [MiB] over the time
  std::vector<std::size_t> moments;  // that the window keeps to go back to: up to 512, which are thinned then
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < duration || sizes.size() < 40) {
    ASSERT_TRUE(session().wait_for_steps(50));
    ASSERT_EQ(session().values()["particles"], particles);
    sizes.push_back(memory());
    moments.push_back(session().values()["moments"]);
  }
  const std::size_t middle = sizes.size() / 2;
  const double before = sizes[middle], after = sizes.back();
  const std::size_t more = moments.back() > moments[middle] ? moments.back() - moments[middle] : 0;
  const double of_moments = static_cast<double>(more) * particles * 128 / (1 << 20);  // [MiB], bytes of a particle
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for("playing", false));
  const std::uint64_t steps = session().step();
  ASSERT_TRUE(session().click("export_menu"));
  ASSERT_TRUE(session().click("menu.export.diagnostics"));
  ASSERT_TRUE(session().wait_until("it is saved", [](const json& now) { return now["last_saved"] != ""; }));
  std::string table;  // without the list of changes of the rows' distance, which is saved beside it
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".csv") && !name.ends_with("-changes.csv")) table = read(name);
  }
  const std::vector<double> temperature = column(table, "temperature");
  ASSERT_GT(temperature.size(), 10u) << table.substr(0, 500);
  double sum = 0, fastest = 0;
  for (const double t : temperature) sum += t;
  for (const char* axis : {"momentum_x", "momentum_y", "momentum_z"})
    for (const double p : column(table, axis)) fastest = std::max(fastest, std::fabs(p) / particles);
  const double mean = sum / static_cast<double>(temperature.size());
  EXPECT_NEAR(mean, 1, 0.05) << "kT; the step alone changes it by about 1 %";
  EXPECT_LT(fastest, 1e-4) << "momentum of a particle [m r_c/tau]: single precision alone changes it";
  EXPECT_LT(after - before, 8 + of_moments) << "MiB, after " << more << " more moments";
  EXPECT_LE(session().values()["gl_objects"], objects + 2) << "fences of the pictures on their way";
  RecordProperty("steps", std::to_string(steps));
  RecordProperty("particles", particles);
  RecordProperty("temperature", std::to_string(mean));
  RecordProperty("momentum", std::to_string(fastest));
  RecordProperty("mebibytes_before", std::to_string(before));
  RecordProperty("mebibytes_after", std::to_string(after));
  std::printf("%d particles, %llu steps: kT %.4f, momentum of a particle at most %.2e, memory %.1f and then %.1f MiB\n",
              particles, static_cast<unsigned long long>(steps), mean, fastest, before, after);
}

}  // namespace
}  // namespace riffle::test
