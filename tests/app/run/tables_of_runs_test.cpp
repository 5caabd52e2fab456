// Tables of --series and --probes of runs that are killed, that go on, or whose table was damaged.

#include <csignal>
#include <filesystem>
#include <set>
#include <sstream>
#include <thread>

#include "support/program.h"

namespace riffle {
namespace {

namespace fs = std::filesystem;

class TablesOfRuns : public ProgramTest {};

const char* const kFall =
    "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\nbodies:\n"
    "  - {box: {min: [0, 0], max: [0.4, 0.7]}}\nprobes:\n  - {point: [0.2, 0.2]}\ntime: {step: 0.0005, end: 100}\n";

std::set<std::string> times_of(const std::string& table) {
  std::set<std::string> times;
  std::istringstream in(table);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) times.insert(line.substr(0, line.find(',')));
  return times;
}

// The table of probes is handed to the system once a second, and whenever a state is kept.
TEST_F(TablesOfRuns, ARunThatIsKilledAndGoesOnHasAllRowsOfItsProbes) {
  write("fall.yaml", kFall);
  for (const int rest : {40, 90, 150}) {
    Program program({"run", "fall.yaml", "--device", "cpu", "--checkpoint", "a.h5", "--checkpoint-every", "0.005",
                     "--series", "s.csv", "--series-every", "0.001", "--probes", "p.csv", "--probes-every", "0.001"},
                    folder_);
    while (program.running() && !fs::exists(folder_ / "a.h5"))
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::this_thread::sleep_for(std::chrono::milliseconds(rest));
    ASSERT_TRUE(program.running());
    program.send(SIGKILL);
    program.wait();
    const Outcome outcome =
        riffle({"resume", "a.h5", "--device", "cpu", "--no-checkpoint", "--no-picture", "--steps", "20", "--series",
                "s.csv", "--series-every", "0.001", "--probes", "p.csv", "--probes-every", "0.001"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_FALSE(contains(outcome.err, "missing")) << outcome.err;
    const auto rows = times_of(read("s.csv")), probes = times_of(read("p.csv"));
    EXPECT_GT(rows.size(), 10u);
    EXPECT_EQ(probes, rows);
    fs::remove(folder_ / "a.h5");
  }
}

TEST_F(TablesOfRuns, RowsThatARunMissesAndLinesThatAreNoneAreSaid) {
  write("fall.yaml", kFall);
  const std::vector<std::string> table = {"--series", "s.csv", "--series-every", "0.001", "--no-picture",
                                          "--device", "cpu"};
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.end(), table.begin(), table.end());
    const Outcome outcome = riffle(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.err;
  };
  run({"run", "fall.yaml", "--steps", "20", "--checkpoint", "a.h5"});
  std::vector<std::string> lines;
  std::istringstream in(read("s.csv"));
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 12u);
  std::string some;
  for (std::size_t k = 0; k < 7; ++k) some += lines[k] + (k == 3 ? "\nno row\n" : "\n");
  write("s.csv", some);
  const std::string said = run({"resume", "a.h5", "--steps", "4", "--no-checkpoint"});
  EXPECT_TRUE(contains(said, "s.csv: 1 line is no rows of this table and will be left out: the first is line 5"))
      << said;
  EXPECT_TRUE(contains(said,
                       "s.csv: the last row before the state is of t = 0.005, and the run goes on at 0.01: the rows "
                       "between them are missing"))
      << said;
  EXPECT_EQ(times_of(read("s.csv")).size(), 9u);
}

}  // namespace
}  // namespace riffle
