/// Recordings and exports of the window, made without one: the worker on its thread, an off-screen OpenGL on this one.

#include "app/desktop/recording/recording.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <future>
#include <map>
#include <new>
#include <sstream>
#include <thread>

#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/playback.h"
#include "app/desktop/recording/background_writer.h"
#include "app/desktop/recording/exports.h"
#include "app/desktop/recording/file_names.h"
#include "app/desktop/timings/timing_tables.h"
#include "app/run/particle_series.h"
#include "app/run/scene_view.h"
#include "app/run/surface_export.h"
#include "core/error.h"
#include "core/text/output_files.h"
#include "desktop/playback/ask.h"
#include "render/gl/offscreen_context.h"
#include "render/media/png.h"
#include "render/media/process.h"
#include "render/media/video.h"
#include "scenes/load.h"
#include "tests/app/run/scene_folder.h"

namespace riffle::test {
namespace {

TEST(MovieClock, HasAFrameForEveryIntervalFromTheFirstMomentOn) {
  MovieClock clock(0.1, 3);
  int frames = 0;
  for (int step = 0; step <= 1000; ++step) frames += clock.take(3 + 0.0037 * step);
  EXPECT_EQ(frames, 38);  // floor(3.7 / 0.1) + 1
  EXPECT_EQ(clock.frames(), 38);
}

TEST(MovieClock, CountsAStepOverSeveralIntervalsSoOftenAndALeapNot) {
  MovieClock clock(0.1);
  EXPECT_EQ(clock.take(0), 1);
  EXPECT_EQ(clock.take(0.35), 3);
  EXPECT_EQ(clock.take(0.39), 0);
  clock.restart(70);
  EXPECT_EQ(clock.take(70), 1);
  EXPECT_EQ(clock.take(70.05), 0);
  EXPECT_EQ(clock.take(NAN), 0);
  EXPECT_EQ(clock.take(1e30), static_cast<int>(MovieClock::kMostAtOnce));
}

TEST(MovieClock, FramesOneByOneSayHowLongAgoTheyWereDue) {
  MovieClock clock(0.1);
  EXPECT_EQ(clock.take_one(0, 1), 0.0);
  EXPECT_EQ(clock.take_one(0.05, 1), std::nullopt);
  EXPECT_NEAR(clock.take_one(0.35, 1).value(), 0.25, 1e-12);
  EXPECT_NEAR(clock.take_one(0.35, 0.1).value(), 0.1, 1e-12) << "no more than the longest";
  EXPECT_NEAR(clock.take_one(0.35, 1).value(), 0.05, 1e-12);
  EXPECT_EQ(clock.take_one(0.35, 1), std::nullopt);
  EXPECT_EQ(clock.frames(), 4);
  int frames = 0;
  while (clock.take_one(1e30, 1) && frames < 2 * MovieClock::kMostAtOnce) ++frames;
  EXPECT_LE(frames, MovieClock::kMostAtOnce);
}

TEST(FreeName, IsNeverOneThatIsTakenNorLeavesTheFolder) {
  const Scratch folder;
  EXPECT_EQ(desktop::free_name(folder / "", "wave", ".mp4"), folder / "wave.mp4");
  std::ofstream(folder / "wave.mp4") << "x";
  EXPECT_EQ(desktop::free_name(folder / "", "wave", ".mp4"), folder / "wave-2.mp4");
  std::filesystem::create_symlink("nowhere", folder / "wave-2.mp4");
  EXPECT_EQ(desktop::free_name(folder / "", "wave", ".mp4"), folder / "wave-3.mp4") << "a broken link is a name, too";
  EXPECT_EQ(desktop::free_name(folder / "", "../a b/\n\xc3\xa4", ""), folder / ".._a b__\xc3\xa4");
  EXPECT_EQ(desktop::free_name(folder / "", "Spritzer \xc3\xa4 \xce\xb2 1", ".png"),
            folder / "Spritzer \xc3\xa4 \xce\xb2 1.png")
      << "as it was typed";
}

TEST(FreeName, WhatNoNameCanHaveIsSaidInWords) {
  EXPECT_EQ(desktop::forbidden_in_name("Spritzer \xc3\xa4 \xce\xb2, 1.5"), "");
  EXPECT_EQ(desktop::forbidden_in_name("a/b"), "a slash");
  EXPECT_EQ(desktop::forbidden_in_name("a\tb"), "a control character");
  EXPECT_EQ(desktop::forbidden_in_name("a\x7f/b"), "a slash, a control character");
}

TEST(BackgroundWriter, WritesInOrderAndSaysWhatFailed) {
  const Scratch folder;
  desktop::BackgroundWriter writer;
  for (const char* name : {"a", "missing/b", "c"})
    writer.write(folder / name, [](const std::filesystem::path& file) { write_text(file, "text"); });
  std::deque<desktop::BackgroundWriter::Done> done;
  while (done.size() < 3)
    for (auto& one : writer.take_done()) done.push_back(one);
  EXPECT_EQ(done[0].failure, "");
  EXPECT_TRUE(contains(done[1].failure, "No such file or directory"));
  EXPECT_EQ(done[2].failure, "");
  EXPECT_EQ(folder.files(), 2);
}

TEST(BackgroundWriter, EndedEarlyDropsWhatHasNotBegunButWritesLists) {
  const Scratch folder;
  const auto write = [](const std::filesystem::path& file) { write_text(file, "text"); };
  {
    std::promise<void> begun, go;  // the writer's thread uses them until the writer is gone
    desktop::BackgroundWriter writer;
    writer.write(folder / "a", [&, write](const std::filesystem::path& file) {
      begun.set_value();
      go.get_future().wait();
      write(file);
    });
    begun.get_future().wait();
    writer.write(folder / "b", write);
    writer.write(folder / "list", write, desktop::BackgroundWriter::AfterEnd::Written);
    EXPECT_EQ(writer.waiting(), 3u);
    writer.end_early();
    go.set_value();
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "a")) << "it had begun";
  EXPECT_FALSE(std::filesystem::exists(folder / "b"));
  EXPECT_TRUE(std::filesystem::exists(folder / "list"));
}

TEST(ParticleSeries, ListsOnlyFilesThatAreThere) {
  const Scratch folder;
  ParticleSeries series(folder / "s.vtp", 1);
  for (const double time : {0.0, 1.0, 2.0}) {
    const std::filesystem::path file = series.next(time);
    if (time != 1) write_text(file, "text");
  }
  const std::string list = series.list_text();
  EXPECT_TRUE(contains(list, "s_000000.vtp"));
  EXPECT_FALSE(contains(list, "s_000001.vtp"));
  EXPECT_TRUE(contains(list, "timestep=\"2\""));
}

TEST(TimingTables, HaveARowPerStageAndOnePerColumnOfThePlot) {
  std::vector<StageStats> stages(2);
  stages[0].name = "build, sort";
  stages[0].count = 3;
  stages[0].mean_ms = 1.5;
  stages[1].name = "density";
  EXPECT_EQ(desktop::stage_statistics_csv(stages),
            "stage,count,mean_ms,median_ms,p95_ms\n\"build, sort\",3,1.5,0,0\ndensity,0,0,0,0\n");
  desktop::StageHistory::Column early, late;
  early.step = 10;
  early.mean_ms = {0.25f};
  late.step = 20;
  late.mean_ms = {0.5f, 2};
  late.event = "said \"go\"";
  EXPECT_EQ(desktop::stage_history_csv({"build", "density"}, {early, late}),
            "step,build,density,event\n10,0.25,0,\n20,0.5,2,\"said \"\"go\"\"\"\n");
}

/// A worker with a scene of a few particles, as fast as possible.
class WorkerTest : public SceneFolder {
 protected:
  void SetUp() override {
    worker_ = std::make_unique<desktop::Worker>();
    load(scene_);
  }
  void TearDown() override { worker_.reset(); }

