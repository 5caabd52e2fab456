#pragma once
/// Output files that are either complete or absent.

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace riffle {

/// Creates the folder and checks that files can be written in it. @throws RuntimeFailure with the reason
void prepare_folder(const std::filesystem::path& folder);

/// The same for a file's folder; also checks that the file itself is not a folder.
void prepare_file(const std::filesystem::path& file);

/// Whether both paths name the same file, also by another spelling or through a link. The file need not exist.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// A temporary name in the file's folder, with its extension: "wave.mp4" -> ".wave.partial-1234.mp4".
std::filesystem::path partial_name(const std::filesystem::path& file);

/// Renames the finished partial file to `file`. @throws RuntimeFailure
void publish(const std::filesystem::path& partial, const std::filesystem::path& file);

/// Calls `write` with a temporary name and then renames that file to `file`. Leaves nothing behind when `write` throws.
void write_whole(const std::filesystem::path& file, const std::function<void(const std::filesystem::path&)>& write);

/// The same through a stream, whose errors are checked at its end. A path that exists and is not a regular file
/// (/dev/stdout, a pipe) is written to, not replaced. @throws RuntimeFailure with the file and the reason
void write_stream(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

void write_text(const std::filesystem::path& file, const std::string& text);

/// folder/name.extension, or the first of folder/name-2.extension, -3 ... that does not exist. An empty extension names
/// a folder. In the name, every character but letters, digits, '-' and '_' becomes '_'.
std::filesystem::path free_name(const std::filesystem::path& folder, const std::string& name,
                                const std::string& extension);

}  // namespace riffle
