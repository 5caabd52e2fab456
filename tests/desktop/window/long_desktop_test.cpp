// Hours at the window in a minute: nothing may grow.

#include <cstdlib>
#include <fstream>

#include "desktop_session.h"
#include "neighbors/method.h"

namespace riffle::test {
namespace {

using nlohmann::json;

class LongDesktop : public InterfaceTest {
 protected:
  /// Runs that were left are kept up to this many bytes: little enough to be reached in the first round.
  std::map<std::string, std::string> more_environment() override { return {{"RIFFLE_KEPT_BYTES", "4194304"}}; }

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
    objects_.push_back(session().values()["gl_objects"]);
    memory_.push_back(memory());
    std::printf("round %zu: %.1f MiB, %d OpenGL objects\n", memory_.size(), memory_.back(), objects_.back());
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

}  // namespace
}  // namespace riffle::test
