/// `riffle pack`: one file that opens elsewhere and goes on.

#include <signal.h>
#include <unzip.h>
#include <zip.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <thread>

#include "support/program.h"

namespace riffle {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

/// The files of an archive as another program reads them.
std::map<std::string, std::string> unpacked_files(const fs::path& archive) {
  std::map<std::string, std::string> files;
  unzFile zip = unzOpen64(archive.c_str());
  EXPECT_NE(zip, nullptr) << archive;
  if (zip == nullptr) return files;
  for (int found = unzGoToFirstFile(zip); found == UNZ_OK; found = unzGoToNextFile(zip)) {
    char name[4096] = {};
    unz_file_info64 info{};
    unzGetCurrentFileInfo64(zip, &info, name, sizeof name, nullptr, 0, nullptr, 0);
    std::string text(info.uncompressed_size, '\0');
    EXPECT_EQ(unzOpenCurrentFile(zip), UNZ_OK) << name;
    EXPECT_EQ(unzReadCurrentFile(zip, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
    EXPECT_EQ(unzCloseCurrentFile(zip), UNZ_OK) << "the checksum of " << name;
    files[name] = std::move(text);
  }
  unzClose(zip);
  return files;
}

/// A plain archive, with what it says as it is given.
void write_archive(const fs::path& archive, const std::vector<std::pair<std::string, std::string>>& files, int method) {
  zipFile zip = zipOpen64(archive.c_str(), APPEND_STATUS_CREATE);
  const zip_fileinfo info{};
  for (const auto& [name, text] : files) {
    zipOpenNewFileInZip64(zip, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, method, method == 0 ? 0 : 9, 0);
    zipWriteInFileInZip(zip, text.data(), static_cast<unsigned>(text.size()));
    zipCloseFileInZip(zip);
  }
  zipClose(zip, nullptr);
}

std::string manifest(const std::string& state, const std::string& format = "1") {
  return R"({"format": )" + format + R"(, "state": ")" + state + "\"}";
}

}  // namespace

class Pack : public ProgramTest {
 protected:
  Outcome ran(Words words) {
    words.insert(words.end(), {"--no-picture", "--quiet", "--device", "cpu"});
    return riffle(words);
  }
  std::string hash_of(const Words& words) {
    const Outcome outcome = ran(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.exit_code == 0 ? json("r.json")["diagnostics"]["state_hash"] : "";
  }
  /// A scene of which files are part, in home/. @return the hash after 12 steps without a stop
  std::string scene_with_files() {
    fs::create_directories(folder_ / "home/meshes");
    write("home/meshes/pyramid.obj",
          "v 0.3 0 0.3\nv 0.7 0 0.3\nv 0.7 0 0.7\nv 0.3 0 0.7\nv 0.5 0.4 0.5\n"
          "f 1 2 3 4\nf 1 5 2\nf 2 5 3\nf 3 5 4\nf 4 5 1\n");
    write("home/turn.csv", "t,x\n0,0\n1,0.1\n2,0\n");
    write("home/knot.yaml",
          "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
          "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.3, 1]}\n"
          "solids:\n  - sphere: {center: [0.5, 0.75, 0.5], radius: 0.15}\n    motion: {table: turn.csv}\n"
          "  - mesh: {file: meshes/pyramid.obj}\n");
    return hash_of({"run", "home/knot.yaml", "--steps", "12", "--json", "r.json"});
  }
  /// Of that scene, in o/: a table, frames, state.h5 after 8 steps, and first.h5, which is an hour older.
  void make_outputs() {
    const Outcome run = ran({"run", "home/knot.yaml", "--steps", "8", "--checkpoint", "o/state.h5", "--series",
                             "o/s.csv", "--particles", "o/frames/p.vtp", "--out", "o"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    hash_of({"run", "home/knot.yaml", "--steps", "2", "--json", "r.json", "--checkpoint", "o/first.h5"});
    fs::last_write_time(folder_ / "o/first.h5", fs::last_write_time(folder_ / "o/state.h5") - std::chrono::hours(1));
  }
  /// Of the small scene: a.h5 after 3 steps.
  void make_state() { hash_of({"run", scene_, "--steps", "3", "--json", "r.json", "--checkpoint", "out/a.h5"}); }
};

TEST_F(Pack, OfAStateGoesOnInAnotherFolderWithoutTheOriginals) {
  const std::string whole = scene_with_files();
  hash_of({"run", "home/knot.yaml", "--steps", "5", "--json", "r.json", "--checkpoint", "home/a.h5"});
  for (const char* out : {"knot_packed.h5", "one.zip"}) {
    const Words words = {"pack", "home/a.h5"};
    Words given = words;
    if (std::string(out) == "one.zip") given.insert(given.end(), {"--out", out});
    const Outcome packed = riffle(given);
    ASSERT_EQ(packed.exit_code, 0) << packed.err;
    EXPECT_TRUE(contains(packed.out, std::string("pack:    ") + out));
    EXPECT_TRUE(contains(packed.out, "step 5"));
  }
  fs::create_directory(folder_ / "elsewhere");
  for (const char* out : {"knot_packed.h5", "one.zip"}) fs::rename(folder_ / out, folder_ / "elsewhere" / out);
  fs::remove_all(folder_ / "home");
  EXPECT_EQ(hash_of({"resume", "elsewhere/knot_packed.h5", "--steps", "7", "--json", "r.json"}), whole);
  EXPECT_EQ(hash_of({"resume", "elsewhere/one.zip", "--steps", "7", "--json", "r.json"}), whole);
  EXPECT_EQ(hash_of({"elsewhere/one.zip", "--steps", "7", "--json", "r.json"}), whole) << "without a command";
  EXPECT_EQ(hash_of({"run", "elsewhere/one.zip", "--steps", "7", "--json", "r.json"}), whole);
  EXPECT_EQ(json("r.json")["resumed_from"]["step"], 5);
}

TEST_F(Pack, OfAFolderHasAllOutputsAndGoesOnFromTheNewestState) {
  const std::string whole = scene_with_files();
  ASSERT_NO_FATAL_FAILURE(make_outputs());
  write("o/broken.h5", read("o/state.h5").substr(0, 2000));
  write("o/.s.riffle-partial-99.csv", "half");
  write("secret.txt", "not of the run");
  fs::create_symlink("../secret.txt", folder_ / "o/link.txt");
  const Outcome packed = riffle({"pack", "o", "--json", "p.json"});
  ASSERT_EQ(packed.exit_code, 0) << packed.err;
  EXPECT_TRUE(contains(packed.err, "link.txt: is a link and is left out"));
  EXPECT_TRUE(contains(packed.err, "broken.h5: is incomplete"));
  EXPECT_EQ(json("p.json")["state"], "state.h5");
  EXPECT_EQ(json("p.json")["step"], 8);

  const auto files = unpacked_files(folder_ / "o.zip");
  for (const char* name : {"state.h5", "first.h5", "s.csv", "frames/p.vtp"}) {
    ASSERT_TRUE(files.contains(name)) << name;
    EXPECT_EQ(files.at(name), read(std::string("o/") + name)) << name;
  }
  EXPECT_TRUE(files.contains("riffle-pack/scene/knot.yaml"));
  EXPECT_EQ(files.size(), 11u) << "with two companions, broken.h5, the manifest, and the scene with its two files";
  for (const auto& [name, text] : files)
    if (name.starts_with("riffle-pack/")) {
      fs::create_directories((folder_ / "elsewhere" / name.substr(12)).parent_path());
      write("elsewhere/" + name.substr(12), text);
    }
  fs::rename(folder_ / "o.zip", folder_ / "elsewhere/o.zip");
  fs::remove_all(folder_ / "home");
  fs::remove_all(folder_ / "o");
  EXPECT_EQ(hash_of({"resume", "elsewhere/o.zip", "--steps", "4", "--json", "r.json"}), whole);
  EXPECT_EQ(hash_of({"run", "elsewhere/scene/knot.yaml", "--steps", "12", "--json", "r.json"}), whole)
      << "the scene beside the state is whole, too";
}

TEST_F(Pack, APackOfTheFolderThatItLiesInLeavesItselfOut) {
  make_state();
  for (int time = 0; time < 2; ++time) {
    const Outcome packed = riffle({"pack", "out", "--out", "out/self.zip"});
    ASSERT_EQ(packed.exit_code, 0) << packed.err;
    EXPECT_FALSE(unpacked_files(folder_ / "out/self.zip").contains("self.zip"));
  }
}

TEST_F(Pack, RefusesByNameWhatIsNoneAndLeavesTheOldFile) {
  make_state();
  for (const char* folder : {"empty", "bad", "names"}) fs::create_directory(folder_ / folder);
  write("bad/a.h5", "no state");
  write("names/a\\b.txt", "x");
  fs::copy_file(folder_ / "out/a.h5", folder_ / "names/a.h5");
  const std::string good = read("out/a.h5");
  write("short.h5", good.substr(0, good.size() - 1));
  write("old.zip", "precious");
  for (const auto& [words, part] : std::vector<std::pair<Words, std::string>>{
           {{"pack", "none.h5"}, "none.h5: cannot be opened"},
           {{"pack", "short.h5", "--out", "old.zip"}, "short.h5: is incomplete"},
           {{"pack", "empty", "--out", "old.zip"}, "empty: has no complete state"},
           {{"pack", "bad", "--out", "old.zip"}, "a.h5: is no state of Riffle"},
           {{"pack", "names", "--out", "old.zip"}, "its name has a backslash"},
           {{"pack", "out", "--out", "old.tar"}, "found the ending '.tar'; allowed for a pack of out: .zip"},
           {{"pack", "out/a.h5", "--out", "out/a.h5"}, "is what is to be packed"}}) {
    const Outcome outcome = riffle(words);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_TRUE(contains(outcome.err, part));
  }
  EXPECT_EQ(read("old.zip"), "precious");
  EXPECT_EQ(read("out/a.h5"), good);
  for (const std::string& file : files()) EXPECT_EQ(file.find("partial"), std::string::npos) << file;
}

TEST_F(Pack, DamagedAndForeignArchivesAreRefusedByName) {
  make_state();
  ASSERT_EQ(riffle({"pack", "out", "--out", "good.zip"}).exit_code, 0);
  const std::string good = read("good.zip"), state = read("out/a.h5");
  std::string changed = good;
  changed[good.find("RIFFLE STATE") + 3000] ^= 1;
  write("changed.zip", changed);
  write("cut.zip", good.substr(0, good.size() / 2));
  write("text.zip", "no archive at all");
  write("empty.zip", std::string("PK\x05\x06", 4) + std::string(18, '\0'));
  std::string locked = good;  // bit 0 of the flags in the list at the end: encrypted
  for (std::size_t at = locked.find("PK\x01\x02"); at != std::string::npos; at = locked.find("PK\x01\x02", at + 1))
    locked[at + 8] |= 1;
  write("locked.zip", locked);
  const std::string name = "riffle-pack/manifest.json";
  write_archive(folder_ / "foreign.zip", {{"a.h5", state}}, 0);
  write_archive(folder_ / "later.zip", {{name, manifest("a.h5", "2")}, {"a.h5", state}}, 0);
  write_archive(folder_ / "lost.zip", {{name, manifest("b.h5")}, {"a.h5", state}}, 0);
  write_archive(folder_ / "words.zip", {{name, "no JSON"}, {"a.h5", state}}, 0);
  write_archive(folder_ / "numbers.zip", {{name, R"({"format": "1", "state": 7})"}, {"a.h5", state}}, 0);
  write_archive(folder_ / "big.zip", {{name, std::string(70000, ' ') + manifest("a.h5")}, {"a.h5", state}}, 8);
  write_archive(folder_ / "bomb.zip", {{name, manifest("a.h5")}, {"a.h5", std::string(30 << 20, '\0')}}, 8);
  write_archive(folder_ / "no_state.zip", {{name, manifest("a.h5")}, {"a.h5", "only text"}}, 0);
  // A name that leads out of the folder is a name in the archive, and no path.
  write_archive(folder_ / "slip.zip", {{name, manifest("../out/a.h5")}, {"a.h5", state}}, 0);
  write_archive(folder_ / "slips.zip", {{name, manifest("../out/new.h5")}, {"../out/new.h5", "only text"}}, 0);
  // Says that fewer bytes follow than do.
  std::string lies = good;
  const std::size_t entry = lies.rfind("a.h5", lies.rfind("PK\x05\x06")) - 46;
  ASSERT_EQ(lies.substr(entry, 4), "PK\x01\x02");
  lies[entry + 25] = static_cast<char>(lies[entry + 25] - 1);
  write("lies.zip", lies);
  const auto before = files();
  for (const auto& [file, part] :
       std::map<std::string, std::string>{{"changed.zip", "a.h5\" does not have the bytes and the checksum"},
                                          {"cut.zip", "the list of files at its end is missing"},
                                          {"text.zip", "is no state of Riffle"},
                                          {"empty.zip", "the list of files at its end is missing"},
                                          {"locked.zip", "is encrypted"},
                                          {"foreign.zip", "is an archive of another program"},
                                          {"later.zip", "is a pack of a newer version of Riffle: its format is 2"},
                                          {"lost.zip", "it has no \"b.h5\""},
                                          {"words.zip", "does not name a format and a state"},
                                          {"numbers.zip", "does not name a format and a state"},
                                          {"big.zip", "allowed: up to 65536"},
                                          {"bomb.zip", "allowed: up to 100 times as many"},
                                          {"no_state.zip", "no_state.zip: a.h5: is no state of Riffle"},
                                          {"slip.zip", "it has no \"../out/a.h5\""},
                                          {"slips.zip", "slips.zip: ../out/new.h5: is no state of Riffle"},
                                          {"lies.zip", "is damaged"}}) {
    const Outcome outcome = ran({"resume", file});
    EXPECT_EQ(outcome.exit_code, 2) << file << outcome.out;
    EXPECT_TRUE(contains(outcome.err, file + ": ")) << file;
    EXPECT_TRUE(contains(outcome.err, part)) << file;
  }
  EXPECT_EQ(files(), before) << "nothing was unpacked";
}

TEST_F(Pack, UnpackedItIsTheFolderAgainFromWhichTheRunGoesOn) {
  const std::string whole = scene_with_files();
  ASSERT_NO_FATAL_FAILURE(make_outputs());
  ASSERT_EQ(riffle({"pack", "o"}).exit_code, 0);
  fs::rename(folder_ / "o", folder_ / "before");
  fs::remove_all(folder_ / "home");
  const Outcome unpacked = riffle({"unpack", "o.zip", "--json", "u.json"});
  ASSERT_EQ(unpacked.exit_code, 0) << unpacked.err;
  EXPECT_TRUE(contains(unpacked.out, "`riffle resume o/state.h5` goes on from it"));
  std::size_t same = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "before")) {
    if (!entry.is_regular_file()) continue;
    const fs::path name = entry.path().lexically_relative(folder_ / "before");
    EXPECT_EQ(read("o" / name), read("before" / name)) << name;
    const auto later = fs::last_write_time(folder_ / "o" / name) - fs::last_write_time(entry.path());
    EXPECT_TRUE(later <= std::chrono::seconds(0) && later > std::chrono::seconds(-1)) << name << ": full seconds stay";
    ++same;
  }
  EXPECT_GE(same, 6u);
  EXPECT_EQ(json("u.json")["files"], same + 4) << "the manifest, and the scene with its two files";
  EXPECT_EQ(hash_of({"resume", "o/state.h5", "--steps", "4", "--json", "r.json"}), whole);
  EXPECT_EQ(hash_of({"run", "o/riffle-pack/scene/knot.yaml", "--steps", "12", "--json", "r.json"}), whole);
  ASSERT_EQ(riffle({"pack", "o", "--out", "again.zip", "--json", "p.json"}).exit_code, 0);
  EXPECT_EQ(json("p.json")["state"], "state.h5") << "it is still the newest one";
  const Outcome twice = riffle({"unpack", "o.zip"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_TRUE(contains(twice.err, "o: is there already; allowed: a folder that is not there, or an empty one"));
}

TEST_F(Pack, UnpackingWritesNothingOutsideAndHasAllOrNothing) {
  make_state();
  ASSERT_EQ(riffle({"pack", "out", "--out", "good.zip"}).exit_code, 0);
  const std::string name = "riffle-pack/manifest.json", state = read("out/a.h5");
  std::string changed = read("good.zip");
  changed[changed.find("RIFFLE STATE") + 3000] ^= 1;
  write("changed.zip", changed);
  write("text.txt", "no archive");
  write_archive(folder_ / "slip.zip", {{name, manifest("a.h5")}, {"a.h5", state}, {"../slipped.txt", "x"}}, 0);
  write_archive(folder_ / "root.zip", {{name, manifest("a.h5")}, {"a.h5", state}, {"/tmp/riffle-slipped.txt", "x"}}, 0);
  write_archive(folder_ / "twice.zip", {{name, manifest("a.h5")}, {"a.h5", state}, {"a.h5", "x"}}, 0);
  write_archive(folder_ / "under.zip", {{name, manifest("a.h5")}, {"a.h5", state}, {"a.h5/b", "x"}}, 0);
  write_archive(folder_ / "lost.zip", {{name, manifest("b.h5")}, {"a.h5", state}}, 0);
  fs::create_directories(folder_ / "full");
  write("full/mine.txt", "precious");
  fs::create_symlink("full", folder_ / "link");
  const auto before = files();
  for (const auto& [words, part] :
       std::vector<std::pair<Words, std::string>>{{{"changed.zip"}, "a.h5\" does not have the bytes and the checksum"},
                                                  {{"text.txt"}, "text.txt: is no pack"},
                                                  {{"out/a.h5"}, "out/a.h5: is no pack"},
                                                  {{"none.zip"}, "none.zip: is no file"},
                                                  {{"slip.zip"}, "the part \"..\", which may lead out of the folder"},
                                                  {{"root.zip"}, "a part without a character between its slashes"},
                                                  {{"twice.zip"}, "has two files \"a.h5\""},
                                                  {{"under.zip"}, "\"a.h5\" is a file and the folder of \"a.h5/b\""},
                                                  {{"lost.zip"}, "it has no \"b.h5\""},
                                                  {{"good.zip", "--out", "full"}, "full: is there already"},
                                                  {{"good.zip", "--out", "link"}, "link: is there already"}}) {
    Words given = {"unpack"};
    given.insert(given.end(), words.begin(), words.end());
    const Outcome outcome = riffle(given);
    EXPECT_EQ(outcome.exit_code, 2) << words[0] << outcome.out;
    EXPECT_TRUE(contains(outcome.err, part)) << words[0];
    EXPECT_EQ(files(), before) << words[0];
  }
  EXPECT_FALSE(fs::exists("/tmp/riffle-slipped.txt"));
  fs::create_directories(folder_ / "empty");
  EXPECT_EQ(riffle({"unpack", "good.zip", "--out", "empty/"}).exit_code, 0);
  EXPECT_EQ(read("empty/a.h5"), state);
  EXPECT_EQ(riffle({"unpack", "good.zip", "--out", "new/."}).exit_code, 0);
  EXPECT_EQ(read("new/a.h5"), state);
  EXPECT_EQ(riffle({"unpack", "good.zip", "--out", std::string(250, 'l')}).exit_code, 0);
  EXPECT_EQ(read(std::string(250, 'l') + "/a.h5"), state);
  EXPECT_EQ(riffle({"unpack", "good.zip", "--out", std::string(256, 'l')}).exit_code, 2);
}

TEST_F(Pack, WhatAKilledUnpackingLeavesIsNotPacked) {
  make_state();
  fs::create_directories(folder_ / "out/.riffle-partial-1/files");
  write("out/.riffle-partial-1/files/half.h5", "half");
  ASSERT_EQ(riffle({"pack", "out", "--out", "p.zip"}).exit_code, 0);
  for (const auto& [name, text] : unpacked_files(folder_ / "p.zip")) EXPECT_FALSE(contains(name, "partial")) << name;
}

TEST_F(Pack, TheNewestStateStaysTheNewestWithinASecond) {
  hash_of({"run", scene_, "--steps", "8", "--json", "r.json", "--checkpoint", "out/a_late.h5"});
  hash_of({"run", scene_, "--steps", "4", "--json", "r.json", "--checkpoint", "out/b_new.h5"});
  const fs::file_time_type second = std::chrono::floor<std::chrono::seconds>(fs::file_time_type::clock::now());
  fs::last_write_time(folder_ / "out/a_late.h5", second + std::chrono::milliseconds(200));
  fs::last_write_time(folder_ / "out/b_new.h5", second + std::chrono::milliseconds(700));
  const auto newest = [&](const char* folder) {
    const Outcome packed = riffle({"pack", folder, "--out", "p.zip", "--json", "p.json"});
    EXPECT_EQ(packed.exit_code, 0) << packed.err;
    return json("p.json")["state"].get<std::string>();
  };
  EXPECT_EQ(newest("out"), "b_new.h5");
  ASSERT_EQ(riffle({"unpack", "p.zip", "--out", "again"}).exit_code, 0);
  EXPECT_EQ(newest("again"), "b_new.h5") << "though its step is earlier, and its name the second";
  // As other programs unpack them.
  fs::last_write_time(folder_ / "out/a_late.h5", second);
  fs::last_write_time(folder_ / "out/b_new.h5", second);
  EXPECT_EQ(newest("out"), "a_late.h5") << "step 8";
  fs::rename(folder_ / "out/a_late.h5", folder_ / "out/c_late.h5");
  EXPECT_EQ(newest("out"), "c_late.h5") << "whatever the names";
}

TEST_F(Pack, NamesThatUnpackingRefusesAreNotPacked) {
  make_state();
  fs::copy_file(folder_ / "out/a.h5", folder_ / "a\\b.h5");
  const Outcome packed = riffle({"pack", "a\\b.h5", "--out", "b.zip"});
  EXPECT_EQ(packed.exit_code, 2);
  EXPECT_TRUE(contains(packed.err, "its name has a backslash"));
  EXPECT_FALSE(fs::exists(folder_ / "b.zip"));
  const std::string line = "x\ny.txt";
  write_archive(folder_ / "twice.zip",
                {{"riffle-pack/manifest.json", manifest("a.h5")}, {"a.h5", "x"}, {line, "x"}, {line, "x"}}, 0);
  EXPECT_TRUE(contains(riffle({"unpack", "twice.zip"}).err, "has two files \"x y.txt\""));
}

TEST_F(Pack, AnEndedPackingLeavesNoFile) {
  make_state();
  write("out/large.csv", "");
  fs::resize_file(folder_ / "out/large.csv", std::uintmax_t{3} << 30);  // a hole: takes seconds to compress
  Program packing({"pack", "out", "--out", "packs/p.zip"}, folder_);
  for (int wait = 0; wait < 500 && packing.running(); ++wait) {
    bool begun = false;
    for (const std::string& file : files()) begun = begun || file.find("riffle-partial") != std::string::npos;
    if (begun) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  packing.send(SIGINT);
  EXPECT_EQ(packing.wait().exit_code, 130);
  for (const std::string& file : files()) EXPECT_FALSE(file.starts_with("packs/")) << file;
}

}  // namespace riffle
