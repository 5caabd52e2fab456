// State files in the window: what is saved goes on to the last bit, and what is wrong with a file changes nothing.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <thread>

#include "app/command/scene_options.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/playback.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/recording/exports.h"
#include "app/report/parameter_changes.h"
#include "app/run/state_start.h"
#include "core/text/checksum.h"
#include "desktop/playback/ask.h"
#include "desktop/playback/followed_worker.h"
#include "desktop/playback/scene_files.h"
#include "scenes/document/parameters.h"
#include "scenes/scene_events.h"

namespace riffle {
namespace {

namespace fs = std::filesystem;

/// Particles fall round and round.
const std::string kFalling =
    "domain: {min: [0, 0, 0], max: [1, 1, 1], axes: periodic}\nparticles: {spacing: 0.1}\n"
    "bodies:\n  - {velocity: [0, -20, 0], box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}}\n"
    "neighbors: {skin: 0.1}\ntime: {end: 1.0e+6}\n";

const char* const kCube =
    "v 0.6 0.1 0.1\nv 0.9 0.1 0.1\nv 0.9 0.4 0.1\nv 0.6 0.4 0.1\nv 0.6 0.1 0.4\nv 0.9 0.1 0.4\nv 0.9 0.4 0.4\n"
    "v 0.6 0.4 0.4\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class States : public test::SceneFiles {
 protected:
  void SetUp() override {
    SceneFiles::SetUp();
    begin();
  }
  void TearDown() override {
    end();
    SceneFiles::TearDown();
  }
  void begin() {
    worker_.emplace();
    editor_.emplace(*worker_);
    exports_.emplace(*worker_);
  }
  void end() {
    exports_.reset();
    editor_.reset();
    worker_.reset();
  }

  ::testing::AssertionResult until(const std::function<bool(const desktop::WorkerStatus&)>& condition) {
    return test::follow_until(*worker_, *editor_, condition);
  }
  ::testing::AssertionResult settled() {
    return until([&](const desktop::WorkerStatus& status) {
      return status.loaded && status.busy.empty() && status.handled == worker_->asked();
    });
  }
  void open(const SceneOptions& options) {
    editor_->open(options, false);
    ASSERT_TRUE(settled());
  }
  /// @param file of folder_
  void open_state(const std::string& file) {
    SceneOptions options;
    options.scene = (folder_ / file).string();
    options.device = DeviceRequest::Cpu;
    open(options);
  }
  void steps(int count) {
    const std::uint64_t goal = step() + static_cast<std::uint64_t>(count);
    worker_->step(count);
    ASSERT_TRUE(until([&](const desktop::WorkerStatus& status) { return status.clock.step == goal; }));
  }
  std::uint64_t step() {
    return test::ask(*worker_, [](desktop::Playback& playback) { return playback.simulation().finish().step; });
  }
  std::uint64_t hash() {
    return test::ask(*worker_, [](desktop::Playback& playback) {
      playback.simulation().finish();
      return playback.simulation().diagnostics().state_hash;
    });
  }
  void save(const std::string& file) {
    exports_->save_state(folder_ / file, editor_->saved_scene(), editor_->state());
    test::ask(*worker_, [](desktop::Playback&) { return 0; });
    while (exports_->writing() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  std::string notices() {
    std::string text;
    for (const desktop::Notice& notice : worker_->take_notices()) text += notice.title + ": " + notice.text;
    return text;
  }
  std::string shown(const std::string& key) { return editor_->find(key)->value; }

  std::optional<desktop::Worker> worker_;
  std::optional<desktop::SceneEditor> editor_;
  std::optional<desktop::Exports> exports_;
};

TEST_F(States, ASavedRunGoesOnToTheLastBitInTheWindowAndOnTheCommandLine) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFalling)));
  ASSERT_NO_FATAL_FAILURE(steps(20));
  editor_->set("gravity", "[0, -5, 0]");
  ASSERT_NO_FATAL_FAILURE(steps(7));
  ASSERT_NO_FATAL_FAILURE(save("run.h5"));
  const std::uint64_t there = hash();
  ASSERT_NO_FATAL_FAILURE(steps(25));
  const std::uint64_t later = hash();
  const auto unwrapped = [&] {
    return test::ask(*worker_, [](desktop::Playback& playback) {
      for (const ParticleField& field : playback.particle_table().fields)
        if (field.name == "unwrapped") return field.values;
      return std::vector<float>{};
    });
  };
  const std::vector<float> places = unwrapped();
  ASSERT_FALSE(places.empty());
  EXPECT_LT(*std::min_element(places.begin(), places.end()), -0.1f) << "some have gone round the box";
  ASSERT_EQ(notices(), "");

  ASSERT_NO_FATAL_FAILURE(open_state("run.h5"));
  EXPECT_EQ(notices(), "");
  EXPECT_EQ(step(), 27u);
  EXPECT_EQ(hash(), there);
  EXPECT_EQ(shown("gravity"), "[0, -5, 0]") << "as it was changed";
  EXPECT_FALSE(editor_->anything_edited());
  EXPECT_EQ(worker_->status()->state_file, (folder_ / "run.h5").string());
  EXPECT_EQ(worker_->status()->scene->name, "block");
  ASSERT_NO_FATAL_FAILURE(steps(25));
  EXPECT_EQ(hash(), later);
  EXPECT_EQ(unwrapped(), places);

  SceneOptions options;
  options.scene = (folder_ / "run.h5").string();
  StateStart start = start_from_state(options);  // as `riffle resume` does
  const scenes::Scene resumed = scenes::build_scene(start.source);
  const std::size_t events = scenes::events_before(resumed, start.saved.state.clock.step);
  EXPECT_EQ(events, 1u) << "the edit";
  Simulation simulation(scenes::setup_after(resumed, events), Device{}, start.saved.state);
  simulation.set_time_limit(resumed.run.end_time);
  for (int k = 0; k < 25; ++k) simulation.step();
  simulation.finish();
  EXPECT_EQ(simulation.diagnostics().state_hash, later);
}

