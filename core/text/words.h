#pragma once
/// Words of enums: one table beside each enum. Text is read and written by it, and documentation follows from it.
///
///   enum class WallSlip { NoSlip, FreeSlip };
///   inline constexpr Word<WallSlip> kWallSlipWords[] = {{WallSlip::NoSlip, "no_slip"}, {WallSlip::FreeSlip, "free_slip"}};
///   constexpr std::span<const Word<WallSlip>> words_of(WallSlip) { return kWallSlipWords; }

#include <optional>
#include <span>
#include <string_view>

namespace riffle {

/// A member of an enum: its word in scenes and on the command line, and what it means.
template <class Enum>
struct Word {
  Enum value;
  std::string_view word;
  std::string_view doc = "";  ///< follows "`word`: " in documentation, without a full stop; "": the word says it
};

/// "?" for a value that has no row.
template <class Enum>
constexpr std::string_view word_of(Enum value) {
  for (const auto& row : words_of(Enum{}))
    if (row.value == value) return row.word;
  return "?";
}

/// Nothing where no row has the word.
template <class Enum>
constexpr std::optional<Enum> value_of_word(std::string_view word) {
  for (const auto& row : words_of(Enum{}))
    if (row.word == word) return row.value;
  return std::nullopt;
}

}  // namespace riffle
