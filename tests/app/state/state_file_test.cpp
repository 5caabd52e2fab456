/// State files: what is written is read, and what is damaged is refused.

#include "app/state/state_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "app/state/attribute_units.h"
#include "app/state/hdf5_file.h"
#include "app/state/xdmf.h"
#include "core/error.h"
#include "core/text/checksum.h"
#include "sim/measure/unwrapped_positions.h"
#include "sim/simulation.h"
#include "sim/solver_info.h"
#include "support/scratch.h"
#include "tests/sim/outcomes.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

constexpr std::size_t kHeader = 512, kFormatAt = 16, kLengthAt = 24, kChecksumAt = 32, kOwnChecksumAt = 40;

std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

void write_bytes(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Replaces one byte of the file.
void overwrite(const std::string& file, std::size_t at, const std::string& bytes) {
  std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
  out.seekp(static_cast<std::streamoff>(at));
  out.put(bytes[at]);
}

void put(std::string& bytes, std::size_t at, std::uint64_t number) { std::memcpy(bytes.data() + at, &number, 8); }

/// Makes both checksums right, and the length.
std::string sealed(std::string bytes) {
  put(bytes, kLengthAt, bytes.size());
  Checksum contents;
  contents.add(bytes.data() + kHeader, bytes.size() - kHeader);
  put(bytes, kChecksumAt, contents.value());
  put(bytes, kOwnChecksumAt, 0);
  Checksum header;
  header.add(bytes.data(), kHeader);
  put(bytes, kOwnChecksumAt, header.value());
  return bytes;
}

/// Only that of the header.
std::string with_right_header(std::string bytes) {
  put(bytes, kOwnChecksumAt, 0);
  Checksum header;
  header.add(bytes.data(), kHeader);
  put(bytes, kOwnChecksumAt, header.value());
  return bytes;
}

/// What read_state() says; "" if it reads the file.
std::string refusal(const std::string& file) {
  try {
    read_state(file);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

/// The last one is of that time.
SavedRows some_rows(double time) {
  SavedRows rows;
  rows.every = 0.25;
  rows.columns = {{"time", "s"}, {"step", ""}, {"force_x_a \"b\"\n\u00e4", "N", true}};
  rows.values = {0, 0, NAN, time / 3, 17, 1e-300, time, 40, -INFINITY};
  rows.multiples = {0, 1, 3};
  rows.strides = {1, 1, 2};
  rows.changes = {{0.25, 0.5, "gravity", "[0, -9.81, 0]", "[0, -5, 0]"}};
  return rows;
}

SavedRun small_run(int steps = 3) {
  SimulationSetup setup = with_solver(column_setup(2, 4), SolverKind::Wcsph);
  setup.neighbors.skin = 0.1f;
  Simulation simulation(setup, Device{DeviceKind::Cpu});
  for (int k = 0; k < steps; ++k) simulation.step();
  SavedRun run;
  run.scene.name = "small.yaml";
  run.scene.text = "particles: {spacing: 0.1}\n";
  run.scene.files = {{"1/table.csv", std::string("time,x\n0,0\0\n", 13)}, {"2/none.ply", ""}};
  run.state = simulation.save_state();
  run.goal.time = 2.5;
  run.version = "0.1.0";
  run.rows = some_rows(run.state.clock.time);
  return run;
}

class StateFile : public ::testing::Test {
 protected:
  std::string small_state() {
    const std::string file = folder_ / "small.h5";
    write_state(file, small_run());
    return file;
  }
  Scratch folder_;
};

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// All but the time limit, which is the run's, as doubles: none has more digits.
std::vector<double> numbers_of(const ClockState& c) {
  std::vector<double> numbers = {c.time,
                                 double(c.step),
                                 c.dt,
                                 c.last_dt,
                                 c.previous_dt,
                                 c.max_speed,
                                 c.max_acceleration,
                                 double(c.max_speed2_bits),
                                 double(c.max_acceleration2_bits),
                                 double(c.contained),
                                 double(c.unconverged),
                                 double(c.viscous_unconverged),
                                 c.viscous_step,
                                 c.step_share};
  for (const SolveReport* solve : {&c.density_solve, &c.divergence_solve, &c.viscous_solve})
    numbers.insert(numbers.end(),
                   {double(solve->all_iterations), double(solve->iterations), solve->mean_error, solve->largest_error});
  // All but max_body_speed and its bits, which each step finds before it reads them.
  static_assert(sizeof(ClockState) == 152, "a new number of the clock belongs into state files, and here");
  return numbers;
}

void expect_same(const SimulationState& a, const SimulationState& b) {
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.next_id, b.next_id);
  EXPECT_EQ(a.started, b.started);
  EXPECT_EQ(a.attributes.size(), b.attributes.size());
  for (const AttributeValues& attribute : a.attributes) {
    SCOPED_TRACE(attribute.name);
    std::visit(
        [&](const auto& values) {
          using Values = std::decay_t<decltype(values)>;
          const auto* found = b.find<typename Values::value_type>(attribute.name);
          ASSERT_NE(found, nullptr);
          EXPECT_TRUE(same_bits(values, *found));
        },
        attribute.values);
  }
  EXPECT_TRUE(same_bits(a.turns, b.turns));
  EXPECT_TRUE(same_bits(a.search.positions, b.search.positions));
  EXPECT_EQ(a.search.radius, b.search.radius);
  EXPECT_EQ(a.search.builds.words, b.search.builds.words);
  EXPECT_EQ(a.search.builds.numbers, b.search.builds.numbers);
  EXPECT_EQ(numbers_of(a.clock), numbers_of(b.clock));
}

TEST_F(StateFile, HasAllThatTheRunOfEverySolverCarries) {
  for (SolverCase& c : solver_cases()) {
    SCOPED_TRACE(c.name);
    c.setup.deterministic = false;
    c.setup.neighbors.method = NeighborMethod::Bucket;
    Simulation simulation(c.setup, Device{DeviceKind::Cpu});
    UnwrappedPositions unwrapped(simulation);
    for (int k = 0; k < 5; ++k) {
      simulation.step();
      unwrapped.follow(simulation);
    }
    SavedRun run;
    run.scene = {"a scene.yaml", "name: \"\u00e4\"\n", {}};
    run.state = simulation.save_state();
    unwrapped.add_to(run.state, simulation);
    run.goal.step = 77;
    run.version = "0.1.0";
    write_state(folder_ / "run.h5", run);
    const SavedRun read = read_state(folder_ / "run.h5");
    expect_same(run.state, read.state);
    EXPECT_EQ(read.scene.name, run.scene.name);
    EXPECT_EQ(read.scene.text, run.scene.text);
    EXPECT_EQ(read.goal.step, 77u);
    EXPECT_EQ(read.goal.time, std::nullopt);
    EXPECT_EQ(read.version, "0.1.0");
    EXPECT_EQ(state_file_bytes(run), std::filesystem::file_size(folder_ / "run.h5"));
    for (const AttributeValues& attribute : run.state.attributes)
      EXPECT_NE(attribute_unit(attribute.name, c.setup), "") << attribute.name;
  }
}

// With the domain's faces measured there are more sums than solids.
TEST_F(StateFile, HasFreeSolidsAndTheirContact) {
  for (SolverCase& c : solver_cases()) {
    if (c.setup.domain.dimension != 3) continue;
    SCOPED_TRACE(c.name);
    const Vec3 low = c.setup.domain.min, extent = c.setup.domain.extent();
    SolidRegion solid;
    solid.min = low + 0.4f * extent;
    solid.max = low + 0.6f * extent;
    solid.free = {true, solver_info(c.setup).si() ? 500.0f : 3.0f, 0, {0.1f, 0, 0}, {0, 0, 1}};
    c.setup.solid_regions = {solid};
    c.setup.face_forces = true;
    Simulation simulation(c.setup, Device{DeviceKind::Cpu});
    for (int k = 0; k < 7; ++k) simulation.step();
    SavedRun run;
    run.scene = {"a scene.yaml", "name: a\n", {}};
    run.state = simulation.save_state();
    run.state.bodies.contacts = {{0, -3, {0.5, -4, 0.25}, {9, 0.5, 0, -1}}};
    write_state(folder_ / "run.h5", run);
    const KeptBodies &was = run.state.bodies, is = read_state(folder_ / "run.h5").state.bodies;
    ASSERT_EQ(was.bodies.size(), 1u);
    EXPECT_GT(was.report.contact_steps, 0u);
    EXPECT_TRUE(same_bits(was.bodies, is.bodies));
    EXPECT_TRUE(same_bits(was.left_impulses, is.left_impulses));
    EXPECT_TRUE(same_bits(was.later, is.later));
    EXPECT_TRUE(same_bits(was.from, is.from));
    EXPECT_TRUE(same_bits(was.pushes, is.pushes));
    EXPECT_TRUE(same_bits(was.contacts, is.contacts));
    EXPECT_EQ(was.report, is.report);
    EXPECT_EQ(std::tie(was.interval, was.steps_left, was.time, was.dt, was.long_ways),
              std::tie(is.interval, is.steps_left, is.time, is.dt, is.long_ways));
    EXPECT_EQ(state_file_bytes(run), std::filesystem::file_size(folder_ / "run.h5"));
  }
}

TEST_F(StateFile, HasTheRowsOfDiagnostics) {
  SavedRun run = small_run();
  const SavedRows is = read_state(small_state()).rows;
  EXPECT_EQ(is.every, 0.25);
  EXPECT_EQ(is.columns, run.rows.columns);
  EXPECT_TRUE(same_bits(is.values, run.rows.values));
  EXPECT_EQ(is.multiples, run.rows.multiples);
  EXPECT_EQ(is.strides, run.rows.strides);
  EXPECT_EQ(is.changes, run.rows.changes);
  EXPECT_EQ(state_file_bytes(run), std::filesystem::file_size(folder_ / "small.h5"));
  run.rows = {};
  write_state(folder_ / "run.h5", run);
  EXPECT_TRUE(read_state(folder_ / "run.h5").rows.empty()) << "nobody kept rows";
}

TEST_F(StateFile, WithRowsOfDiagnosticsThatCannotBeIsRefused) {
  SavedRun run = small_run();
  run.state.clock.time = 0.75;
  const auto refused = [&](const std::function<void(SavedRows&)>& damage) {
    run.rows = some_rows(0.75);
    damage(run.rows);
    write_state(folder_ / "run.h5", run);
    return refusal(folder_ / "run.h5");
  };
  EXPECT_EQ(refused([](SavedRows&) {}), "");
  expect_contains(refused([](SavedRows& r) { r.values[6] = 0.8; }), {"run.h5", "row 2", "0.8", "up to 0.75"});
  expect_contains(refused([](SavedRows& r) { r.values[3] = 0; }), {"row 1", "above 0"});
  expect_contains(refused([](SavedRows& r) { r.values[3] = NAN; }), {"row 1", "nan"});
  expect_contains(refused([](SavedRows& r) { r.columns[0].name = "step"; }), {"the first is step"});
  expect_contains(refused([](SavedRows& r) { r.columns[2].name = "step"; }), {"has step twice"});
  expect_contains(refused([](SavedRows& r) { r.multiples[2] = 0; }), {"row 2 of \"diagnostics/due\" is 0 and 2"});
  expect_contains(refused([](SavedRows& r) { r.strides[1] = 0; }), {"row 1 of \"diagnostics/due\" is 1 and 0"});
  expect_contains(refused([](SavedRows& r) { r.every = 0; }), {"interval", "is 0"});
  expect_contains(refused([](SavedRows& r) { r.changes[0].until = 0; }), {"change", "0.25 to 0"});
}

TEST_F(StateFile, HasWhatActedOnTheRunAndIsInNoScene) {
  SavedRun run = small_run();
  run.state.clock.step = 12;
  EXPECT_EQ(read_state(small_state()).acts, SavedActs{});
  for (const SavedActs& acts :
       {SavedActs{3, false, false, {}}, SavedActs{0, true, false, 12}, SavedActs{0, false, true, 1}}) {
    run.acts = acts;
    write_state(folder_ / "run.h5", run);
    EXPECT_EQ(read_state(folder_ / "run.h5").acts, acts);
    EXPECT_EQ(state_file_bytes(run), std::filesystem::file_size(folder_ / "run.h5"));
  }
  for (const std::uint64_t step : {0u, 13u}) {
    run.acts.shortened_step = step;
    write_state(folder_ / "run.h5", run);
    expect_contains(refusal(folder_ / "run.h5"), {"run.h5", "its shortened step is", "allowed: 1 to 12"});
  }
}

// What is inherited decays over a second: a run goes on from the file as from the state in memory.
TEST_F(StateFile, HasWhatParticlesInheritFromAnotherSolver) {
  SimulationSetup setup;
  setup.domain.dimension = 2;
  setup.domain.max = {1, 1, 0};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.spacing = 0.05f;
  setup.fluids.emplace_back();
  setup.deterministic = true;
  BodySetup water;
  water.max = {1, 0.5f, 0};
  setup.bodies = {water};
  const Device cpu{DeviceKind::Cpu};
  Simulation before(setup, cpu);
  for (int k = 0; k < 200; ++k) before.step();
  setup.solver = SolverKind::Pbf;
  Simulation simulation(setup, cpu, before.save_state());
  for (int k = 0; k < 3; ++k) simulation.step();
  SavedRun run;
  run.scene = {"a scene.yaml", "name: a\n", {}};
  run.state = simulation.save_state();
  ASSERT_GT(run.state.inheritance.until, run.state.clock.time);
  ASSERT_FALSE(run.state.inheritance.walls.empty());
  write_state(folder_ / "run.h5", run);
  SimulationState read = read_state(folder_ / "run.h5").state;
  ASSERT_NE(read.find<float>(Inheritance::kAttribute), nullptr);
  EXPECT_TRUE(same_bits(*run.state.find<float>(Inheritance::kAttribute), *read.find<float>(Inheritance::kAttribute)));
  const KeptInheritance &was = run.state.inheritance, &is = read.inheritance;
  EXPECT_EQ(std::tie(was.begins, was.until, was.share), std::tie(is.begins, is.until, is.share));
  EXPECT_TRUE(same_bits(was.walls, is.walls));
  EXPECT_EQ(attribute_unit(Inheritance::kAttribute, setup), "1");
  EXPECT_EQ(state_file_bytes(run), std::filesystem::file_size(folder_ / "run.h5"));
  read.setup = setup;
  Simulation after(setup, cpu, read);
  for (int k = 0; k < 20; ++k) simulation.step(), after.step();
  EXPECT_EQ(simulation.diagnostics().state_hash, after.diagnostics().state_hash);
}

TEST_F(StateFile, HasWhatInletsAndOutletsHaveDone) {
  SimulationSetup setup;
  setup.domain.dimension = 2;
  setup.domain.max = {1, 1, 0};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.spacing = 0.05f;
  setup.fluids.emplace_back();
  InletSetup tap;
  tap.center = {0.5f, 1, 0};
  tap.radius = 0.1f;
  tap.speed = 3;
  setup.inlets = {tap};
  OutletSetup drain;
  drain.max = {1, 0.5f, 0};
  setup.outlets = {drain};
  Simulation simulation(setup, Device{DeviceKind::Cpu});
  while (simulation.openings().outlets[0].particles < 9) simulation.step();
  SavedRun run;
  run.scene = {"a scene.yaml", "name: a\n", {}};
  run.state = simulation.save_state();
  write_state(folder_ / "run.h5", run);
  const KeptOpenings &was = run.state.openings, is = read_state(folder_ / "run.h5").state.openings;
  EXPECT_EQ(was.late.size(), static_cast<std::size_t>(kOpeningsLag));
  EXPECT_FALSE(was.layers.empty());
  EXPECT_GT(was.counts.way[0], 0);
  EXPECT_GT(was.counts.taken[0], 0u);
  EXPECT_TRUE(was.counts == is.counts);
  EXPECT_TRUE(was.late == is.late);
  EXPECT_TRUE(was.layers == is.layers);
  EXPECT_EQ(std::tie(was.made, was.length, was.paused_steps, was.turn, was.standing),
            std::tie(is.made, is.length, is.paused_steps, is.turn, is.standing));
  EXPECT_EQ(state_file_bytes(run), std::filesystem::file_size(folder_ / "run.h5"));

  // A file may have any numbers.
  for (int spoil = 0; spoil < 5; ++spoil) {
    SimulationState state = run.state;
    if (spoil == 0) state.openings.made.clear();
    if (spoil == 1) state.openings.layers[0].inlet = 7;
    if (spoil == 2) std::swap(state.openings.layers[0], state.openings.layers[1]);
    if (spoil == 3) state.openings.length[0] = 0;
    if (spoil == 4) state.openings.turn = 1;
    EXPECT_THROW(Simulation(setup, Device{DeviceKind::Cpu}, state), InputError) << spoil;
  }
}

TEST_F(StateFile, HasTheFilesOfTheSceneByteByByte) {
  const SavedRun run = small_run();
  write_state(folder_ / "a.h5", run);
  const SavedRun read = read_state(folder_ / "a.h5");
  expect_same(run.state, read.state);
  ASSERT_EQ(read.scene.files.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(read.scene.files[k].name, run.scene.files[k].name);
    EXPECT_EQ(read.scene.files[k].bytes, run.scene.files[k].bytes);
  }
  EXPECT_EQ(read.goal.time, 2.5);
}

TEST_F(StateFile, SaysUnitAndShapeOfEveryAttribute) {
  const std::string file = small_state();
  const hdf5::Reader in(file, file, bytes_of(file).size());
  const auto n = static_cast<std::uint64_t>(small_run().state.count);
  EXPECT_EQ(in.text_note("particles/velocity", "unit"), "m/s");
  EXPECT_EQ(in.shape("particles/velocity"), (hdf5::Shape{n, 3}));
  EXPECT_EQ(in.text_note("particles/compression_rate", "unit"), "1/s");
  EXPECT_EQ(in.text_note("particles/compression_rate", "attribute"), "compression rate");
  EXPECT_EQ(in.shape("particles/id"), (hdf5::Shape{n}));
  EXPECT_EQ(in.text_note("clock", "unit"), "s");
}

TEST_F(StateFile, ItsCompanionNamesArraysThatItHas) {
  const std::string file = small_state();
  const std::string text = bytes_of(folder_ / "small.xmf");
  const hdf5::Reader in(file, file, bytes_of(file).size());
  int found = 0;
  for (std::size_t at = 0; (at = text.find("small.h5:/", at)) != std::string::npos; ++found) {
    at += std::strlen("small.h5:/");
    const std::string array = text.substr(at, text.find('<', at) - at);
    EXPECT_TRUE(in.has(array)) << array;
    std::string shape;
    for (const std::uint64_t size : in.shape(array)) shape += (shape.empty() ? "" : " ") + std::to_string(size);
    const std::size_t item = text.rfind("Dimensions=\"", at);
    EXPECT_EQ(text.substr(item + 12, text.find('"', item + 12) - item - 12), shape) << array;
  }
  EXPECT_EQ(found, static_cast<int>(in.names("particles").size()));
}

TEST_F(StateFile, OfTheSameStateIsTheSameFile) {
  const SavedRun run = small_run();
  write_state(folder_ / "a.h5", run);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 would note the second
  write_state(folder_ / "b.h5", run);
  EXPECT_TRUE(bytes_of(folder_ / "a.h5") == bytes_of(folder_ / "b.h5"));
}

TEST_F(StateFile, LeavesNothingBesideItAndReplacesTheOldOneWhole) {
  write_state(folder_ / "a.h5", small_run(1));
  write_state(folder_ / "a.h5", small_run(4));
  EXPECT_EQ(folder_.files(), 2);
  EXPECT_EQ(read_state(folder_ / "a.h5").state.clock.step, 4u);
}

TEST_F(StateFile, ThatCannotBeWrittenIsAFailureAndLeavesTheOldOne) {
  const SavedRun run = small_run(2);
  EXPECT_THROW(write_state(folder_ / "none/a.h5", run), RuntimeFailure);
  write_state(folder_ / "a.h5", run);
  std::filesystem::create_directory(folder_ / "b.h5");
  EXPECT_THROW(write_state(folder_ / "b.h5", run), RuntimeFailure);
  EXPECT_EQ(folder_.files(), 3) << "no partial file stays";
}

TEST_F(StateFile, TruncatedIsRefusedAtEveryLength) {
  const std::string whole = bytes_of(small_state()), file = folder_ / "cut.h5";
  ASSERT_LE(whole.size(), 65536u);
  for (std::size_t length = 0; length < whole.size(); length += length < 600 ? 1 : 97) {
    write_bytes(file, whole.substr(0, length));
    const std::string said = refusal(file);
    ASSERT_TRUE(said.starts_with(file + ": ")) << length << ": " << said;
  }
  write_bytes(file, whole.substr(0, whole.size() - 1));
  expect_contains(refusal(file), {"is incomplete", std::to_string(whole.size())});
  write_bytes(file, whole + "x");
  expect_contains(refusal(file), {"is damaged", std::to_string(whole.size() + 1)});
}

TEST_F(StateFile, WithAnyByteChangedIsRefused) {
  std::string bytes = bytes_of(small_state());
  const std::string file = folder_ / "changed.h5";
  write_bytes(file, bytes);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const char change = static_cast<char>(1 << (at % 8));
    bytes[at] ^= change;
    overwrite(file, at, bytes);
    ASSERT_TRUE(refusal(file).starts_with(file + ": is ")) << at;
    bytes[at] ^= change;
    overwrite(file, at, bytes);
  }
}

TEST_F(StateFile, WithAnyByteOfTheHeaderChangedAndItsChecksumRightIsRefusedOrTheSame) {
  const std::string whole = bytes_of(small_state()), file = folder_ / "changed.h5";
  for (std::size_t at = 0; at < kHeader; ++at)
    for (const int change : at < 64 ? std::vector<int>{1, 0xff} : std::vector<int>{0xff}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ change);
      write_bytes(file, with_right_header(bytes));
      const std::string said = refusal(file);
      if (at >= kOwnChecksumAt) {
        EXPECT_EQ(said, "") << at << ": these bytes are that checksum, or a note for people";
      } else {
        EXPECT_TRUE(said.starts_with(file + ": is ")) << at << ": " << said;
      }
    }
}