TEST_F(States, WhatActedOnTheRunAndIsInNoSceneComesBack) {
  const std::string hand = "the hand moved the fluid or a solid once",
                    end = "a step that its end, time.end, had shortened";
  const auto says = [&](const std::string& what) { return editor_->save_text().find(what) != std::string::npos; };
  ASSERT_NO_FATAL_FAILURE(open(scene(std::string(test::kBlock) + "time: {end: 0.01}\n")));
  ASSERT_NO_FATAL_FAILURE(save("none.h5"));
  ASSERT_NO_FATAL_FAILURE(steps(1));
  worker_->stir({{0.3f, 0.3f, 1}, {0, 0, -1}}, StirringKind::Pull, {});
  ASSERT_NO_FATAL_FAILURE(steps(1));
  worker_->stir({{0.3f, 0.3f, 1}, {0, 0, -1}}, std::nullopt, {});
  worker_->step(1000);
  ASSERT_TRUE(until([](const desktop::WorkerStatus& status) { return status.end_note; }));
  ASSERT_NO_FATAL_FAILURE(save("end.h5"));
  ASSERT_NO_FATAL_FAILURE(steps(2));
  EXPECT_TRUE(says(hand) && says(end)) << editor_->save_text();
  ASSERT_NO_FATAL_FAILURE(save("past.h5"));
  ASSERT_EQ(notices(), "");

  ASSERT_NO_FATAL_FAILURE(open_state("past.h5"));
  EXPECT_TRUE(says(hand) && says(end)) << editor_->save_text();
  ASSERT_NO_FATAL_FAILURE(save("again.h5"));
  ASSERT_NO_FATAL_FAILURE(open_state("again.h5"));
  ASSERT_NO_FATAL_FAILURE(steps(2));
  EXPECT_TRUE(says(hand) && says(end)) << editor_->save_text();
  editor_->start_again();
  ASSERT_TRUE(settled());
  ASSERT_NO_FATAL_FAILURE(steps(2));
  EXPECT_EQ(editor_->save_text(), "") << "another run";

  ASSERT_NO_FATAL_FAILURE(open_state("end.h5"));
  EXPECT_TRUE(says(hand) && !says(end)) << editor_->save_text();
  ASSERT_NO_FATAL_FAILURE(steps(1));
  EXPECT_TRUE(says(hand) && says(end)) << "it goes on from there: " << editor_->save_text();
  ASSERT_NO_FATAL_FAILURE(open_state("none.h5"));
  ASSERT_NO_FATAL_FAILURE(steps(2));
  EXPECT_EQ(editor_->save_text(), "");
}