  void load(const std::string& scene) {
    const auto version = worker_->status()->scene_version;
    SceneOptions options;
    options.scene = scene;
    options.device = DeviceRequest::Cpu;
    worker_->load(options);
    worker_->set_speed(INFINITY);
    ASSERT_TRUE(until([&] { return worker_->status()->scene_version > version; }));
  }

  /// Repeats `meanwhile`; false after half a minute, when something has got stuck.
  bool until(
      const std::function<bool()>& reached, const std::function<void()>& meanwhile = [] {}) {
    const auto begin = std::chrono::steady_clock::now();
    while (!reached()) {
      meanwhile();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(30)) return false;
    }
    return true;
  }

  /// Makes this many steps, and waits for all results of the last one.
  void simulate(int steps, const std::function<void()>& meanwhile) {
    const auto goal = worker_->status()->clock.step + static_cast<std::uint64_t>(steps);
    worker_->step(steps);
    ASSERT_TRUE(until([&] { return worker_->status()->clock.step >= goal; }, meanwhile));
    for (int i = 0; i < 3; ++i) {
      std::atomic<bool> passed = false;
      worker_->post("", [&](desktop::Playback&) { passed = true; });
      ASSERT_TRUE(until([&] { return passed.load(); }, meanwhile));
    }
    meanwhile();
  }

  std::unique_ptr<desktop::Worker> worker_;
};

using MovieFrames = WorkerTest;

TEST_F(MovieFrames, MissNoIntervalHoweverSlowlyTheyAreTaken) {
  const double interval = 0.001;
  struct Taken {
    double time;
    std::uint64_t number;
  };
  std::vector<Taken> taken;
  worker_->start_movie(7, interval);
  simulate(60, [&] {
    if (const desktop::ParticleFrame* frame = worker_->movie_frame()) {
      EXPECT_EQ(frame->movie, 7u);
      EXPECT_EQ(frame->count, 125);
      taken.push_back({frame->time, frame->number});
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
  });
  const StepReport end = worker_->status()->clock;
  ASSERT_GT(taken.size(), 5u);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    EXPECT_EQ(taken[i].number, i + 1) << "one was overwritten before it was taken";
    EXPECT_NEAR(taken[i].time, static_cast<double>(i) * interval, 1e-8);
  }
  EXPECT_EQ(taken.size(), static_cast<std::size_t>(std::floor(end.time / interval + 1e-6)) + 1);
}

// Steps are no whole number of frames long. A movie that showed their ends would judder, and repeat itself where a step
// spans several frames.
TEST_F(MovieFrames, MoveParticlesEvenly) {
  load(write("drop.yaml",
             "domain: {min: [0, 0], max: [1, 1]}\n"
             "dimension: 2\n"
             "gravity: [0, 0]\n"
             "particles: {spacing: 0.1}\n"
             "time: {step: 0.001}\n"
             "bodies:\n  - box: {min: [0.1, 0.2], max: [0.4, 0.5]}\n    velocity: [2, 1]\n"));
  for (const double steps : {0.23, 3.7}) {  // of a frame
    const float interval = static_cast<float>(steps) * 0.001f;
    std::map<std::uint32_t, Vec4> before;
    int compared = 0;
    const std::uint64_t movie = steps < 1 ? 1 : 2;
    worker_->start_movie(movie, interval);
    simulate(30, [&] {
      const desktop::ParticleFrame* frame = worker_->movie_frame();
      if (!frame || frame->movie != movie) return;
      const std::vector<Vec4> now = frame->vertices.to_host();
      const std::vector<std::uint32_t> id = frame->id.to_host();
      for (std::size_t i = 0; i < now.size(); ++i) {
        const auto then = before.find(id[i]);
        if (then != before.end()) {
          const Vec3 moved = (1 / interval) * (xyz(now[i]) - xyz(then->second));
          ASSERT_NEAR(moved.x, 2, 0.01);
          ASSERT_NEAR(moved.y, 1, 0.01);
          ++compared;
        }
        before[id[i]] = now[i];
      }
    });
    worker_->stop_movie();
    EXPECT_GT(compared, 7 * 8);
  }
}

TEST_F(MovieFrames, HoldTheSimulationUntilTheyAreTakenAndLetItGoAfterwards) {
  worker_->start_movie(1, 1e-6);
  worker_->play(true);
  ASSERT_TRUE(until([&] { return worker_->status()->playing; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::atomic<bool> asked = false;
  worker_->post("", [&](desktop::Playback& playback) {
    EXPECT_EQ(playback.simulation().latest().step, 0u);
    asked = true;
  });
  EXPECT_TRUE(until([&] { return asked.load(); })) << "commands are done while a frame waits";
  worker_->stop_movie();
  EXPECT_TRUE(until([&] { return worker_->status()->clock.step > 10; }));
}

TEST_F(MovieFrames, NobodyTakesDoNotKeepTheWorkerFromEnding) {
  worker_->start_movie(1, 1e-6);
  worker_->play(true);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  worker_.reset();
}

TEST_F(MovieFrames, GoOnFromTheBeginningAfterAReset) {
  std::vector<double> times;
  const auto take = [&] {
    if (const desktop::ParticleFrame* frame = worker_->movie_frame()) {
      times.push_back(frame->time);
    }
  };
  simulate(30, take);
  const double before = worker_->status()->clock.time;
  worker_->start_movie(1, before / 5);
  simulate(1, take);
  worker_->reset();
  ASSERT_TRUE(until([&] { return worker_->status()->clock.step == 0; }, take));
  simulate(30, take);
  ASSERT_EQ(times.size(), 7u);  // the moment it began at, and from 0 on every fifth of what was
  EXPECT_NEAR(times[0], before, 1e-9);
  EXPECT_EQ(times[1], 0);
  EXPECT_LT(times[2], before / 2);
}

using DiagnosticsTable = WorkerTest;

/// The times of the rows.
std::vector<double> times_of(const std::string& csv) {
  std::vector<double> times;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) times.push_back(std::stod(line));
  return times;
}

TEST_F(DiagnosticsTable, HasEverythingSinceTheStartWhenItIsAskedForLate) {
  simulate(40, [] {});
  const double time = worker_->status()->clock.time;
  const auto table = [&] {
    return test::ask(*worker_, [](desktop::Playback& playback) { return playback.series_with_present().csv(); });
  };
  const std::string csv = table();
  EXPECT_TRUE(csv.starts_with("time [s],step,kinetic_energy [J],")) << csv.substr(0, 100);
  const std::vector<double> times = times_of(csv);
  EXPECT_EQ(times.front(), 0);
  EXPECT_NEAR(times.back(), time, 1e-9) << "the present state";
  EXPECT_GT(times.size(), 2u);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));

  worker_->seek(0);
  EXPECT_GE(times_of(table()).size(), times.size() - 1) << "going back forgets nothing";
  worker_->step();
  ASSERT_TRUE(until([&] { return worker_->status()->clock.step == 1; }));
  EXPECT_EQ(times_of(table()).size(), 2u) << "playing on from there does";
}

