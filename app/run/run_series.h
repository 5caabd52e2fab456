#pragma once
/// Diagnostics along a run as a CSV table, one row per interval.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/report/series_means.h"
#include "app/run/row_file.h"
#include "app/state/saved_rows.h"
#include "scenes/scene.h"
#include "sim/measure/quantity_values.h"
#include "sim/probes/probe_meter.h"
#include "sim/simulation.h"
#include "validation/mixing.h"

namespace riffle {

/// The mixing of a scene with start.interface, as its particles are now; nothing for other scenes. Waits.
std::optional<MixingMeasures> mixing_of(const Simulation& simulation);

class RunSeries {
 public:
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

  /// @param every [s] simulated between rows; 0: as often as the movie's frames
  /// @param most rows; when there are more, every second one is dropped. A mean since the row before is then that since
  ///             the row before that is left
  explicit RunSeries(const scenes::Scene& scene, double every = 0, std::size_t most = kUnlimited);

  /// The rows before have no numbers of probes that are new; a row of the present state gets them. Before the first step the
  /// table has only the columns of these probes. Waits.
  /// @return whether they are others
  bool set_probes(std::span<const ProbeSetup> probes, Simulation& simulation);

  std::span<const ProbeSetup> probes() const { return probes_; }

  /// Adds a row if one is due at the newest known step. Waits if so. @return whether it has added one
  /// @param intervals from this row to the next
  bool sample(Simulation& simulation, std::uint64_t intervals = 1);

  double interval() const { return every_; }  ///< [s] simulated at whose multiples rows are due

  /// Adds a row of the present state, unless it has one of that time or a later one. Waits.
  void add_present(Simulation& simulation);

  /// The last row gets the numbers of the present state, if it is of this time: parameters were changed there. Means since
  /// the row before stay, as they are of the steps before the change. Before the first step it has only
  /// the columns of the present parameters. Waits. @return whether it was of this time
  bool measure_last_again(Simulation& simulation);

  /// The numbers of a row of the present state, which is not added. Waits.
  std::vector<double> measure(Simulation& simulation);

  /// Forgets the rows after that time: the run may differ from there on. @return whether there were any
  bool cut_after(double time);

  /// Its rows up to that time [s], for a state file: SavedRows::kMostBytes of them at most, otherwise every second one, or
  /// every fourth ...
  SavedRows saved(double time) const;
  /// Begins with those rows, as if it had measured them. The next one is due after them.
  void go_on_from(const SavedRows& rows);

  /// The names with their units, "kinetic_energy [J]", and the rows. A number that a row has not, since its solver did
  /// not have it, is nan.
  std::string csv() const;
  std::string header() const;            ///< its first line
  std::string row(std::size_t k) const;  ///< its line of row k

  /// Of all columns but time and step, over the rows between these times [s]. Where the intervals between them differ,
  /// over those that are the longest one apart.
  SeriesMeans means(double from, double to = std::numeric_limits<double>::infinity()) const;

  std::size_t rows() const { return rows_.size(); }
  std::span<const double> row_values(std::size_t k) const {
    return rows_[k];
  }                                                                ///< the time first; later columns may lack
  std::optional<std::size_t> column(std::string_view name) const;  ///< its place in a row; nothing if there is none
  double seconds() const { return seconds_; }  ///< that the rows took so far, without the steps that they waited for
  double last_seconds() const { return last_seconds_; }  ///< the same of the last row
  /// [s] by which the last row held the run up: on the CPU without the time for which other programs had the processor.
  double last_cost() const { return last_cost_; }

 private:
  void add_row(Simulation& simulation, std::uint64_t multiple, std::uint64_t intervals);
  /// Those between the times, and how many more there are.
  std::vector<std::size_t> even_rows(double first, double last, std::size_t& left_out) const;
  void mark_rounding(SeriesMeans& means, const std::map<std::string, double>& largest) const;
  double value_at(std::size_t k, std::size_t column) const;  ///< NaN: there is none
  /// The same; of a mean since the row before, that since row `before`.
  double value_since(std::size_t before, std::size_t k, std::size_t column) const;
  std::uint64_t multiple_before(double time) const;         ///< of every_
  bool is_before_first_step(Simulation& simulation) const;  ///< and the only row is of that time
  void forget_probe_columns(const SimulationSetup& setup);  ///< of the only row
  void measure_probes(Simulation& simulation, std::vector<double>& row);
  void add_first_step(const Simulation& simulation, std::vector<double>& values);
  void store(const std::string& name, const std::string& unit, bool is_mean, double value, std::vector<double>& row);
  void drop_every_second_row();

  double every_;
  std::size_t most_;
  std::vector<ProbeSetup> probes_;
  std::shared_ptr<ProbeMeter> meter_;  ///< nullptr until a row needs it
  double seconds_ = 0, last_seconds_ = 0, last_cost_ = 0;
  double mass_ = 0;  ///< [kg] of all particles in the last row
  struct Name {
    std::string name, unit;
    bool is_mean = false;           ///< since the row before
    std::string with_unit() const;  ///< "kinetic_energy [J]"
  };
  std::vector<Name> names_;
  /// Loads of solids: of the last measurement, of the last row and of the one before it.
  std::vector<SolidLoad> measured_, before_, earlier_;
  std::shared_ptr<QuantityValues> quantities_ = std::make_shared<QuantityValues>();
  std::vector<std::uint64_t>
      multiples_;                       ///< (rows) of every_, at which each row was due; the next one follows the last
  std::vector<std::uint64_t> strides_;  ///< (rows) of every_, after the row before at the least
  std::vector<std::vector<double>> rows_;  ///< by time; the first number is the time, the others in the order of names_
};

/// The file of --series. It grows with the run, so that a run that is killed leaves the rows up to then.
class SeriesFile {
 public:
  /// What is there under that name stays until the first row is written.
  /// @param goes_on  [s] of the state that the run goes on from: rows of the file before it stay, if the columns are the same
  explicit SeriesFile(const std::filesystem::path& file, std::optional<double> goes_on = {}) : table_(file, goes_on) {}

  /// As RowFile.
  void look(const std::string& header, double interval) const { table_.look(header, interval); }

  /// Appends the rows that the file lacks and hands them to the system. Writes the whole table again if its columns
  /// have changed. @throws RuntimeFailure with the file and the reason
  void follow(const RunSeries& series);

  /// The last row has other numbers now: follow() writes it again.
  void take_back_last();

 private:
  RowFile table_;
  std::string header_;    ///< of the file; "": nothing is written yet
  std::size_t rows_ = 0;  ///< of this run in the file
};

}  // namespace riffle
