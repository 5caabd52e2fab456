#pragma once
/// What pictures of tables share: texts that gnuplot takes for nothing else, and gnuplot itself.

#include <filesystem>
#include <string>

namespace riffle {

/// Lower-case letters, digits, '.' and '_', no dot first: nothing that a shell, gnuplot or a path takes for more than a
/// name. "" when nothing of the text is left.
std::string slug(const std::string& text);

/// A quoted field of a comma-separated table.
std::string csv_text(const std::string& text);

/// A string of gnuplot's. Single quotes, for between double ones it runs what stands in backquotes; a line's end would
/// end the string, and what follows it would be a command.
std::string gp_text(const std::string& text);

/// Runs <name>.gp in its folder. @param gnuplot  the program's path
/// @throws RuntimeFailure with what it said when it fails
void draw_with_gnuplot(const std::string& gnuplot, const std::filesystem::path& folder, const std::string& name);

}  // namespace riffle