TEST_F(DiagnosticsTable, ARowWithoutSomeColumnsHasNoNumberThere) {
  RunSeries series(*worker_->status()->scene);
  test::ask(*worker_, [&](desktop::Playback& playback) { return series.sample(playback.simulation()); });
  SceneOptions layers;
  layers.scene = "rayleigh_taylor_sph";  // with the heights of fingers
  layers.overrides = {"particles.spacing=1"};
  Simulation simulation(scenes::build_scene(source_with_options(layers)).simulation, Device{});
  simulation.step();
  series.add_present(simulation);
  std::istringstream lines(series.csv());
  std::vector<std::string> rows(3);
  for (std::string& row : rows) ASSERT_TRUE(std::getline(lines, row));
  for (const std::string& row : rows)
    EXPECT_EQ(std::count(row.begin(), row.end(), ','), std::count(rows[0].begin(), rows[0].end(), ',')) << row;
  EXPECT_NE(rows[0].find("mixing_width [m]"), std::string::npos) << rows[0];
  EXPECT_TRUE(rows[1].ends_with(",nan")) << rows[1];
  EXPECT_FALSE(rows[2].ends_with("nan")) << rows[2];
}

/// The numbers of one column.
std::vector<std::string> column_of(const std::string& csv, const std::string& name) {
  std::istringstream lines(csv);
  std::vector<std::string> column;
  std::ptrdiff_t which = -1;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::vector<std::string> row;
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
    if (which < 0)
      which = std::find(row.begin(), row.end(), name) - row.begin();
    else
      column.push_back(row.at(static_cast<std::size_t>(which)));
  }
  return column;
}

TEST_F(DiagnosticsTable, ARowThatLacksAColumnOfEarlierOnesHasNoNumberThereAndTheFileIsWrittenAgainForANewColumn) {
  SceneOptions layers;
  layers.scene = "rayleigh_taylor_sph";  // with the heights of fingers
  layers.overrides = {"particles.spacing=1"};
  Simulation with(scenes::build_scene(source_with_options(layers)).simulation, Device{});
  const scenes::Scene scene = *worker_->status()->scene;
  Simulation without(scene.simulation, Device{});
  RunSeries series(scene);
  SeriesFile file(folder_ / "series.csv");
  without.step();
  series.add_present(without);
  file.follow(series);
  EXPECT_EQ(read("series.csv"), series.csv());
  while (with.finish().time <= without.finish().time) with.step();
  series.add_present(with);
  file.follow(series);
  EXPECT_EQ(read("series.csv"), series.csv()) << "the first row, too";
  while (without.finish().time <= with.finish().time) without.step();
  series.add_present(without);
  file.follow(series);
  EXPECT_EQ(read("series.csv"), series.csv());
  const std::vector<std::string> width = column_of(series.csv(), "mixing_width [m]");
  ASSERT_EQ(width.size(), 3u);
  EXPECT_EQ(width[0], "nan");
  EXPECT_NE(width[1], "nan");
  EXPECT_EQ(width[2], "nan");
}

TEST_F(DiagnosticsTable, AfterGoingBackRowsAreDueAtTheSameTimesAgain) {
  const scenes::Scene scene = *worker_->status()->scene;
  Simulation simulation(scene.simulation, Device{});
  simulation.step();
  RunSeries series(scene, 2.5 * simulation.finish().time);
  const auto run = [&] {
    for (int k = 0; k < 20; ++k) {
      simulation.step();
      series.sample(simulation);
    }
  };
  const SimulationState early = simulation.save_state();
  series.sample(simulation);
  run();
  const std::string csv = series.csv();
  ASSERT_GT(series.rows(), 4u);
  simulation.restore_state(early);
  series.cut_after(early.clock.time);
  EXPECT_EQ(series.rows(), 1u);
  run();
  EXPECT_EQ(times_of(series.csv()), times_of(csv));
}

TEST_F(DiagnosticsTable, AColumnStaysOneWhenTheNamesOfTheUnitsChange) {
  SceneOptions warm;
  warm.scene = "dpd_box";
  warm.overrides = {"domain.max=[4,4,4]", "bodies.0.box.max=[4,4,4]"};
  SceneOptions hot = warm;
  hot.overrides.push_back("solver.temperature=2");
  const scenes::Scene scene = scenes::build_scene(source_with_options(warm));
  RunSeries series(scene);
  Simulation first(scene.simulation, Device{});
  Simulation second(scenes::build_scene(source_with_options(hot)).simulation, Device{});
  series.add_present(first);
  second.step();
  series.add_present(second);
  ASSERT_EQ(series.rows(), 2u);
  EXPECT_TRUE(series.header().starts_with("time [tau],step,kinetic_energy [eps],")) << series.header();
  EXPECT_EQ(series.csv().find("nan"), std::string::npos) << series.csv();
  series.cut_after(0);
  EXPECT_EQ(series.rows(), 1u) << "what was left by going back is dropped";
}

TEST_F(DiagnosticsTable, DropsEverySecondRowWhenThereAreTooMany) {
  const scenes::Scene scene = *worker_->status()->scene;
  Simulation simulation(scene.simulation, Device{});
  simulation.step();
  const double step = simulation.finish().time;
  RunSeries all(scene, step), few(scene, step, 8);
  for (int k = 0; k < 40; ++k) {
    all.sample(simulation);
    few.sample(simulation);
    simulation.step();
  }
  const std::vector<double> every = times_of(all.csv()), some = times_of(few.csv());
  EXPECT_LE(some.size(), 8u);
  EXPECT_GE(some.size(), 4u);
  EXPECT_EQ(some.front(), every.front());
  EXPECT_GT(some.back(), 0.7 * every.back());
  EXPECT_TRUE(std::is_sorted(some.begin(), some.end()));
}

// A mean since the row before is that since the row before that is left: weighed by time, means give the impulse.
TEST_F(DiagnosticsTable, ForcesStayMeansSinceTheRowBeforeWhenRowsAreDropped) {
  scenes::Scene scene = *worker_->status()->scene;
  SolidRegion ball;
  ball.shape = Shape::Sphere;
  const Domain& domain = scene.simulation.domain;
  const BodySetup& body = scene.simulation.bodies[0];
  ball.center = 0.5f * (bounds_of(body).min + bounds_of(body).max);
  ball.radius = 3 * scene.simulation.spacing;
  ASSERT_TRUE(std::none_of(domain.axis, domain.axis + 3, [](Axis axis) { return axis == Axis::Periodic; }));
  scene.simulation.solid_regions = {ball};
  Simulation simulation(scene.simulation, Device{});
  simulation.step();
  const double step = simulation.finish().time;
  for (const std::size_t most : {8, 9}) {
    RunSeries few(scene, step, most);
    few.sample(simulation);
    const SolidLoad start = simulation.diagnostics().solids.at(1);
    for (int k = 0; k < 45; ++k) {
      simulation.step();
      few.sample(simulation);
    }
    const SolidLoad end = simulation.diagnostics().solids.at(1);
    const std::size_t column = few.column("force_y_solid_1").value();
    const std::size_t last = few.rows() - 1;
    const double reached = few.row_values(last)[0];
    double impulse = 0;
    for (std::size_t k = 1; k <= last; ++k)
      impulse += few.row_values(k)[column] * (few.row_values(k)[0] - few.row_values(k - 1)[0]);
    ASSERT_LE(reached, simulation.finish().time);
    few.add_present(simulation);
    if (few.rows() - 1 > last) impulse += few.row_values(last + 1)[column] * (few.row_values(last + 1)[0] - reached);
    EXPECT_NEAR(impulse / (end.impulse[1] - start.impulse[1]), 1, 1e-3) << most;
  }
}

