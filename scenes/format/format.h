#pragma once
/// The scene format as data. The checks of the loader, scene.schema.json and docs/scene-format.md follow from this table.

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenes/format/value.h"
#include "scenes/scene.h"

namespace riffle::scenes {

struct Record;

/// What the coefficients of DPD's pair forces multiply.
enum class PairWeights { Unit, Normalized };
inline constexpr Word<PairWeights> kPairWeightWords[] = {
    {PairWeights::Unit, "unit", "1 - r / r_c, as in Groot and Warren 1997"},
    {PairWeights::Normalized, "normalized",
     "c (1 - r / r_c), whose integral times the mean density is 1, and its square for the drag, as in the bucket-sort "
     "paper; friction is then per mass, and that of a pair is 2 m_i m_j / (m_i + m_j)"},
};
constexpr std::span<const Word<PairWeights>> words_of(PairWeights) { return kPairWeightWords; }

/// The scene while it is read, with what later checks need and Scene does not keep.
struct SceneDraft {
  struct Body {
    std::string fluid;           ///< by name; "": the only one
    std::optional<float> level;  ///< [m] of `fill`
    std::string file;            ///< of `particles`, from the scene's folder; "": none
    std::optional<int> only;     ///< of `particles`: the number of the fluid in the file
  };
  /// Coefficients of pairs of fluids: one number for all, or a row for every fluid.
  struct Matrix {
    bool given = false;
    float all = 0;
    std::vector<std::vector<float>> rows;  ///< empty: `all`

    void set(const Value& value);
    Value value() const;  ///< one number if all are equal
  };
  Scene scene;
  std::vector<Body> bodies;               ///< beside scene.simulation.bodies
  std::vector<std::string> inlet_fluids;  ///< beside scene.simulation.inlets, by name; "": the only one
  std::vector<bool> spring_ends;          ///< beside scene.simulation.joints: whether `to` is given
  float number_density = 0;               ///< [1/m^d]; 0: particles.spacing was given
  Matrix repulsion, friction, noise, interface_tension;
  PairWeights weights = PairWeights::Unit;
  std::string upper, lower;  ///< fluids of start.interface, by name
};

/// One way in which a value may be written.
struct Form {
  /// Keys: a map of paths of the scene's own keys. Its Value is a list of pairs, path and value as YAML.
  enum class Kind { Text, Flag, Whole, Number, Word, HexColor, Tuple, Map, List, Keys };

  Kind kind = Kind::Text;
  double min = -std::numeric_limits<double>::infinity();  ///< Whole, Number
  double max = std::numeric_limits<double>::infinity();
  bool above_min = false;                ///< min itself is not allowed
  int multiple_of = 1;                   ///< Whole
  std::string unit;                      ///< Number
  std::vector<std::string> words;        ///< Word
  std::vector<Form> element;             ///< Tuple: one form, of every component
  int min_count = 0, max_count = 0;      ///< Tuple, List
  bool spatial = false;                  ///< Tuple: a 3-D scene needs all three components
  std::shared_ptr<const Record> record;  ///< Map, List (of its items)

  std::string describe(int dimension = 0) const;  ///< "a number above 0 in m"
};

/// What a change of a key asks of a running simulation; the strongest first.
enum class Effect {
  Restart,  ///< a new start: the key decides the particles at time 0, or what was simulated so far is no longer valid
  Live,     ///< the solver continues with the particles as they are
  Search,   ///< the solver takes no notice: every neighbour search finds the same pairs
  Picture   ///< nothing: the key is about drawing, recording, names, or the end of the run
};

struct Key {
  std::string name;
  std::string doc;  ///< one sentence
  std::vector<Form> forms = {};
  bool required = false;
  Value default_value = {};              ///< empty: none; otherwise the loader stores it when the key is absent
  std::vector<SolverKind> solvers = {};  ///< with which it means something; empty: with all
  std::string default_note = {};         ///< in place of default_value in the documentation
  std::function<void(SceneDraft&, const Value&)> store = {};  ///< scalars and tuples
  std::function<void(SceneDraft&)> enter = {};                ///< before the map is read, or each item of the list
  /// The value in a draft, for writing it down; not for maps and lists.
  std::function<Value(SceneDraft&)> fetch = {};
  /// Whether a draft has the map; of keys of which one must be given, whether it is this one.
  std::function<bool(SceneDraft&)> present = {};
  std::function<std::size_t(const SceneDraft&)> count = {};  ///< of a list's entries
  /// Leaves only the entry i of `whole` in the draft's list.
  std::function<void(SceneDraft&, const SceneDraft& whole, std::size_t i)> pick = {};
  std::optional<Effect> effect = {};  ///< none: that of the section it stands in
  bool needs_third_axis = false;      ///< means nothing in 2-D
  /// Of three numbers that are no place: those that mean something in 2-D.
  enum class InFlat { All, AboutZ, InPlane } in_flat = InFlat::All;
  std::string example = {};  ///< a map with which the key can be given, as YAML; "": none
  bool is_parameter = true;  ///< scenes/document/parameters.h lists it

  bool suits(SolverKind solver) const;
};

struct Record {
  std::vector<Key> keys;
  std::vector<std::string> exactly_one_of = {};  ///< keys of which one must be given

  const Key* find(const std::string& name) const;  ///< nullptr when there is none
};

/// The whole format.
const Record& scene_format();

/// Every key path of the format, "bodies[].box.min".
std::vector<std::string> all_key_paths();

std::string describe_forms(const std::vector<Form>& forms, int dimension = 0);  ///< "auto, or a number above 0 in s"

std::string scene_format_as_json_schema();  ///< draft 2020-12
std::string scene_format_as_markdown();

}  // namespace riffle::scenes
