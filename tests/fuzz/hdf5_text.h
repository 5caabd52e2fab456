#pragma once
/// HDF5 files as text, so that a mutation of the text is a file that HDF5 reads and its caller may not.

#include <string>

namespace riffle::fuzz {

/// Lines, in any order:
///   group NAME
///   note OBJECT NAME TYPE VALUE         TYPE: text, u8, i32, u32, u64, f32, f64
///   array NAME TYPE SIZES VALUE ...     SIZES: "-" for one number, or "12x3"; the values are repeated as often as need be
///   text NAME VALUE                     in a text "\n" is a line break
///   bytes NAME VALUE
/// What HDF5 refuses, and what is no such line, is left out; so are arrays of more than 4,096 elements.
/// @return the file, with 512 bytes before HDF5 begins; "" if HDF5 cannot make it
std::string hdf5_file_of(const std::string& text);

}  // namespace riffle::fuzz