class ParticlesOverTime : public WorkerTest {
 protected:
  /// From the fourth step on, at every second one. write: of Playback::start_surfaces()
  template <class Write>
  void save_surfaces(const std::filesystem::path& name, const Write& write) {
    simulate(4, [] {});
    const double step = worker_->status()->clock.time / 4;
    worker_->post("", [=](desktop::Playback& playback) {
      playback.start_surfaces(
          NumberedFiles(name, 2 * step, playback.simulation().finish().time, 0, surface_list(name), ""), write);
    });
  }
};

TEST_F(ParticlesOverTime, AreSavedAtEveryIntervalUntilTheRunGoesBack) {
  auto files = std::make_shared<std::vector<std::string>>();
  const auto write = [files](const std::filesystem::path& file,
                             const std::function<void(const std::filesystem::path&)>& to, bool) {
    to(file);
    files->push_back(file.filename().string());
  };
  simulate(10, [] {});
  const double step = worker_->status()->clock.time / 10;
  const std::filesystem::path name = folder_ / "s.vtp";
  worker_->post("", [=](desktop::Playback& playback) {
    playback.start_particles(ParticleSeries(name, 3 * step, playback.simulation().finish().time), write);
  });
  simulate(10, [] {});
  ASSERT_TRUE(
      until([&] { return worker_->status()->particle_series && worker_->status()->particle_series->files >= 3; }));
  EXPECT_EQ(worker_->status()->particle_series->pattern, folder_ / "s_*.vtp");
  worker_->seek(0);
  ASSERT_TRUE(until([&] { return !worker_->status()->particle_series; }));
  simulate(10, [] {});
  const std::vector<std::string> written = test::ask(*worker_, [&](desktop::Playback&) { return *files; });
  const auto particles =
      std::count_if(written.begin(), written.end(), [](const std::string& f) { return f != "s.pvd"; });
  EXPECT_GE(particles, 3);
  EXPECT_LE(particles, 5) << "none is saved of the run that goes on from time 0";
  const std::string list = read("s.pvd");
  EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 5 + particles);
  for (int k = 0; k < particles; ++k) EXPECT_NE(list.find(fmt::format("file=\"s_{:06}.vtp\"", k)), std::string::npos);
}

// A frame for each interval, and beside HDF5 the text for ParaView.
TEST_F(ParticlesOverTime, AreTheFramesOfOneFileWhereTheFormatHasThem) {
  for (const std::string ending : {".lammpstrj", ".h5"}) {
    const std::filesystem::path name = folder_ / ("one" + ending);
    const auto write = [](const std::filesystem::path& file,
                          const std::function<void(const std::filesystem::path&)>& to, bool) { to(file); };
    simulate(10, [] {});
    const double step = worker_->status()->clock.time / static_cast<double>(worker_->status()->clock.step);
    worker_->post("", [=](desktop::Playback& playback) {
      playback.start_particles(ParticleSeries(name, 2 * step, playback.simulation().finish().time), write);
    });
    simulate(10, [] {});
    ASSERT_TRUE(
        until([&] { return worker_->status()->particle_series && worker_->status()->particle_series->files >= 3; }));
    EXPECT_TRUE(worker_->status()->particle_series->one_file);
    EXPECT_EQ(worker_->status()->particle_series->pattern, name);
    worker_->post("", [](desktop::Playback& playback) { playback.finish_particles(); });
    ASSERT_TRUE(until([&] { return !worker_->status()->particle_series; }));
    const std::string text = read(ending == ".h5" ? "one.xmf" : "one.lammpstrj");
    const std::string mark = ending == ".h5" ? "<Time Value=" : "ITEM: TIMESTEP\n";
    std::size_t frames = 0;
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += mark.size()) ++frames;
    EXPECT_GE(frames, 3u) << ending;
    EXPECT_TRUE(std::filesystem::exists(name));
  }
}

// The surface likewise, and the files are those of the command line's series.
TEST_F(ParticlesOverTime, AndTheSurfaceIsSavedAtEveryIntervalUntilTheRunGoesBack) {
  const auto write = [](const std::filesystem::path& file, const std::function<void(const std::filesystem::path&)>& to,
                        bool) { to(file); };
  save_surfaces(folder_ / "s.vtp", write);
  simulate(6, [] {});
  ASSERT_TRUE(
      until([&] { return worker_->status()->surface_series && worker_->status()->surface_series->files >= 3; }));
  EXPECT_FALSE(worker_->status()->particle_series);
  EXPECT_EQ(worker_->status()->surface_series->pattern, folder_ / "s_*.vtp");
  const auto [there, triangles] = test::ask(*worker_, [](desktop::Playback& playback) {
    SimulationSurface surface(playback.simulation());
    return std::pair(playback.simulation().finish().time,
                     read_surface(playback.simulation(), surface, "s").triangles());
  });
  EXPECT_GT(there, 0);
  EXPECT_GT(triangles, 10u);
  worker_->seek(0);
  ASSERT_TRUE(until([&] { return !worker_->status()->surface_series; }));
  const std::string list = read("s.pvd");
  for (int k = 0; k < 3; ++k) EXPECT_NE(list.find(fmt::format("file=\"s_{:06}.vtp\"", k)), std::string::npos) << list;
  EXPECT_NE(read("s_000000.vtp").find("Polys"), std::string::npos);
  simulate(6, [] {});
  EXPECT_EQ(read("s.pvd"), list) << "nothing of the run that goes on from time 0";
}

// The run goes on without them.
TEST_F(ParticlesOverTime, ShortMemoryEndsTheSurfacesAndItIsSaidHowManyThereAre) {
  auto left = std::make_shared<int>(2);
  const auto write = [left](const std::filesystem::path& file,
                            const std::function<void(const std::filesystem::path&)>& to, bool is_list) {
    if (!is_list && (*left)-- == 0) throw std::bad_alloc();
    to(file);
  };
  save_surfaces(folder_ / "s.vtp", write);
  simulate(12, [] {});
  ASSERT_TRUE(until([&] { return !worker_->status()->surface_series; }));
  std::string said;
  for (const desktop::Notice& notice : worker_->take_notices()) said += notice.title + ": " + notice.text;
  EXPECT_EQ(said, "The surface is not saved any further: out of memory\n2 files are saved: " + (folder_ / "s_*.vtp"));
  EXPECT_EQ(worker_->status()->clock.step, 16u);
  EXPECT_FALSE(worker_->status()->ended);
}

TEST_F(ParticlesOverTime, OfAFluidIn2DThereIsNoSurfaceAndItIsSaid) {
  load(write("flat.yaml",
             "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.1}\n"
             "bodies:\n  - box: {min: [0, 0], max: [0.5, 0.5]}\n"));
  desktop::Exports exports(*worker_);
  exports.settings.folder = folder_ / "";
  exports.toggle_surfaces(*worker_->status());
  std::string said;
  ASSERT_TRUE(until([&] {
    for (const desktop::Notice& notice : worker_->take_notices()) said += notice.title + ": " + notice.text;
    return !said.empty();
  }));
  EXPECT_TRUE(contains(said, "The surface is not saved: a fluid's surface: found a scene of 2 dimensions; allowed: 3"))
      << said;
  EXPECT_FALSE(worker_->status()->surface_series);
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / ""))
    EXPECT_FALSE(entry.is_directory()) << entry.path() << ": no folder without a file";
}

