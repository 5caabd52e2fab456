#pragma once
/// Tables of reference figures.

#include <string>
#include <vector>

#include "core/text/table_file.h"

namespace riffle {

using ReferenceTable = TableFile;

/// The folders that are searched for tables: the installed share/riffle/reference, then tests/reference of the sources.
std::vector<std::string> reference_folders();

/// @param folder  the only folder to search; "": reference_folders()
/// @return the table's path. @throws Unavailable when there is none, with the folders
std::string find_reference(const std::string& file, const std::string& folder = "");

/// Linear interpolation. Beyond the ends it gives the end values. x and y are equally long and not empty; x ascends or
/// descends.
double interpolate(const std::vector<double>& x, const std::vector<double>& y, double where);

}  // namespace riffle
