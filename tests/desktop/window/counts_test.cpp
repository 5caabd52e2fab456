// What a search counts, and what two fluids of DPD are measured for, while the run goes on.

#include <algorithm>
#include <string>

#include "desktop_session.h"

namespace riffle::test {
namespace {

using nlohmann::json;

class Counts : public InterfaceTest {
 protected:
  static bool plots(const json& now, const std::string& count, int points) {
    return now.contains("search_plot") && now["search_plot"].is_object() && now["search_plot"]["count"] == count &&
           now["search_plot"]["points"] >= points;
  }
};

// Two fluids that keep apart lie in two layers: the domains are as long as the box.
const char* const kLayers =
    "domain: {min: [0, 0, 0], max: [6, 6, 6], axes: periodic}\ngravity: [0, 0, 0]\n"
    "particles: {number_density: 3}\nfluids: [{name: low}, {name: high}]\n"
    "bodies:\n  - {filling: random, fluid: low, box: {min: [0, 0, 0], max: [3, 6, 6]}}\n"
    "  - {filling: random, fluid: high, box: {min: [3, 0, 0], max: [6, 6, 6]}}\n"
    "solver: {type: dpd, repulsion: [[25, 80], [80, 25]]}\ntime: {step: 0.01, end: 1e5}\n";

TEST_F(Counts, TheShareThatIsReSortedIsPlottedWhileItRunsAndAnotherCountIfItIsChosen) {
  write("scenes/layers.yaml", kLayers);
  open({"scenes/layers.yaml", "--device", "cpu", "--neighbors", "bucket"});
  ASSERT_TRUE(session().click("search_counts"));
  ASSERT_TRUE(session().wait_until("a first point", [](const json& now) { return plots(now, "share re-sorted", 1); }));
  const json first = session().values()["search_plot"];
  EXPECT_EQ(first["unit"], "share");
  // A sample may be of a step that built in full: its share is 0.
  ASSERT_TRUE(session().wait_until("the plot grows with the run, by steps that re-sort", [&](const json& now) {
    return plots(now, "share re-sorted", first["points"].get<int>() + 1) && now["search_plot"]["latest"] > 0;
  }));
  const double share = session().values()["search_plot"]["latest"];
  EXPECT_LT(share, 0.25) << "more are a full build";
  EXPECT_TRUE(session().has_widget("search_plot"));
  EXPECT_TRUE(session().has_widget("search_count.full_builds"));
  ASSERT_TRUE(session().choose("search_plot.count", "re_sorts"));
  ASSERT_TRUE(session().wait_until("the other count", [](const json& now) { return plots(now, "re-sorts", 2); }));
  EXPECT_GT(session().values()["search_plot"]["latest"], 0);
  session().write_picture("search_plot");
  close();
  EXPECT_EQ(json::parse(read("config/riffle/settings.json"))["choices"]["search_plot"], "re-sorts");
}

TEST_F(Counts, TwoFluidsThatKeepApartHaveTheirDomainsTheirTemperaturesAndFewUnlikePairs) {
  write("scenes/layers.yaml", kLayers);
  open({"scenes/layers.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.timings"));
  ASSERT_TRUE(session().click("section.diagnostics"));
  // Random places have energy that leaves as heat first: kT is 2.4 at 0.07, and below 1.3 from 1.5 on.
  ASSERT_TRUE(session().wait_until("samples of a fluid that is at rest", [](const json& now) {
    return now.contains("diagnostics") && now["diagnostics"]["samples"] >= 3 && now["diagnostics"]["end"] >= 4;
  }));
  const json diagnostics = session().values()["diagnostics"];
  for (const char* plot : {"plot.domains", "plot.temperature", "plot.pairs"})
    EXPECT_NE(std::ranges::find(diagnostics["plots"], json(plot)), diagnostics["plots"].end()) << plot;
  const json latest = diagnostics["latest"];
  // One wave along the box, and little else: R is its length.
  EXPECT_NEAR(latest["domain_size"].get<double>(), 6, 0.6);
  for (const char* fluid : {"temperature_low", "temperature_high"})
    EXPECT_NEAR(latest[fluid].get<double>(), 1, 0.3) << "324 particles: a standard deviation is 0.045";
  EXPECT_NE(latest["temperature_low"], latest["temperature_high"]);
  EXPECT_NEAR(latest["unlike_pairs_if_mixed"].get<double>(), 0.5, 0.01);
  // Two flat faces of layers 3 r_c thick, without a gap: 2 * 3/16 / 3 of the pairs lie across one.
  EXPECT_LT(latest["unlike_pairs"], 0.125);
  EXPECT_GT(latest["unlike_pairs"], 0);
  session().write_picture("two_fluids");
}

}  // namespace
}  // namespace riffle::test