/// The table of the diagnostics and its changes of parameters, as they are saved.
struct Table {
  std::string csv, changes;
  std::size_t plotted = 0;
  friend bool operator==(const Table&, const Table&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Table& t) {
    return out << t.csv << t.changes << t.plotted << " rows are plotted\n";
  }
};
Table table_of(desktop::Worker& worker) {
  return test::ask(worker, [](desktop::Playback& playback) {
    playback.measure_all_rows(true);  // from here on
    return Table{playback.series().csv(), changes_rows(playback.parameter_changes()),
                 playback.instruments().diagnostics().view()->rows};
  });
}

TEST_F(States, RowsOfDiagnosticsGoOnWhereAStateIsOpened) {
  const std::string falling = kFalling + "movie: {time_scale: 0.01}\n";  // a row in about every step
  ASSERT_NO_FATAL_FAILURE(open(scene(falling)));
  table_of(*worker_);
  ASSERT_NO_FATAL_FAILURE(steps(20));
  editor_->set("gravity", "[0, -5, 0]");
  ASSERT_NO_FATAL_FAILURE(steps(7));
  ASSERT_NO_FATAL_FAILURE(save("run.h5"));
  const Table there = table_of(*worker_);
  ASSERT_GT(std::ranges::count(there.csv, '\n'), 10);
  ASSERT_NE(there.changes.find("gravity"), std::string::npos) << there.changes;
  ASSERT_NO_FATAL_FAILURE(steps(25));
  const Table later = table_of(*worker_);
  ASSERT_NE(later, there);

  ASSERT_NO_FATAL_FAILURE(open_state("run.h5"));
  EXPECT_EQ(notices(), "");
  EXPECT_EQ(table_of(*worker_).csv, there.csv);
  EXPECT_EQ(table_of(*worker_).changes, there.changes);
  ASSERT_NO_FATAL_FAILURE(steps(25));
  EXPECT_EQ(table_of(*worker_).csv, later.csv);
  ASSERT_NO_FATAL_FAILURE(save("again.h5"));
  ASSERT_NO_FATAL_FAILURE(open_state("again.h5"));
  EXPECT_EQ(table_of(*worker_).csv, later.csv) << "also from a state to the next one";
  EXPECT_EQ(table_of(*worker_).changes, later.changes);

  // The state of an earlier moment has the rows up to that moment.
  ASSERT_NO_FATAL_FAILURE(open_state("run.h5"));
  ASSERT_NO_FATAL_FAILURE(steps(25));
  worker_->seek(0);
  ASSERT_TRUE(until([](const desktop::WorkerStatus& status) { return status.clock.step == 27; }));
  ASSERT_NO_FATAL_FAILURE(save("early.h5"));
  ASSERT_NO_FATAL_FAILURE(open_state("early.h5"));
  EXPECT_EQ(table_of(*worker_).csv, there.csv);

  // From time 0 they begin again.
  editor_->start_again();
  ASSERT_TRUE(settled());
  EXPECT_EQ(std::ranges::count(table_of(*worker_).csv, '\n'), 2) << "names and the row of time 0";
  EXPECT_EQ(table_of(*worker_).changes, "");

  // With other values the table says where they begin.
  SceneOptions options;
  options.scene = (folder_ / "run.h5").string();
  options.device = DeviceRequest::Cpu;
  options.overrides = {"gravity=[0, -2, 0]"};
  ASSERT_NO_FATAL_FAILURE(open(options));
  const Table changed = table_of(*worker_);
  EXPECT_EQ(changed.csv, there.csv);
  EXPECT_TRUE(changed.changes.starts_with(there.changes)) << changed.changes;
  EXPECT_NE(changed.changes.find("[0, -2, 0]"), std::string::npos) << changed.changes;
}

