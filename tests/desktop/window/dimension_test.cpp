// A scene is made 2-D and 3-D in the window.

#include "desktop_session.h"

namespace riffle::test {
namespace {

using nlohmann::json;

class Dimension : public InterfaceTest {
 protected:
  /// Types it into the field of the key, whose section is open.
  void set(const std::string& key, const std::string& value) {
    const std::uint64_t edits = session().values()["edits"];
    ASSERT_TRUE(session().type("key." + key, value));
    ASSERT_TRUE(session().press("Return"));
    ASSERT_TRUE(session().wait_until(key + " is " + value, [&](const json& now) { return now["edits"] > edits; }));
  }
};

TEST_F(Dimension, ASceneBecomesFlatAndDeepAgainWithItsOwnLengths) {
  open();
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.scene"));
  set("dimension", "2");
  EXPECT_EQ(session().values()["particles"], 100);
  ASSERT_TRUE(session().click("keys.domain"));
  set("domain.max.0", "2");
  set("dimension", "3");
  EXPECT_EQ(session().values()["particles"], 1000);
  EXPECT_EQ(session().values()["third_axis"], "");
  EXPECT_EQ(session().values()["notices"], 0) << session().values().dump();
}

TEST_F(Dimension, AFlatSceneBecomesDeepAndTheWindowSaysHow) {
  open({"scenes/pool.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.scene"));
  set("dimension", "3");
  EXPECT_EQ(session().values()["particles"], 20 * 6 * 20);
  ASSERT_TRUE(session().wait_until("it is said what was chosen", [](const json& now) {
    return now.value("third_axis", "").find("z goes from 0 to 1 m, 20 particle spacings") != std::string::npos;
  }));
  session().write_picture("third_axis");
  EXPECT_EQ(session().values()["notices"], 0) << session().values().dump();
}

}  // namespace
}  // namespace riffle::test