/// A stand-in for ffmpeg on the PATH.
void install(const std::string& path, const std::string& script) {
  std::ofstream(path) << "#!/bin/sh\ncase \"$*\" in *-encoders*) echo ' V libx264 x'; exit 0;; esac\n" << script;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

class RecordingTest : public WorkerTest {
 protected:
  void SetUp() override {
    WorkerTest::SetUp();
    std::string why_not;
    context_ = render::OffscreenContext::create(std::nullopt, &why_not);
    if (!context_) GTEST_SKIP() << "needs an off-screen OpenGL: " << why_not;
    recording_ = std::make_unique<desktop::Recording>(*worker_);
    follow_scene();
  }
  void TearDown() override {
    recording_.reset();
    WorkerTest::TearDown();
  }

  void follow_scene() {
    const scenes::Scene scene = *worker_->status()->scene;
    look_.camera = camera_of(scene);
    look_.scale = color_scale(scene);
  }

  desktop::RecordingPlan plan(const std::string& name) const {
    desktop::RecordingPlan plan;
    plan.file = folder_ / name;
    plan.pictures = plan.file.extension() != ".mp4";
    plan.width = 128;
    plan.height = 96;
    plan.frames_per_second = 25;
    plan.interval = 0.001;
    return plan;
  }
  void start(const desktop::RecordingPlan& plan) {
    const desktop::WorkerStatus status = *worker_->status();
    recording_->start(plan, status.scene, status.scene_version);
  }
  void advance() {
    recording_->advance(look_);
    recording_->follow(*worker_->status());
  }
  /// Makes this many steps, and waits for all of their frames: a slow disk or encoder takes them later than they are due.
  void record_steps(int steps) {
    simulate(steps, [&] { advance(); });
    ASSERT_TRUE(until([&] { return !recording_->running() || recording_->frames() >= frames_until_now(); },
                      [&] { advance(); }));
  }
  int frames_until_now() const {
    return static_cast<int>(std::floor(worker_->status()->clock.time / recording_->plan().interval + 1e-6)) + 1;
  }
  void finish() {
    recording_->stop();
    ASSERT_TRUE(until([&] { return !recording_->finishing(); }, [&] { advance(); }));
  }
  desktop::Notice only_notice() {
    auto notices = recording_->take_notices();
    EXPECT_EQ(notices.size(), 1u);
    return notices.empty() ? desktop::Notice{} : notices.front();
  }

  std::unique_ptr<render::OffscreenContext> context_;
  std::unique_ptr<desktop::Recording> recording_;
  desktop::PictureLook look_;
};

bool no_movies() { return render::find_program("ffmpeg").empty() || render::find_program("ffprobe").empty(); }

std::string probe(const std::string& file, const std::string& entries) {
  return render::output_of({render::find_program("ffprobe"), "-v", "error", "-count_frames", "-select_streams", "v:0",
                            "-show_entries", "stream=" + entries, "-of", "default=noprint_wrappers=1", file})
      .value_or("no movie");
}

TEST_F(RecordingTest, HasEveryIntervalAndTheSizeAndRateAskedFor) {
  if (no_movies()) GTEST_SKIP() << "needs ffmpeg and ffprobe";
  start(plan("m.mp4"));
  record_steps(60);
  const int frames = frames_until_now();
  EXPECT_EQ(recording_->frames(), frames);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "m.mp4")) << "not before it is whole";
  finish();
  EXPECT_EQ(probe(folder_ / "m.mp4", "nb_read_frames"), fmt::format("nb_read_frames={}\n", frames));
  EXPECT_EQ(files(), std::vector<std::string>{"m.mp4"});
  const std::string said = probe(folder_ / "m.mp4", "width,height,r_frame_rate,duration");
  EXPECT_TRUE(contains(said, "width=128"));
  EXPECT_TRUE(contains(said, "height=96"));
  EXPECT_TRUE(contains(said, "r_frame_rate=25/1"));
  const double duration = std::stod(said.substr(said.find("duration=") + 9));
  EXPECT_NEAR(duration, frames / 25.0, 1e-3);
  EXPECT_TRUE(contains(recording_->last_saved(), std::to_string(frames) + " pictures"));
}

TEST_F(RecordingTest, InPicturesShowsTheParticlesOfEachMoment) {
  desktop::RecordingPlan pictures = plan("p");
  pictures.interval = 0.02;
  look_.caption = look_.options.legend = false;
  start(pictures);
  record_steps(300);
  const int frames = frames_until_now();
  finish();
  ASSERT_GE(frames, 3);
  EXPECT_EQ(static_cast<int>(files().size()), frames);
  const render::Image first = render::read_png(folder_ / "p/frame_000001.png");
  EXPECT_EQ(first.width, 128);
  EXPECT_EQ(first.height, 96);
  // The block falls apart: the last moment differs from the first, and the first is the renderer's picture of time 0.
  EXPECT_NE(first.rgb, render::read_png(folder_ / fmt::format("p/frame_{:06}.png", frames)).rgb);
  Simulation still(scenes::load_scene(scene_).simulation, Device{});
  QuantityValues values;
  const scenes::Scene scene = scenes::load_scene(scene_);
  render::Renderer renderer(128, 96, Device{}, look_.options);
  renderer.draw(view_of(scene, still, values), look_.camera, look_.scale, box_of(scene.simulation.domain));
  EXPECT_EQ(first.rgb, renderer.read_image().rgb);
}

TEST_F(RecordingTest, HasTheCaptionAndTheBackgroundOfTheScene) {
  desktop::ViewState view;
  for (const bool caption : {true, false}) {
    view.caption = caption;
    EXPECT_EQ(desktop::look_of(view, desktop::ExportSettings{}, true).caption, caption);
  }
  const Vec3 blue{0.1f, 0.2f, 0.4f};
  EXPECT_FALSE(desktop::look_of(view, desktop::ExportSettings{}, true).options.theme.background_top == blue);
  view.background = blue;
  const render::Theme theme = desktop::look_of(view, desktop::ExportSettings{}, true).options.theme;
  EXPECT_EQ(theme.background_top, blue);
  EXPECT_EQ(theme.background_bottom, blue);
  EXPECT_GT(theme.ink.x, 0.8f) << "light on a dark background";
  EXPECT_LT(render::Theme::on({1, 1, 1}).ink.x, 0.2f);
  view.transparent = true;
  EXPECT_TRUE(desktop::look_of(view, desktop::ExportSettings{}, true).options.theme.transparent);
  const render::Theme png = desktop::look_of(view, desktop::ExportSettings{}, true).options.theme,
                      movie = desktop::look_of(view, desktop::ExportSettings{}, false).options.theme;
  EXPECT_FALSE(movie.transparent);
  EXPECT_EQ(movie.background_top, blue) << "a movie and the window keep the colour";
  EXPECT_EQ(png.ink, movie.ink) << "for a page of that colour";
  view.background.reset();
  EXPECT_LT(desktop::look_of(view, desktop::ExportSettings{}, true).options.theme.ink.x, 0.2f) << "for a light page";
}

TEST_F(RecordingTest, MarksAreLightOnADarkBackgroundWhateverTheAppearance) {
  desktop::ViewState view;
  for (const auto appearance : {desktop::Appearance::Dark, desktop::Appearance::Light}) {
    view.appearance = appearance;
    view.background.reset();
    EXPECT_EQ(desktop::has_dark_background(view), appearance == desktop::Appearance::Dark);
    view.background = Vec3{0.95f, 0.89f, 0.78f};
    EXPECT_FALSE(desktop::has_dark_background(view));
    view.background = Vec3{0.1f, 0.1f, 0.3f};
    EXPECT_TRUE(desktop::has_dark_background(view));
  }
}