TEST_F(States, TheRowOfTheSavedMomentAndHowFarRowsAreApartComeBack) {
  ASSERT_NO_FATAL_FAILURE(open(
      scene("domain: {min: [0, 0, 0], max: [1, 0.6, 0.4], axes: walled, face_forces: true}\nparticles: {spacing: 0.1}\n"
            "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.4, 0.4]}\nsolver: {type: wcsph}\n"
            "time: {end: 1.0e+6}\nmovie: {frames_per_second: 30}\n")));
  // The rows have become farther apart, as on a machine on which they take long.
  test::ask(*worker_, [](desktop::Playback& playback) {
    for (int i = 0; i < 40; ++i) playback.step();
    desktop::KeptRun kept = playback.keep(true);
    const double time = playback.simulation().finish().time;
    for (int k = 0; k < 3; ++k) kept.stride.note(0.3 * time, 1.0 / 30, 1, 10);
    playback.resume(kept);
    return 0;
  });
  const auto table = [&] {
    return test::ask(*worker_, [](desktop::Playback& playback) {
      const auto changes = playback.table_changes();
      return std::pair(playback.series_with_present().csv(), changes_rows(changes));
    });
  };
  ASSERT_NO_FATAL_FAILURE(steps(7));
  const auto [csv, changes] = table();
  EXPECT_NE(changes.find("rows of the table,every 0.0333333 s,every 0.0666667 s"), std::string::npos) << changes;
  const std::string last = csv.substr(csv.rfind('\n', csv.size() - 2) + 1);
  EXPECT_EQ(last.find("nan"), std::string::npos) << last;
  const auto intervals = [&] {
    return test::ask(*worker_, [](desktop::Playback& playback) { return playback.row_stride().intervals(); });
  };
  const auto apart = intervals();
  EXPECT_GE(apart, 2u);
  ASSERT_NO_FATAL_FAILURE(save("run.h5"));
  ASSERT_NO_FATAL_FAILURE(open_state("run.h5"));
  EXPECT_EQ(table(), std::pair(csv, changes));
  EXPECT_EQ(intervals(), apart) << "rows stay as far apart as they were";
  ASSERT_NO_FATAL_FAILURE(steps(9));
  EXPECT_TRUE(table().first.starts_with(csv)) << "the row of the saved moment stays";
  EXPECT_TRUE(table().second.starts_with(changes)) << table().second;
}

TEST_F(States, TheNoteOfASeriesThatWasStoppedCountsTheFilesAfterTheLastLook) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFalling + "movie: {time_scale: 0.01}\n")));
  exports_->settings.folder = folder_.string();
  const desktop::ViewState view;
  const auto look = [&] { exports_->advance(*worker_->status(), view); };
  exports_->advance(*worker_->status(), view);
  exports_->toggle_particles(*worker_->status());
  ASSERT_TRUE(until([](const desktop::WorkerStatus& status) { return status.particle_series.has_value(); }));
  look();
  const std::size_t seen = worker_->status()->particle_series->files;
  // Between two looks of the window the simulation saves more, and is stopped.
  const std::size_t saved = test::ask(*worker_, [](desktop::Playback& playback) {
    for (int k = 0; k < 20; ++k) playback.step();
    const std::size_t files = playback.particle_files()->files;
    playback.finish_particles();
    return files;
  });
  EXPECT_GT(saved, seen);
  ASSERT_TRUE(until([](const desktop::WorkerStatus& status) { return !status.particle_series; }));
  look();
  EXPECT_TRUE(exports_->last_saved().starts_with(fmt::format("{} files of particles, ", saved)))
      << saved << ", " << seen << ": " << exports_->last_saved();
}

