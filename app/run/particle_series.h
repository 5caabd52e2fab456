#pragma once
/// The particles of a run at regular times: as files NAME_000000.vtp and on, with NAME.pvd, which gives ParaView their
/// times; PLY and CSV have no such list. Or as the frames of one file (particle_trajectory.h).

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/run/numbered_files.h"
#include "app/run/particle_trajectory.h"

namespace riffle {

class ParticleSeries {
 public:
  /// @param name "out/dam.vtp": the files are out/dam_000000.vtp and on
  /// @param every [s] simulated between two files, > 0 @param start [s] of the first one
  /// @param before [s] that the times in the list are later: of the file that the particles began from
  /// @throws InputError as particle_format()
  ParticleSeries(std::filesystem::path name, double every, double start = 0, double before = 0);

  /// Goes on with the series of a run up to that time [s]: the next file is due at the next multiple of `every`, with its
  /// number, and the list has the files of before.
  /// @param step [s] of the run: where it is as long as `every`, files have the numbers that they were given
  /// @throws std::logic_error after the first file, InputError if the files that are there are of another interval
  void go_on_after(double time, double step);

  /// Which moments of before the state the files do not have, one line; "": none. After go_on_after().
  const std::string& gaps() const { return gaps_; }

  /// Which files of an earlier run lie beside those of this one; "": none.
  std::string left_over() const { return trajectory_ ? "" : numbered_.left_over(); }

  /// Forgets the moments after that time [s], to which the run has gone back. A file of all moments loses its frames of them.
  /// @throws as continue_trajectory()
  void take_back(double time);

  /// Whether a file is due at that time [s]. A step over several times makes one file.
  bool due(double time) const { return numbered_.due(time); }

  /// The file of the next moment, which the caller writes with writer(). @param time [s] of its particles
  std::filesystem::path next(double time);

  /// Writes a moment into the file that next() named. Call it in the order of the moments; on any thread, one call at a time.
  using Write = std::function<void(const std::filesystem::path& file, const ParticleTable& table)>;
  Write writer() const;

  const std::filesystem::path& list() const { return list_; }  ///< NAME.pvd; "" for a format that needs none
  std::string list_text() const;  ///< of the moments so far that are there, in the list's format
  bool list_is_due() const { return !list_.empty() && numbered_.is_seldom_enough(); }

  std::size_t files() const { return numbered_.files(); }
  double every() const { return numbered_.every(); }
  bool has(double time) const { return numbered_.has(time); }  ///< the last file is of that time
  std::string pattern() const;                                 ///< "out/dam_*.vtp"; of one file its name
  bool one_file() const { return trajectory_ != nullptr; }

 private:
  std::filesystem::path name_, list_;
  NumberedFiles numbered_;
  std::string gaps_;
  std::shared_ptr<ParticleTrajectory> trajectory_;  ///< nullptr: each moment has its own file. Shared with writer()
};

}  // namespace riffle
