#pragma once
/// Every key that a scene can have, with what it is now: what a panel shows of it.

#include <limits>
#include <string>
#include <vector>

#include "scenes/format/format.h"
#include "scenes/load.h"

namespace riffle {

struct Parameter {
  enum class Kind {
    Number,
    Whole,
    Flag,
    Choice,  ///< one of `choices`
    Vector,  ///< of `components` items, each a `component`
    Matrix,  ///< `components` rows of as many numbers; one number stands for all of them
    Text,
    Color,    ///< sRGB: "#rrggbb", or three numbers from 0 to 1
    Section,  ///< one of `choices`, or a map, whose keys are then parameters of their own
  };

  std::string path;         ///< as --set takes it, "fluids[0].viscosity"
  std::string section;      ///< the part of the scene to show it under, "fluids[0]"; "scene" at the top level
  std::string section_doc;  ///< what that is; "" at the top level
  std::string label;        ///< its path within the section, "box.min"
  std::string doc;          ///< one sentence
  Effect effect = Effect::Restart;

  Kind kind = Kind::Text;   ///< where it may be written in several ways: the way it is; where it is a word like `auto`,
                            ///< the first that is none
  std::vector<Form> forms;  ///< all ways in which it may be written
  std::vector<std::string> choices;  ///< words that it can be, in whatever kind: "auto"
  Kind component = Kind::Number;     ///< of Vector: Number, Whole or Choice
  int components = 1;                ///< Vector: 2 in a 2-D scene where it is spatial; Matrix: fluids
  std::string unit;                  ///< "" for none; with DPD in terms of r_c and the time tau that follows from it
  double min = -std::numeric_limits<double>::infinity(),
         max = std::numeric_limits<double>::infinity();  ///< of a number, or of each component
  bool above_min = false;                                ///< min itself is not allowed
  int multiple_of = 1;                                   ///< Whole

  std::string value;          ///< YAML in one line, as written or the default; "" for none
  std::string default_value;  ///< the same; "" for none
  std::string default_note;   ///< of a default that depends on the scene, in words; "" otherwise
  bool written = false;       ///< in the scene, even if as the default
  bool required = false;      ///< it has no default and cannot be left out

  bool is_word() const;                 ///< the value is one of `choices`
  std::vector<double> numbers() const;  ///< of the value: components, rows one after the other, r g b; none in a word
  std::string text() const;             ///< of the value, without quotes
};

/// The keys that mean something with this scene's solver and dimension, in the order of the format. Of keys of which
/// one is given the others are left out; a scene without `fluids` has its one fluid's.
/// @throws nothing on a scene with mistakes: what is written is shown
std::vector<Parameter> parameters(const SceneSource& source);

/// Paths of what is written but means nothing with the scene's solver: the loader refuses it.
std::vector<std::string> keys_of_other_solvers(const SceneSource& source);

/// Numbers in a value's YAML, however deep in lists; of "#rrggbb" r, g and b. None where something else is in it.
std::vector<double> numbers_in(const std::string& value);

}  // namespace riffle