TEST_F(RecordingTest, ASinglePictureHasTheQualityOfThoseOfTheCommandLine) {
  const desktop::PictureLook seen{};
  for (const auto& [width, height] : {std::pair(1280, 720), {1920, 1080}, {3840, 2160}})
    for (const bool software : {false, true})
      for (const auto quality : {render::Quality::Auto, render::Quality::Quick, render::Quality::Full}) {
        desktop::PictureLook look = seen;
        look.options.quality = quality;
        scenes::PictureSetup picture;
        picture.width = width, picture.height = height;
        const render::RenderOptions still = desktop::still_of(look, {width, height}, software).options;
        EXPECT_EQ(still.quality, still_options_of(look.options, picture, software).quality) << width << software;
        EXPECT_EQ(still.ground, seen.options.ground) << "the scene's choice";
        EXPECT_EQ(still.ambient_occlusion, seen.options.ambient_occlusion);
      }
  EXPECT_EQ(desktop::still_of(seen, {1280, 720}, true).options.quality, render::Quality::Full);
}

TEST_F(RecordingTest, TheLegendOfAFileLiesWhereTheCommandLinePutsIt) {
  const desktop::ViewState view;
  EXPECT_FALSE(desktop::look_of(view).options.legend_keeps_clear) << "a camera that is turned";
  for (const bool png : {true, false})
    EXPECT_TRUE(desktop::look_of(view, desktop::ExportSettings{}, png).options.legend_keeps_clear);
}

TEST_F(RecordingTest, TheStudioOfTheSceneIsThatOfTheWindowAndOfTheCommandLine) {
  desktop::ViewState view;
  for (const auto appearance : {desktop::Appearance::Dark, desktop::Appearance::Light})
    for (const auto studio : {scenes::StudioChoice::Auto, scenes::StudioChoice::Dark, scenes::StudioChoice::Light}) {
      view.appearance = appearance;
      view.studio = studio;
      const bool dark = studio == scenes::StudioChoice::Dark ||
                        (studio == scenes::StudioChoice::Auto && appearance == desktop::Appearance::Dark);
      EXPECT_EQ(desktop::look_of(view).options.theme.background_top == render::Theme::dark().background_top, dark);
      EXPECT_EQ(desktop::has_dark_background(view), dark);
      view.transparent = true;
      EXPECT_EQ(desktop::look_of(view, desktop::ExportSettings{}, true).options.theme.ink.x > 0.5f,
                studio == scenes::StudioChoice::Dark)
          << "without a background its text is for that of the scene, else for a light page";
      scenes::Scene scene = scenes::load_scene(scene_);
      scene.picture.studio = studio;
      settle_picture(scene, true);
      EXPECT_EQ(render_options_of(scene).theme.background_top == render::Theme::dark().background_top,
                studio == scenes::StudioChoice::Dark);
    }
}

// The half height and half width of what a camera shows, over the distance.
std::pair<float, float> halves(const Camera& camera, int width, int height) {
  const float half = std::tan(camera.fov_degrees * 3.14159265f / 360);
  return {half, half * static_cast<float>(width) / static_cast<float>(height)};
}

TEST_F(RecordingTest, HasAllThatTheWindowShowsInPicturesOfEveryShape) {
  scenes::Scene scene = scenes::load_scene(scene_);
  desktop::ViewState view;
  for (const bool moved : {false, true})
    for (const auto& [wide, high] : {std::pair(920, 648), std::pair(540, 528), std::pair(1280, 648)}) {
      view.camera = desktop::OrbitCamera(framing_of(scene, wide, high), static_cast<float>(wide) / high);
      if (moved) view.camera.orbit(40, 10, high);
      ASSERT_EQ(view.camera.moved(), moved);
      const Camera seen = view.camera.camera();
      const auto [seen_up, seen_across] = halves(seen, wide, high);
      for (const auto& [width, height] : {std::pair(1280, 720), std::pair(1920, 1080), std::pair(600, 800)}) {
        const Camera there = desktop::framed(desktop::look_of(view), view, scene, {wide, high}, {width, height}).camera;
        const auto [up, across] = halves(there, width, height);
        EXPECT_EQ(there.position, seen.position);
        EXPECT_GT(up, 0.9999f * seen_up) << wide << " in " << width;
        EXPECT_GT(across, 0.9999f * seen_across) << wide << " in " << width;
        EXPECT_LT(std::min(up / seen_up, across / seen_across), 1.0001f) << "no more than it must be";
        scenes::Scene kept = scene;
        const FramedCamera camera = camera_to_keep(seen, scene, wide, high);
        kept.picture.camera_given = true;
        kept.picture.camera = camera.camera;
        kept.picture.camera_aspect = camera.aspect;
        EXPECT_NEAR(camera_of(kept, width, height).fov_degrees, there.fov_degrees, 0.01)
            << "what riffle run draws once the view is kept";
      }
    }
}

TEST_F(RecordingTest, StaysAsItWasFramedWhateverBecomesOfTheWindow) {
  const scenes::Scene scene = scenes::load_scene(scene_);
  desktop::ViewState view;
  for (const bool moved : {false, true}) {
    view.camera = desktop::OrbitCamera(framing_of(scene, 920, 648), 920.0f / 648);
    if (moved) view.camera.orbit(40, 10, 648);
    const auto recorded = [&] {
      return desktop::framed(desktop::look_of(view), view, scene, {920, 648}, {1280, 720}).camera;
    };
    const Camera before = recorded();
    view.camera.set_home(framing_of(scene, 300, 600));
    view.camera.set_aspect(0.5f);
    EXPECT_EQ(recorded().position, before.position) << moved;
    EXPECT_EQ(recorded().fov_degrees, before.fov_degrees) << moved;
  }
}

TEST_F(RecordingTest, HasTheCutTheCellsAndTheParticleThatIsLookedAtAsTheWindow) {
  look_.caption = look_.options.legend = look_.options.box = false;
  const auto recorded = [&](const std::string& name) {
    start(plan(name));
    EXPECT_TRUE(until([&] { return recording_->frames() > 0; }, [&] { advance(); }));
    finish();
    return render::read_png(folder_ / (name + "/frame_000001.png"));
  };
  const scenes::Scene scene = scenes::load_scene(scene_);
  Simulation still(scene.simulation, Device{});
  QuantityValues values;
  const auto drawn = [&](const render::Extras& extras) {
    render::Renderer renderer(128, 96, Device{}, look_.options);
    renderer.draw(view_of(scene, still, values), look_.camera, look_.scale, box_of(scene.simulation.domain), {},
                  extras);
    return renderer.read_image().rgb;
  };
  const render::Image plain = recorded("plain");
  EXPECT_EQ(plain.rgb, drawn({}));

  const Domain& domain = scene.simulation.domain;
  const float at = domain.min.x + 0.2f * domain.extent().x;
  look_.extras.cut = {.axis = 0, .at = at};
  render::Extras cut;
  cut.cut = render::CutPlane{{1, 0, 0}, at};
  EXPECT_EQ(recorded("cut").rgb, drawn(cut));
  EXPECT_NE(plain.rgb, drawn(cut)) << "a cut that cuts nothing off would not be missed";
  look_.extras = {};
  look_.extras.cells = true;
  worker_->show_cells(true);
  EXPECT_NE(recorded("cells").rgb, plain.rgb);

  look_.extras = {};
  worker_->follow(0);
  ASSERT_TRUE(until([&] {
    const desktop::ParticleFrame* frame = worker_->frames().read();
    return frame && frame->picked.has_value();
  }));
  const render::Image picked = recorded("picked");
  int red = 0;
  for (std::size_t i = 0; i < picked.rgb.size(); i += 3)
    red += picked.rgb[i] > 120 && picked.rgb[i] > 2 * picked.rgb[i + 1] && picked.rgb[i] > 2 * picked.rgb[i + 2];
  EXPECT_GT(red, 10);
}

