#pragma once
/// Files of a run at regular times: NAME_000000.vtp and on, with NAME.pvd, which gives ParaView their times.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "app/run/movie_clock.h"

namespace riffle {

class NumberedFiles {
 public:
  /// @param name "out/dam.vtp": the files are out/dam_000000.vtp and on
  /// @param every [s] simulated between two files, > 0 @param start [s] of the first one
  /// @param before [s] that the times in the list are later: of the file that the particles began from
  /// @param list the file with the times; "": the format needs none
  /// @param option with which `every` was given, for messages
  NumberedFiles(std::filesystem::path name, double every, double start, double before, std::filesystem::path list,
                std::string option);

  /// The file of that number, "out/dam_000002.vtp".
  static std::filesystem::path file_of(const std::filesystem::path& name, std::size_t number);

  /// Goes on with the series of a run up to that time [s]: the next file is due at the next multiple of `every`, with its
  /// number, and the list has the files of before.
  /// @param step [s] of the run: where it is as long as `every`, files have the numbers that they were given
  /// @throws std::logic_error after the first file, InputError if the files that are there are of another interval
  void go_on_after(double time, double step);

  /// Which files of before the state are missing, and which of them the list does not have; "": none. After go_on_after().
  const std::string& gaps() const { return gaps_; }

  /// Which files of later numbers than those of this run lie beside them, from an earlier run; "": none.
  std::string left_over() const;

  /// Forgets the files of after that time [s], to which the run has gone back.
  void take_back(double time);

  /// Whether a file is due at that time [s]. A step over several times makes one file.
  bool due(double time) const { return clock_.due(time) > 0; }

  /// The file of the next moment, which the caller writes. @param time [s] of its particles
  std::filesystem::path next(double time);

  const std::filesystem::path& list() const { return list_; }
  std::string list_text() const;  ///< of the files so far that are there
  bool list_is_due() const { return !list_.empty() && is_seldom_enough(); }
  /// Whether what follows from all files is to be written after the last one: after each of thousands it would take too long.
  bool is_seldom_enough() const { return times_.size() <= 100 || times_.size() % 50 == 0; }

  std::size_t files() const { return times_.size(); }
  std::size_t before_us() const { return before_us_; }  ///< files of the run that goes on
  double every() const { return every_; }
  double before() const { return before_; }  ///< [s] that times in the list are later
  bool has(double time) const { return !times_.empty() && times_.back() == time; }  ///< the last file is of that time
  std::string pattern() const;                                                      ///< "out/dam_*.vtp"

  /// Whether steps are so long that files are not at the multiples of `every`.
  bool follows_steps(double step) const { return step > 0.9 * every_; }

 private:
  struct Entry {
    std::size_t number;
    double time;       ///< [s] as the run counts it
    std::string line;  ///< of the list; "" if it is not listed
  };

  std::filesystem::path file(std::size_t number) const { return file_of(name_, number); }
  /// The files that are there, by the list, or by what stands in them where the format has no list.
  std::vector<Entry> entries() const;
  std::vector<std::size_t> numbers_there() const;  ///< of all files with names of the series, ascending
  /// @param listed how many files of before the list has  @param unknown whether their numbers are
  void note_gaps(std::size_t listed, bool unknown);
  /// @throws InputError if they are of another interval
  void refuse_other_interval(const std::vector<Entry>& entries, double step) const;

  std::filesystem::path name_, list_;
  std::string option_;
  double every_, start_, before_;
  double went_on_ = 0;  ///< [s] of the state that the run goes on from
  MovieClock clock_;
  std::size_t before_us_ = 0;
  std::string gaps_;
  std::string earlier_;        ///< lines of the list for the files of before
  std::vector<double> times_;  ///< [s]
};

}  // namespace riffle
