#include "app/report/series_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "core/error.h"
#include "sim/probes/probe.h"

namespace riffle {
namespace {

TEST(SeriesColumns, AreAllInTheTableOfTheDocumentation) {
  std::ifstream in(RIFFLE_SOURCE_DIR "/docs/command-line.md");
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_NE(page.str().find("\n\n" + series_columns_markdown() + "\n"), std::string::npos)
      << "docs/command-line.md should have this table:\n"
      << series_columns_markdown();
}

TEST(SeriesColumns, OfProbesAreNoOthersUnlessTheirNamesAreReserved) {
  for (const SeriesColumn& of_probe : series_columns()) {
    if (!of_probe.name.ends_with(kProbe)) continue;
    const std::string_view before = of_probe.name.substr(0, of_probe.name.size() - kProbe.size());
    for (const SeriesColumn& other : series_columns()) {
      if (other.name.ends_with(kProbe) || !other.name.starts_with(before)) continue;
      EXPECT_TRUE(std::ranges::count(kReservedProbeNames, other.name.substr(before.size()))) << other.name;
    }
  }
}

TEST(SeriesColumns, HaveAMeaningEachAndNoNameTwice) {
  std::set<std::string_view> names;
  for (const SeriesColumn& column : series_columns()) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_TRUE(std::string_view(column.meaning).ends_with('.')) << column.name;
  }
  EXPECT_THROW(series_column("vorticity"), RuntimeFailure);
}

TEST(SeriesColumns, ARowIsFoundByTheNameThatATableHas) {
  const std::pair<const char*, const char*> cases[] = {
      {"temperature", "temperature"},
      {"temperature_water", "temperature_FLUID"},
      {"local_temperature", "local_temperature"},
      {"x_boat", "x_SOLID"},
      {"v_x_boat", "v_x_SOLID"},
      {"force_x_face_x_min", "force_x_SOLID"},
      {"pressure", "pressure"},
      {"pressure_P", "pressure_PROBE"},
      {"velocity_x_line_3", "velocity_x_PROBE"},
      {"entered_tap", "entered_INLET"},
      {"left_sink", "left_DRAIN"},
  };
  for (const auto& [name, row] : cases) {
    ASSERT_NE(row_of_column(name), nullptr) << name;
    EXPECT_EQ(row_of_column(name)->name, row) << name;
  }
  EXPECT_EQ(row_of_column("vorticity"), nullptr);
  EXPECT_EQ(row_of_column("x_"), nullptr) << "a name is missing";
}

TEST(SeriesColumns, UnitsAreThoseOfTheScene) {
  SimulationSetup dpd;
  dpd.solver = SolverKind::Dpd;
  SimulationSetup hot = dpd, wide = dpd, flat = dpd;
  hot.dpd.temperature = 2;
  wide.dpd.cutoff = 1.5f;
  flat.domain.dimension = 2;
  EXPECT_EQ(unit_text(SeriesUnit::Energy, SimulationSetup{}), "J");
  EXPECT_EQ(unit_text(SeriesUnit::Temperature, dpd), "eps") << "true with another kT too";
  EXPECT_EQ(unit_text(SeriesUnit::Energy, dpd), "eps");
  EXPECT_EQ(unit_text(SeriesUnit::Pressure, dpd), "eps/r_c^3");
  EXPECT_EQ(unit_text(SeriesUnit::Pressure, flat), "eps/r_c^2");
  EXPECT_EQ(unit_text(SeriesUnit::Temperature, hot), "eps");
  EXPECT_EQ(unit_text(SeriesUnit::Energy, hot), "eps");
  EXPECT_EQ(unit_text(SeriesUnit::Pressure, hot), "eps/r_c^3");
  EXPECT_EQ(unit_text(SeriesUnit::Speed, hot), "r_c/tau");
  EXPECT_EQ(unit_text(SeriesUnit::Pressure, wide), "reduced");
  EXPECT_EQ(unit_text(SeriesUnit::Temperature, wide), "eps");
}

}  // namespace
}  // namespace riffle
