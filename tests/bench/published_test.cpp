#include "bench/published/published_figures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/error.h"

namespace riffle {

namespace fs = std::filesystem;

TEST(Published, EveryFigureOfTheTablesIsRead) {
  const auto h200 = bench::read_h200(RIFFLE_SOURCE_DIR "/bench/published/h200.csv");
  ASSERT_EQ(h200.size(), 265u);
  const std::set<std::string> clouds{"dense1M", "dense4M", "cube1M", "s1", "s3"};  // others would never be looked up
  for (const bench::PublishedRow& row : h200) {
    EXPECT_TRUE(clouds.contains(row.cloud)) << row.cloud;
    EXPECT_GT(row.particles, 0);
    EXPECT_GT(row.radius, 0);
    EXPECT_GT(row.figure.build_ms, 0) << row.figure.label;
    EXPECT_GT(row.figure.query_ms, 0) << row.figure.label;
    EXPECT_GT(row.figure.total_ms, 0) << row.figure.label;
    EXPECT_GE(row.figure.neighbors, 0) << row.figure.label;
    EXPECT_GT(row.figure.memory_bytes, 0) << row.figure.label;
  }
  EXPECT_EQ(std::count_if(
                h200.begin(), h200.end(),
                [](const bench::PublishedRow& row) { return row.figure.source.ends_with("its lists are cut off"); }),
            2);
  const auto gross = bench::read_gross2019(RIFFLE_SOURCE_DIR "/bench/published/gross2019.csv");
  EXPECT_EQ(gross.size(), 3u * 5 * 4 * 6) << "scenarios, numbers of particles, radii, methods by GPUs";
}

TEST(Published, FiguresAreFoundByWhatTheyWereMeasuredOn) {
  const auto dense = bench::h200_figures("dense1M", 1000000, 1);
  const auto green = std::find_if(dense.begin(), dense.end(), [](const auto& f) { return f.label == "green-full"; });
  ASSERT_NE(green, dense.end());
  EXPECT_EQ(green->source, "H200, CUDA 13.0");
  EXPECT_EQ(green->build_ms, 0.2513);
  EXPECT_EQ(green->query_ms, 0.1916);
  EXPECT_EQ(green->total_ms, 0.4424);
  EXPECT_EQ(green->neighbors, 29.3576);
  EXPECT_EQ(green->memory_bytes, 42097152);
  EXPECT_TRUE(bench::h200_figures("dense1M", 1000000, 0.5f).empty());
  EXPECT_TRUE(bench::h200_figures("dense1M", 999999, 1).empty());

  const auto paper = bench::fenns_figures(2, 4194304, 0.8f);
  ASSERT_EQ(paper.size(), 6u);
  EXPECT_EQ(paper[2].label, "FENNS");
  EXPECT_EQ(paper[2].source, "Gross et al. 2019, GTX 1080 Ti");
  EXPECT_EQ(paper[2].total_ms, 31.53);
  EXPECT_EQ(paper[3].label, "Hoetzlein");
  EXPECT_EQ(paper[3].source, "Gross et al. 2019, GTX Titan X");
  EXPECT_EQ(paper[3].total_ms, 770.14);
  EXPECT_EQ(paper[3].build_ms, -1) << "the paper gives whole searches only";
}

TEST(Published, ADamagedLineIsNamed) {
  const fs::path file = fs::temp_directory_path() / ("riffle-published-" + std::to_string(getpid()) + ".csv");
  const auto said = [&](const std::string& row) -> std::string {
    std::ofstream(file) << "# codes\ncode,cloud,particles,radius,build_ms,query_ms,total_ms,neighbors,bytes,cut_off\n"
                        << "a,s1,1024,0.5,1,2,3,4,5,no\n"
                        << row << "\n";
    try {
      bench::read_h200(file.string());
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string line = file.string() + ":4: ";
  EXPECT_EQ(said("b,s1,1024,0.5,1,2,3,4,5,yes"), "");
  EXPECT_EQ(said("b,s1,1024,0.5,1,2,3,4,5"), line + "9 fields, but 10 column names");
  EXPECT_EQ(said("b,s1,1024,0.5,1,2,3x,4,5,no"), line + "total_ms: '3x' is not a number");
  EXPECT_EQ(said("b,s1,1024,0.5,1,2,3,4,,no"), line + "bytes: '' is not a number");
  EXPECT_EQ(said("b,s1,1024,0.5,1,2,3,4,5,true"), line + "cut_off: 'true' is not yes or no");
  fs::remove(file);
}

}  // namespace riffle
