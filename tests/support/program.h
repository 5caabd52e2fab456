#pragma once
/// Runs the built program as a user would, in a folder that belongs to the test.

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace riffle {

struct Outcome {
  int exit_code = -1;  ///< 128 + the signal's number if a signal ended it
  std::string out, err;
};

/// A run in the background.
class Program {
 public:
  /// @param terminal  standard error is a pseudo-terminal of 120 columns; both streams are then in Outcome::err
  Program(const std::vector<std::string>& arguments, const std::filesystem::path& folder, bool terminal = false,
          const std::map<std::string, std::string>& environment = {});
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t process() const { return process_; }
  void send(int signal) const;
  bool running();
  /// Waits until the program has written the text. @return false if it ends before, or after a minute
  bool says(const std::string& text);
  Outcome wait();  ///< kills the program after a minute

 private:
  void drain(int milliseconds);

  pid_t process_ = -1;
  int out_ = -1, err_ = -1;
  int status_ = 0;
  bool ended_ = false;
  Outcome outcome_;
};

class ProgramTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Outcome riffle(const std::vector<std::string>& arguments) { return Program(arguments, folder_).wait(); }
  std::string write(const std::string& name, const std::string& text);  ///< @return its path
  std::string read(const std::string& name) const;
  nlohmann::json json(const std::string& name) const { return nlohmann::json::parse(read(name)); }
  std::vector<std::string> files() const;  ///< below the folder, hidden ones too

  std::filesystem::path folder_;
  std::string scene_;  ///< path of a scene of 125 particles that runs for a hundredth of a second
};

::testing::AssertionResult contains(const std::string& text, const std::string& part);

/// "" when ffprobe finds a video stream with `frames` frames (-1: at least one); otherwise what is wrong, or "no
/// ffprobe".
std::string movie_fault(const std::filesystem::path& file, int frames = -1);

bool has_tool(const std::string& name);
bool can_draw();  ///< the program finds an off-screen OpenGL here

}  // namespace riffle
