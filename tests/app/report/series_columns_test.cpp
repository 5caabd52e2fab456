#include "app/report/series_columns.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "core/error.h"

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

TEST(SeriesColumns, HaveAMeaningEachAndNoNameTwice) {
  std::set<std::string_view> names;
  for (const SeriesColumn& column : series_columns()) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_TRUE(std::string_view(column.meaning).ends_with('.')) << column.name;
  }
  EXPECT_THROW(series_column("vorticity"), RuntimeFailure);
}

}  // namespace
}  // namespace riffle