TEST_F(States, AWarningOfItsSceneNamesNoLineOfAFileOfItsName) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFalling)));
  ASSERT_NO_FATAL_FAILURE(steps(2));
  ASSERT_NO_FATAL_FAILURE(save("run.h5"));
  const auto before = fs::current_path();
  fs::current_path(folder_);  // the scene's file is there
  open_state("run.h5");
  std::vector<std::string> places;
  for (const scenes::Warning& warning : editor_->warnings()) places.push_back(warning.where);
  fs::current_path(before);
  ASSERT_FALSE(places.empty());
  for (const std::string& place : places)
    EXPECT_EQ(place, (folder_ / "run.h5").string()) << "the state, without a line";
}

TEST_F(States, HowTheRunKeptStatesIsSaidAndHandedOn) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFalling)));
  ASSERT_NO_FATAL_FAILURE(steps(3));
  ASSERT_NO_FATAL_FAILURE(save("run.h5"));
  EXPECT_EQ(worker_->status()->keeping, "");
  SavedRun run = read_state(folder_ / "run.h5");
  EXPECT_FALSE(run.keeping);
  SceneOptions options;
  options.scene = (folder_ / "run.h5").string();
  run.state.setup = start_from_state(options).saved.state.setup;
  run.keeping = SavedKeeping{0.25, "kept.h5"};
  write_state(folder_ / "keeps.h5", run);
  ASSERT_NO_FATAL_FAILURE(open_state("keeps.h5"));
  EXPECT_EQ(worker_->status()->keeping, "every 0.25 s in kept.h5");
  editor_->start_again();  // the run that is left is kept, and comes back
  ASSERT_TRUE(settled());
  EXPECT_EQ(worker_->status()->keeping, "") << "it does not go on from the state";
  editor_->undo();
  ASSERT_TRUE(settled());
  ASSERT_NO_FATAL_FAILURE(steps(2));
  ASSERT_NO_FATAL_FAILURE(save("again.h5"));
  const SavedRun again = read_state(folder_ / "again.h5");
  ASSERT_TRUE(again.keeping);
  EXPECT_EQ(again.keeping->every, 0.25);
  EXPECT_EQ(again.keeping->file, "kept.h5");
  editor_->set("gravity", "[0, -1, 0]");
  ASSERT_TRUE(settled());
  EXPECT_EQ(worker_->status()->keeping, "")
      << "kept.h5 has a state of other values, which riffle resume does not replace";
  ASSERT_NO_FATAL_FAILURE(open(scene(kFalling)));
  EXPECT_EQ(worker_->status()->keeping, "");
}

TEST_F(States, UndoBringsBackTheRunThatWasThereBefore) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFalling)));
  ASSERT_NO_FATAL_FAILURE(steps(10));
  ASSERT_NO_FATAL_FAILURE(save("run.h5"));
  ASSERT_NO_FATAL_FAILURE(steps(10));
  const std::uint64_t left = hash();
  ASSERT_NO_FATAL_FAILURE(open_state("run.h5"));
  ASSERT_NO_FATAL_FAILURE(steps(3));
  const std::uint64_t other = hash();
  ASSERT_TRUE(editor_->can_undo());
  editor_->undo();
  ASSERT_TRUE(settled());
  EXPECT_EQ(hash(), left);
  EXPECT_EQ(worker_->status()->state_file, "");
  editor_->redo();
  ASSERT_TRUE(settled());
  EXPECT_EQ(hash(), other);
  EXPECT_EQ(worker_->status()->state_file, (folder_ / "run.h5").string());
}

