#pragma once
/// Every key that a scene can have, with its present value: what panels show.

#include <limits>
#include <string>
#include <vector>

#include "scenes/format/format.h"
#include "scenes/load.h"

namespace riffle::scenes {

struct Parameter {
  enum class Kind {
    Number,
    Whole,
    Flag,
    Choice,  ///< one of `choices`
    Vector,  ///< of `components` items, each a `component`
    Matrix,  ///< `components` rows of `components` numbers; one number stands for all
    Text,
    Color,    ///< sRGB: "#rrggbb", or three numbers from 0 to 1
    Section,  ///< one of `choices`, or a map, whose keys are then parameters of their own
  };

  std::string path;         ///< as --set takes it, "fluids[0].viscosity"
  std::string section;      ///< the part of the scene that it is shown under, "fluids[0]"; "scene" at the top level
  std::string section_doc;  ///< what that is; "" at the top level
  std::string label;        ///< its path within the section, "box.min"
  std::string doc;          ///< one sentence
  Effect effect = Effect::Restart;

  Kind kind = Kind::Text;            ///< of the present value; of a word like `auto`, the first kind that is not a word
  std::vector<Form> forms;           ///< all ways in which it may be written
  std::vector<std::string> choices;  ///< words that it can be, with any kind: "auto"
  Kind component = Kind::Number;     ///< of Vector: Number, Whole or Choice
  int components = 1;                ///< Vector: 2 if it is spatial in a 2-D scene; Matrix: the number of fluids
  int first_shown = 0, shown = 1;    ///< Vector: components that mean something, in 2-D perhaps not all
  std::string unit;  ///< "" for none; with DPD in terms of r_c and of the time tau that follows from r_c, mass and kT
  double min = -std::numeric_limits<double>::infinity(),
         max = std::numeric_limits<double>::infinity();  ///< of a number, or of each component
  bool above_min = false;                                ///< min itself is not allowed
  int multiple_of = 1;                                   ///< Whole

  std::string value;          ///< YAML in one line, as written or the default; "" for none
  std::string default_value;  ///< the same; "" for none
  std::string default_note;   ///< a default that depends on the scene, in words; "" otherwise
  bool written = false;       ///< the scene has the key, even with the default value
  bool required = false;      ///< it has no default and cannot be left out
  std::string example;        ///< of a Section: a map with which it can be given; "": none

  bool is_word() const;  ///< the value is one of `choices`
  /// Numbers of the value: components, rows one after the other, or r g b; none for a word.
  std::vector<double> numbers() const;
  std::string text() const;  ///< of the value, without quotes
};

/// The keys that mean something with this scene's solver and dimension, in the order of the format. In a group of which
/// one key must be given, only the given one is listed. A scene without `fluids` has the keys of its one fluid.
/// A scene with mistakes throws nothing: its values are listed as they are written.
std::vector<Parameter> parameters(const SceneSource& source);

/// The solver that the document chooses.
SolverKind solver_of(const SceneSource& source);

/// Paths of written keys that mean nothing with the scene's solver; the loader refuses them.
std::vector<std::string> keys_of_other_solvers(const SceneSource& source);

/// The numbers in a value's YAML, at any depth of lists; r, g and b of "#rrggbb". None if anything else is in it.
std::vector<double> numbers_in(const std::string& value);

}  // namespace riffle::scenes