TEST_F(RecordingTest, AsSeenFollowsTheClockOnTheWallEvenWhilePaused) {
  desktop::RecordingPlan seen = plan("seen");
  seen.as_seen = true;
  seen.frames_per_second = 50;
  ASSERT_TRUE(until([&] { return worker_->frames().read() != nullptr; }));
  const auto begin = std::chrono::steady_clock::now();
  start(seen);
  ASSERT_TRUE(until([&] { return recording_->frames() >= 10; }, [&] { advance(); }));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_GE(seconds, 9 / 50.0) << "frame 10 is due 9 intervals after the first";
  EXPECT_LE(recording_->frames(), 50 * seconds + 2);
  finish();
  EXPECT_EQ(static_cast<int>(files().size()), recording_->frames());
}

TEST_F(RecordingTest, AsSeenIsAsLongAsItTookHoweverFewPicturesThereWere) {
  desktop::RecordingPlan seen = plan("seen");
  seen.as_seen = true;
  seen.frames_per_second = 50;
  look_.caption = look_.options.legend = false;
  ASSERT_TRUE(until([&] { return worker_->frames().read() != nullptr; }));
  start(seen);
  ASSERT_TRUE(until([&] { return recording_->frames() > 0; }, [&] { advance(); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  look_.camera.position = look_.camera.position + 0.3f * (look_.camera.position - look_.camera.target);
  const double second_from = recording_->wall();
  const int before = recording_->frames();
  ASSERT_TRUE(until([&] { return recording_->frames() > before; }, [&] { recording_->advance(look_); }));
  const double second_until = recording_->wall();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const double stopped_from = recording_->wall();
  recording_->stop();
  const double stopped_until = recording_->wall();
  finish();

  const int frames = static_cast<int>(files().size());
  const auto due = [](double wall) { return static_cast<int>(std::floor(50 * wall)) + 1; };
  EXPECT_EQ(frames, recording_->frames());
  EXPECT_GE(frames, due(stopped_from));
  EXPECT_LE(frames, due(stopped_until));
  const auto picture = [&](int number) {
    return render::read_png(folder_ / fmt::format("seen/frame_{:06}.png", number)).rgb;
  };
  const auto first = picture(1);
  int last_of_first = 1;
  while (last_of_first < frames && picture(last_of_first + 1) == first) ++last_of_first;
  EXPECT_GE(last_of_first + 1, due(second_from)) << "the first picture was seen until the second";
  EXPECT_LE(last_of_first + 1, due(second_until));
  EXPECT_NE(picture(frames), first);
  EXPECT_EQ(picture(last_of_first + 1), picture(frames));
}

// Before, one picture stood for the whole time that the encoder needed for the picture before it, and so on: ever longer.
TEST_F(RecordingTest, AsSeenHasPicturesOfTheWholeTimeThoughTheEncoderIsSlow) {
  if (no_movies()) GTEST_SKIP() << "needs ffmpeg and ffprobe";
  const std::string ffmpeg = render::find_program("ffmpeg");
  const Scratch tools;
  install(tools / "ffmpeg",
          fmt::format("while [ ! -e '{}' ]; do /bin/sleep 0.02; done\nexec {} \"$@\"\n", (tools / "go"), ffmpeg));
  desktop::RecordingPlan seen = plan("m.mp4");
  seen.as_seen = true;
  seen.frames_per_second = 50;
  ASSERT_TRUE(until([&] { return worker_->frames().read() != nullptr; }));
  {
    const Environment path("PATH", (tools / "") + ":" + std::getenv("PATH"));
    start(seen);
  }
  int drawn = 0;
  ASSERT_TRUE(until([&] { return recording_->frames() >= 150; }, [&] { drawn += recording_->advance(look_); }));
  EXPECT_GE(drawn, 30) << "pictures are drawn though the encoder takes none";
  const int written = recording_->written(), frames = recording_->frames();
  EXPECT_LT(written, frames);
  recording_->stop();
  EXPECT_GE(recording_->frames(), frames);
  EXPECT_GE(recording_->written(), written) << "the count goes on where it was";
  std::ofstream(tools / "go") << "";
  ASSERT_TRUE(until([&] { return !recording_->finishing(); }, [&] { advance(); }));
  EXPECT_TRUE(recording_->take_notices().empty());
  EXPECT_EQ(probe(folder_ / "m.mp4", "nb_read_frames"), fmt::format("nb_read_frames={}\n", recording_->frames()));
}

TEST_F(RecordingTest, MoviesHaveTheRateAndThePaceOfTheScene) {
  load(write("slow.yaml", read("small.yaml") + "movie: {frames_per_second: 48, time_scale: 0.25}\n"));
  desktop::Exports exports(*worker_);
  exports.settings.folder = folder_ / "";
  const desktop::ViewState view;
  const desktop::WorkerStatus status = *worker_->status();
  EXPECT_EQ(exports.next_recording(status, view).frames_per_second, 48);
  EXPECT_DOUBLE_EQ(exports.next_recording(status, view).interval, 0.25 / 48);
  exports.settings.frames_per_second = 20;
  EXPECT_EQ(exports.next_recording(status, view).frames_per_second, 20) << "the user's";
  EXPECT_DOUBLE_EQ(exports.next_recording(status, view).interval, 0.25 / 20) << "the pace stays";
}

// The speed of 3-D said nothing of the 2-D run that came after it.
TEST_F(RecordingTest, AnotherSimulationIsNotAsFastAsTheOneBeforeIt) {
  desktop::Exports exports(*worker_);
  exports.settings.time = desktop::MovieTime::Automatic;
  desktop::WorkerStatus status = *worker_->status();
  const desktop::ViewState view;
  status.playing = true;
  status.achieved_speed = 0.01;
  exports.advance(status, view);
  status.playing = false;
  status.achieved_speed = 0;
  exports.advance(status, view);
  EXPECT_EQ(exports.next_recording(status, view).speed, 0.01);
  EXPECT_TRUE(exports.next_recording(status, view).as_seen);
  ++status.state;  // a live change
  EXPECT_EQ(exports.next_recording(status, view).speed, 0.01);
  desktop::WorkerStatus poured = status;  // an inlet goes on until the run stands still
  poured.particles += 3;
  EXPECT_EQ(exports.next_recording(poured, view).speed, 0.01);
  desktop::WorkerStatus fewer = status;
  fewer.particles /= 10;
  EXPECT_EQ(exports.next_recording(fewer, view).speed, 0);
  EXPECT_FALSE(exports.next_recording(fewer, view).as_seen) << "it is not known yet";
  desktop::WorkerStatus flat = status;
  auto scene = std::make_shared<scenes::Scene>(*status.scene);
  scene->simulation.domain.dimension = 2;
  flat.scene = scene;
  EXPECT_EQ(exports.next_recording(flat, view).speed, 0);
}

TEST_F(RecordingTest, DrawsOneFrameAtATurnThoughTheNextIsThereBeforeItIsDrawn) {
  simulate(1, [] {});
  desktop::RecordingPlan each = plan("turns");
  each.interval =
      2 * worker_->status()->clock.time;  // a frame for every other step, which take less than their picture
  each.width = 640;
  each.height = 480;
  start(each);
  worker_->play(true);
  for (int turn = 0; turn < 3; ++turn) {
    const int before = recording_->frames();
    ASSERT_TRUE(until([&] { return recording_->advance(look_); }));
    EXPECT_EQ(recording_->frames(), before + 1);
  }
}

TEST_F(RecordingTest, EndsWithItsSceneAndIsWhole) {
  if (no_movies()) GTEST_SKIP() << "needs ffmpeg and ffprobe";
  start(plan("m.mp4"));
  record_steps(20);
  const int frames = frames_until_now();
  load(write("other.yaml", read("small.yaml")));
  worker_->play(true);
  ASSERT_TRUE(until([&] { return !recording_->running() && !recording_->finishing(); }, [&] { advance(); }));
  EXPECT_EQ(probe(folder_ / "m.mp4", "nb_read_frames"), fmt::format("nb_read_frames={}\n", frames));
  EXPECT_TRUE(recording_->take_notices().empty());
  EXPECT_TRUE(until([&] { return worker_->status()->clock.step > 10; })) << "the new scene waits for the old movie";
}

TEST_F(RecordingTest, IsCompletedWhenTheWindowIsClosed) {
  if (no_movies()) GTEST_SKIP() << "needs ffmpeg and ffprobe";
  start(plan("m.mp4"));
  record_steps(20);
  const int frames = recording_->frames();
  worker_->play(true);
  recording_.reset();
  EXPECT_EQ(files(), std::vector<std::string>{"m.mp4"});
  EXPECT_EQ(probe(folder_ / "m.mp4", "nb_read_frames"), fmt::format("nb_read_frames={}\n", frames));
}

TEST_F(RecordingTest, WhoseEncoderDiesIsGivenUpWithTheReasonAndTheSimulationGoesOn) {
  const Scratch tools;
  install(tools / "ffmpeg", "/usr/bin/head -c 200000 >/dev/null\necho 'shot in the middle' >&2\nkill -9 $$\n");
  const Environment path("PATH", tools / "");
  start(plan("m.mp4"));
  worker_->play(true);
  ASSERT_TRUE(until([&] { return !recording_->running(); }, [&] { advance(); }));
  const desktop::Notice notice = only_notice();
  EXPECT_EQ(notice.title, "The movie is given up");
  EXPECT_TRUE(contains(notice.text, "shot in the middle"));
  EXPECT_EQ(files(), std::vector<std::string>{});
  const auto step = worker_->status()->clock.step;
  EXPECT_TRUE(until([&] { return worker_->status()->clock.step > step + 10; }));
}

TEST_F(RecordingTest, WhoseEncoderDiesAtTheEndIsNoMovie) {
  const Scratch tools;
  install(tools / "ffmpeg", "/bin/cat >/dev/null\necho 'no room for the index' >&2\nexit 1\n");
  const Environment path("PATH", tools / "");
  start(plan("m.mp4"));
  record_steps(10);
  finish();
  EXPECT_TRUE(contains(only_notice().text, "no room for the index"));
  EXPECT_EQ(files(), std::vector<std::string>{});
  EXPECT_EQ(recording_->last_saved(), "");
}

TEST_F(RecordingTest, WithoutFfmpegOrAFolderIsRefusedAtOnce) {
  EXPECT_THROW(start(plan("small.yaml/m.mp4")), RuntimeFailure);
  EXPECT_THROW(start(plan("small.yaml/p")), RuntimeFailure);
  const Scratch tools;
  const Environment path("PATH", tools / "");
  EXPECT_THROW(start(plan("m.mp4")), Unavailable);
  EXPECT_FALSE(recording_->running());
  EXPECT_EQ(files(), std::vector<std::string>{});
  worker_->play(true);
  EXPECT_TRUE(until([&] { return worker_->status()->clock.step > 10; }));
}

/// Limits files to at most this many bytes during its lifetime.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(RecordingTest, OfPicturesOnAFullDiskKeepsTheWholeOnes) {
  desktop::RecordingPlan large = plan("p");
  start(large);
  record_steps(20);
  const auto whole = static_cast<std::size_t>(frames_until_now());
  const auto written = [&] {
    const auto names = files();
    return names.size() == whole && names.back() == fmt::format("p/frame_{:06}.png", whole);
  };
  ASSERT_TRUE(until(written, [&] { advance(); }));
  {
    const SizeLimit limit(100);
    worker_->play(true);
    ASSERT_TRUE(until([&] { return !recording_->running(); }, [&] { advance(); }));
  }
  EXPECT_TRUE(contains(only_notice().text, "File too large"));
  EXPECT_EQ(files().size(), whole);
  for (const std::string& file : files()) EXPECT_EQ(render::read_png(folder_ / file).width, 128) << file;
}

TEST_F(RecordingTest, OfAMovieThatBecomesTooLargeForTheDiskIsGivenUp) {
  if (no_movies()) GTEST_SKIP() << "needs ffmpeg";
  const Scratch tools;
  install(tools / "ffmpeg", "ulimit -f 4\nexec " + render::find_program("ffmpeg") + " \"$@\"\n");
  const Environment path("PATH", tools / "");
  signal(SIGXFSZ, SIG_IGN);
  start(plan("m.mp4"));
  worker_->play(true);
  ASSERT_TRUE(until([&] { return recording_->frames() > 60 || !recording_->running(); }, [&] { advance(); }));
  recording_->stop();
  ASSERT_TRUE(until([&] { return !recording_->finishing(); }, [&] { advance(); }));
  EXPECT_TRUE(contains(only_notice().text, "File too large"));
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(RecordingTest, IsTheSameWithAPictureSavedMeanwhileWhichIsWhole) {
  const auto frames = [&](const std::string& name, bool saved) {
    desktop::Exports exports(*worker_);
    exports.settings.folder = folder_ / "";
    exports.settings.name = name + "-still";
    desktop::ViewState view;
    view.caption = false;
    view.scale = look_.scale;
    view.picture_width = 200;
    view.picture_height = 150;
    start(plan(name));
    for (int i = 0; i < 4; ++i) {
      record_steps(5);
      if (saved && i == 2) exports.save_picture(*worker_->status(), view);
    }
    finish();
    while (exports.writing() > 0) exports.advance(*worker_->status(), view);
    exports.advance(*worker_->status(), view);
    EXPECT_TRUE(exports.take_notices().empty());
    std::string all;
    for (const std::string& file : files())
      if (file.starts_with(name + "/")) all += read(file);
    worker_->reset();
    EXPECT_TRUE(until([&] { return worker_->status()->clock.step == 0; }));
    return all;
  };
  const std::string alone = frames("alone", false);
  EXPECT_GT(alone.size(), 4000u);
  EXPECT_EQ(frames("beside", true), alone);
  const render::Image still = render::read_png(folder_ / "beside-still.png");
  EXPECT_EQ(still.width, 200);
  EXPECT_EQ(still.height, 150);
  EXPECT_NE(std::count(still.rgb.begin(), still.rgb.end(), still.rgb[0]), static_cast<long>(still.rgb.size()))
      << "nothing is drawn";
}

// 0.03 is no number of single precision: ten such steps are a little less than 0.3.
TEST(MovieClock, AFrameIsDueAtTheStepThatCompletesTheInterval) {
  MovieClock clock(0.3);
  double time = 0;
  EXPECT_EQ(clock.take(time), 1);
  for (int step = 1; step <= 100'000; ++step) {
    time += double{0.03f};
    ASSERT_EQ(clock.take(time), step % 10 == 0 ? 1 : 0) << "step " << step;
  }
}

}  // namespace
}  // namespace riffle::test
