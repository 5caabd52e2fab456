#pragma once
/// Numbers with a decimal comma in a list: YAML reads "[0, -9,81]" as three numbers.

#include <string>
#include <vector>

#include "scenes/document/document.h"

namespace riffle::scenes {

/// What the parts mean: "-9.81" of [0, -9,81]. A part is a whole number, and digits alone follow it.
struct PartedNumbers {
  std::vector<std::string> whole;  ///< with a point; empty: no number looks parted
  std::size_t count = 0;           ///< of the list's items, once the parts are put together
  std::size_t first = 0;           ///< the item with which whole[0] begins
  bool by_blanks = false;          ///< the commas within numbers have no blank behind them, and the others have one
};

/// @param least, most  of the items that the list may have
PartedNumbers parted_numbers(const Node& list, std::size_t least, std::size_t most);

/// Whether the list has no blanks, and its last two of three numbers can be one with a decimal comma: [0,-9,81].
bool last_two_may_be_one(const Node& list);

/// As Node::describe(), with a blank behind a comma only where the text has one: "the list [0, -9,81]".
std::string described_with_blanks(const Node& list);

}  // namespace riffle::scenes