// The time line of such a run begins at the state: once "start again" led there, and not to time 0.
TEST_F(States, StartingAgainBeginsTheSceneOfTheStateAtTimeZero) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFalling)));
  const std::uint64_t start = hash();
  ASSERT_NO_FATAL_FAILURE(steps(10));
  ASSERT_NO_FATAL_FAILURE(save("run.h5"));
  ASSERT_NO_FATAL_FAILURE(open_state("run.h5"));
  EXPECT_EQ(worker_->status()->first_moment, worker_->status()->clock.time);
  ASSERT_NO_FATAL_FAILURE(steps(3));
  const std::uint64_t left = hash();
  editor_->start_again();
  ASSERT_TRUE(settled());
  EXPECT_EQ(step(), 0u);
  EXPECT_EQ(hash(), start);
  EXPECT_EQ(worker_->status()->first_moment, 0);
  editor_->undo();
  ASSERT_TRUE(settled());
  EXPECT_EQ(step(), 13u);
  EXPECT_EQ(hash(), left);
}

TEST_F(States, TheFirstMomentOfARunThatGoesOnIsNotItsStart) {
  const auto when = [&] {
    return test::ask(*worker_, [](desktop::Playback& playback) { return playback.contact().when; });
  };
  ASSERT_NO_FATAL_FAILURE(open(scene(kFalling)));
  ASSERT_NO_FATAL_FAILURE(steps(10));
  EXPECT_EQ(when(), "at the start");
  ASSERT_NO_FATAL_FAILURE(save("run.h5"));
  ASSERT_NO_FATAL_FAILURE(open_state("run.h5"));
  const std::string from = fmt::format("in the state at {:.6g} s", worker_->status()->clock.time);
  ASSERT_NO_FATAL_FAILURE(steps(3));
  EXPECT_EQ(when(), from);
  editor_->start_again();
  ASSERT_TRUE(settled());
  EXPECT_EQ(when(), "at the start");
}

TEST_F(States, WhatIsWrongWithAFileIsSaidAndChangesNothing) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFalling)));
  ASSERT_NO_FATAL_FAILURE(steps(10));
  ASSERT_NO_FATAL_FAILURE(save("run.h5"));
  ASSERT_NO_FATAL_FAILURE(steps(2));
  const std::uint64_t here = hash();
  const std::string whole = text_of(folder_ / "run.h5");
  ASSERT_GT(whole.size(), 5000u);
  std::string newer = whole, changed = whole;
  newer[16] = 9;
  newer.replace(40, 8, 8, '\0');
  Checksum header;
  header.add(newer.data(), 512);
  const std::uint64_t sum = header.value();
  std::memcpy(newer.data() + 40, &sum, sizeof sum);
  changed[3000] = static_cast<char>(changed[3000] ^ 1);
  const std::pair<std::string, std::string> cases[] = {
      {whole.substr(0, whole.size() / 2), "is incomplete: it has"},
      {whole.substr(0, 100), "is incomplete: it has 100 bytes"},
      {"", "is no state of Riffle: it has 0 bytes"},
      {"\x89HDF\r\n\x1a\n of another program, longer than a few bytes", "is an HDF5 file of another program"},
      {changed, "is damaged: its contents have the checksum"},
      {newer, "is a state of a newer version of Riffle: its format is 9"},
  };
  for (const auto& [bytes, words] : cases) {
    SCOPED_TRACE(words);
    std::ofstream(folder_ / "bad.h5", std::ios::binary) << bytes;
    ASSERT_NO_FATAL_FAILURE(open_state("bad.h5"));
    const std::string said = notices();
    EXPECT_EQ(said.find("The state could not be opened: " + (folder_ / "bad.h5").string() + ": " + words), 0u) << said;
    EXPECT_EQ(hash(), here);
    EXPECT_FALSE(editor_->can_undo()) << "nothing has changed";
  }
  ASSERT_NO_FATAL_FAILURE(open_state("absent.h5"));
  EXPECT_NE(notices().find("absent.h5: cannot be opened: No such file"), std::string::npos);
  EXPECT_EQ(hash(), here);
}