// The checksum is made right, so this is what HDF5 and the reader see of a file that was made to harm. HDF5 1.10 leaks a few
// hundred bytes where it refuses its metadata, so a process of its own reads them.
TEST_F(StateFile, WithAnyByteOfTheContentsChangedAndAllChecksumsRightIsReadOrRefused) {
  const std::string whole = bytes_of(small_state()), file = folder_ / "changed.h5";
  const pid_t child = fork();
  if (child == 0) {
    for (std::size_t at = kHeader; at < whole.size(); at += 29) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(~bytes[at]);
      write_bytes(file, sealed(bytes));
      const std::string said = refusal(file);
      EXPECT_TRUE(said.empty() || said.starts_with(file + ": ")) << at << ": " << said;
    }
    _exit(HasFailure() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// Only files that other programs have changed are of these.
TEST_F(StateFile, OfHdf5sFirstFormatsIsRefused) {
  const std::string whole = bytes_of(small_state()), file = folder_ / "old.h5";
  for (const char format : {char{0}, char{1}}) {
    std::string bytes = whole;
    bytes[kHeader + 8] = format;
    write_bytes(file, sealed(bytes));
    expect_contains(refusal(file), {"of HDF5's format " + std::to_string(format), "allowed: 2 and later"});
  }
}

TEST_F(StateFile, OfANewerVersionSaysSo) {
  std::string bytes = bytes_of(small_state());
  bytes[kFormatAt] = 2;
  write_bytes(folder_ / "newer.h5", with_right_header(bytes));
  expect_contains(refusal(folder_ / "newer.h5"), {"newer.h5", "newer version", "format is 2", "reads up to 1"});
}

TEST_F(StateFile, AnythingElseIsRefusedWithWhatItIs) {
  expect_contains(refusal(folder_ / "none.h5"), {"none.h5", "cannot be opened", "No such file"});
  write_bytes(folder_ / "empty.h5", "");
  expect_contains(refusal(folder_ / "empty.h5"), {"empty.h5", "no state of Riffle", "0 bytes"});
  write_bytes(folder_ / "scene.yaml", "bodies: []\n");
  expect_contains(refusal(folder_ / "scene.yaml"), {"no state of Riffle", "11 bytes"});
  expect_contains(refusal(folder_ / "."), {"is a folder"});
  ASSERT_EQ(mkfifo((folder_ / "pipe.h5").c_str(), 0600), 0);
  expect_contains(refusal(folder_ / "pipe.h5"), {"no regular file"});
  expect_contains(refusal("/dev/zero"), {"no regular file"});
  {
    hdf5::Writer out("foreign.h5", 0);
    out.write<float>("x", {1, 2, 3}, {3});
    const hdf5::Image image = out.finish();
    write_bytes(folder_ / "foreign.h5", std::string(image.bytes(), image.size));
  }
  expect_contains(refusal(folder_ / "foreign.h5"), {"HDF5 file of another program"});
}

/// A state that HDF5 reads and whose contents are others.
std::string crafted(const Scratch& folder, const std::function<void(hdf5::Writer&)>& fill) {
  hdf5::Writer out("crafted.h5", kHeader);
  fill(out);
  const hdf5::Image image = out.finish();
  write_state(folder / "a.h5", small_run());
  const std::string header = bytes_of(folder / "a.h5").substr(0, kHeader), file = folder / "crafted.h5";
  write_bytes(file, sealed(header + std::string(image.bytes() + kHeader, image.size - kHeader)));
  return file;
}

TEST_F(StateFile, WithoutWhatAStateHasSaysWhatItLacks) {
  expect_contains(refusal(crafted(folder_, [](hdf5::Writer&) {})), {"crafted.h5", "lacks", "version"});
  expect_contains(refusal(crafted(folder_, [](hdf5::Writer& out) { out.note("/", "version", std::string("9")); })),
                  {"crafted.h5", "lacks", "clock"});
}

TEST_F(StateFile, OfThisVersionOpensInLaterOnes) {
  const SavedRun run = read_state(std::string(RIFFLE_SOURCE_DIR) + "/tests/app/state/format_1.h5");
  EXPECT_EQ(run.version, "0.1.0");
  EXPECT_EQ(run.scene.name, "format_1.yaml");
  EXPECT_EQ(run.state.clock.step, 12u);
  EXPECT_TRUE(run.rows.empty()) << "it is older than the rows in states";
  const scenes::Scene scene = scenes::parse_scene(run.scene.text, run.scene.name);
  SimulationState state = run.state;
  state.setup = scene.simulation;
  Simulation simulation(scene.simulation, Device{DeviceKind::Cpu}, state);
  EXPECT_EQ(simulation.diagnostics().state_hash, 0x2a50594d99f0af92u) << "as the run that wrote it reported";
  simulation.step();
  EXPECT_EQ(simulation.finish().step, 13u);
  EXPECT_EQ(simulation.diagnostics().non_finite, 0);
}

}  // namespace
}  // namespace riffle::test
