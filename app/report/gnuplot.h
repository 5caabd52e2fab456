#pragma once
/// Texts that are safe in gnuplot scripts, and the call of gnuplot.

#include <filesystem>
#include <string>

namespace riffle {

/// The text reduced to lower-case letters, digits, '.' and '_', without a dot at its start: a shell, gnuplot or a path
/// reads it as a plain name. "" when nothing is left.
std::string slug(const std::string& text);

/// A quoted field of a comma-separated table.
std::string csv_text(const std::string& text);

/// A gnuplot string in single quotes: between double quotes gnuplot runs text in backquotes. Control characters become
/// spaces, since a line end would end the string and start a command.
std::string gp_text(const std::string& text);

/// Runs <name>.gp in its folder. @param gnuplot  the program's path
/// @throws RuntimeFailure with gnuplot's message when it fails
void draw_with_gnuplot(const std::string& gnuplot, const std::filesystem::path& folder, const std::string& name);

}  // namespace riffle