TEST_F(States, AFileIsTakenForAStateByItsEndingOrItsFirstBytes) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFalling)));
  ASSERT_NO_FATAL_FAILURE(save("run.h5"));
  fs::copy_file(folder_ / "run.h5", folder_ / "renamed.dat");
  EXPECT_TRUE(is_state_file(folder_ / "renamed.dat"));
  EXPECT_TRUE(is_state_file(folder_ / "absent.H5"));
  EXPECT_FALSE(is_state_file(folder_ / "block.yaml"));
  EXPECT_FALSE(is_state_file("drop"));
  EXPECT_FALSE(is_state_file(folder_));
  ASSERT_NO_FATAL_FAILURE(open_state("renamed.dat"));
  EXPECT_EQ(notices(), "");
  EXPECT_EQ(worker_->status()->state_file, (folder_ / "renamed.dat").string());
}

TEST_F(States, ARunThatBlewUpIsNotSaved) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFalling)));
  ASSERT_NO_FATAL_FAILURE(steps(2));
  ASSERT_NO_FATAL_FAILURE(save("run.h5"));
  const std::string before = text_of(folder_ / "run.h5");
  test::ask(*worker_, [](desktop::Playback& playback) {
    SimulationState state = playback.simulation().save_state();
    for (AttributeValues& attribute : state.attributes)
      if (attribute.name == "position") std::get<std::vector<Vec4>>(attribute.values)[0].x = NAN;
    playback.simulation().restore_state(state);
    return 0;
  });
  ASSERT_NO_FATAL_FAILURE(save("run.h5"));
  const std::string said = notices();
  EXPECT_EQ(said.find("The state is not saved: the run cannot go on from here: "), 0u) << said;
  EXPECT_EQ(text_of(folder_ / "run.h5"), before);
}

TEST_F(States, ASceneOfAnotherMomentIsNotSavedWithTheRun) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFalling)));
  exports_->save_state(folder_ / "run.h5", editor_->saved_scene(), editor_->state() + 100);
  test::ask(*worker_, [](desktop::Playback&) { return 0; });
  EXPECT_NE(notices().find("The state is not saved: another scene runs by now"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "run.h5"));
}

// Whoever closes the window waits for a state that is being written. Once, it was waited for until all requests that had come
// with it were done, and then taken for one that was not written.
TEST_F(States, OneIsSavedOnceItsFileIsThereThoughRequestsAfterItWait) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFalling)));
  ASSERT_NO_FATAL_FAILURE(steps(2));
  EXPECT_FALSE(exports_->last_state().pending()) << "before the first";
  std::promise<void> go, go_on;
  std::promise<bool> in_time;
  worker_->post("", [&](desktop::Playback&) { go.get_future().wait(); });  // the next ones come together
  exports_->save_state(folder_ / "run.h5", editor_->saved_scene(), editor_->state());
  worker_->post("", [&](desktop::Playback&) { go_on.get_future().wait(); });
  const desktop::StateWish state = exports_->last_state();
  EXPECT_TRUE(state.pending());
  EXPECT_FALSE(state.written());
  go.set_value();
  while (exports_->writing() > 0 || !state.written()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_FALSE(state.pending());
  EXPECT_NE(exports_->unfinished(), "") << "the last request is not done";

  go_on.set_value();
  test::ask(*worker_, [](desktop::Playback&) { return 0; });
  exports_->save_state(folder_ / "none/run.h5", editor_->saved_scene(), editor_->state());
  const desktop::StateWish failed = exports_->last_state();
  while (failed.pending()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_FALSE(failed.written());
  EXPECT_TRUE(state.written()) << "that of another wish stays as it is";
}

// Closed again, the window still waits for a state that was wanted: it would stay open as if that had failed.
TEST_F(States, OneThatIsWantedIsWaitedForEvenWhenTheEndIsHurried) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFalling)));
  ASSERT_NO_FATAL_FAILURE(steps(2));
  std::promise<void> go;
  worker_->post("", [&](desktop::Playback&) { go.get_future().wait(); });
  exports_->save_state(folder_ / "run.h5", editor_->saved_scene(), editor_->state());
  exports_->finish(*worker_->status());
  exports_->end_early();
  EXPECT_EQ(exports_->unfinished(), "Waiting for the end of the present step.");
  go.set_value();
  while (!exports_->unfinished().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_TRUE(exports_->last_state().written());
}

