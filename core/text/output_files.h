#pragma once
/// Files that are there whole or not at all.

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace riffle {

/// Makes the folder and proves that a file can be made in it. @throws RuntimeFailure with the reason
void prepare_folder(const std::filesystem::path& folder);

/// The same for a file's folder, and that the file itself is no folder.
void prepare_file(const std::filesystem::path& file);

/// Whether both paths lead to the same file, there or not: by another spelling or by a link.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// A name beside the file, with its extension: "wave.mp4" -> ".wave.partial-1234.mp4".
std::filesystem::path partial_name(const std::filesystem::path& file);

/// Gives the finished partial file its name. @throws RuntimeFailure
void publish(const std::filesystem::path& partial, const std::filesystem::path& file);

/// `write` makes the file under the name it is given, which then becomes `file`; nothing is left behind when it throws.
void write_whole(const std::filesystem::path& file, const std::function<void(const std::filesystem::path&)>& write);

/// The same through a stream, checked for errors at its end. What is there and no regular file (/dev/stdout, a pipe) is
/// written to, not replaced. @throws RuntimeFailure with the file and the reason
void write_stream(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

void write_text(const std::filesystem::path& file, const std::string& text);

/// folder/name.extension, or the first of folder/name-2.extension, -3 ... that nothing has yet. An empty extension is a
/// folder's. What is no letter, digit, '-' or '_' in the name becomes '_'.
std::filesystem::path free_name(const std::filesystem::path& folder, const std::string& name,
                                const std::string& extension);

}  // namespace riffle