// A state has the files of its scene. They must be there for as long as the scene can be changed, and when it is saved.
TEST_F(States, AStateOfASceneThatWasSavedUnderAnotherNameIsCalledAfterThatFile) {
  editor_->open(scene("name: Falling water\n" + kFalling, "old.yaml"));
  ASSERT_TRUE(until([](const desktop::WorkerStatus& status) { return status.loaded; }));
  ASSERT_TRUE(until([&](const desktop::WorkerStatus&) { return editor_->has_scene(); }));
  EXPECT_NE(editor_->saved_scene().text.find("Falling water"), std::string::npos);
  editor_->save((folder_ / "t1.yaml").string());
  const SavedScene saved = editor_->saved_scene();
  EXPECT_EQ(saved.name, "t1.yaml");
  EXPECT_EQ(saved.text.find("Falling water"), std::string::npos) << saved.text;
  EXPECT_EQ(scenes::parse_scene(saved.text, saved.name).name, "t1");
}

TEST_F(States, TheFilesOfItsSceneGoWithTheState) {
  std::ofstream(folder_ / "post.obj") << kCube;
  ASSERT_NO_FATAL_FAILURE(open(
      scene(std::string(test::kBlock) + "solids:\n  - {name: post, mesh: {file: post.obj}}\ntime: {end: 1.0e+6}\n")));
  ASSERT_NO_FATAL_FAILURE(steps(5));
  ASSERT_NO_FATAL_FAILURE(save("run.h5"));
  fs::remove(folder_ / "post.obj");
  fs::remove(folder_ / "block.yaml");
  end();
  begin();
  ASSERT_NO_FATAL_FAILURE(open_state("run.h5"));
  ASSERT_EQ(notices(), "");
  editor_->set("gravity", "[0, -5, 0]");
  EXPECT_EQ(editor_->error(), "");
  ASSERT_NO_FATAL_FAILURE(steps(3));
  editor_->set("particles.spacing", "0.125");
  ASSERT_TRUE(settled());
  EXPECT_EQ(notices() + editor_->error(), "");
  editor_->undo();
  ASSERT_TRUE(settled());

  fs::create_directory(folder_ / "kept");
  editor_->save((folder_ / "kept/mine.yaml").string());
  editor_->save((folder_ / "kept/mine.yaml").string());  // the same files once more
  EXPECT_TRUE(fs::exists(folder_ / "kept/mine-files/1/post.obj"));
  EXPECT_FALSE(fs::exists(folder_ / "kept/mine-files-2"));
  ASSERT_NO_FATAL_FAILURE(save("again.h5"));
  end();
  begin();
  EXPECT_NO_THROW(scenes::load_scene((folder_ / "kept/mine.yaml").string()));
  std::ofstream(folder_ / "kept/mine-files/1/post.obj") << "somebody has changed it";
  ASSERT_NO_FATAL_FAILURE(open_state("again.h5"));
  ASSERT_EQ(notices(), "");
  editor_->save((folder_ / "kept/mine.yaml").string());
  EXPECT_EQ(text_of(folder_ / "kept/mine-files/1/post.obj"), "somebody has changed it") << "no file is replaced";
  EXPECT_NO_THROW(scenes::load_scene((folder_ / "kept/mine.yaml").string()));
}

}  // namespace
}  // namespace riffle
