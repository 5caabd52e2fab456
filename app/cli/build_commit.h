#pragma once
/// The commit of the sources. A file of its own, because each commit compiles it.

namespace riffle {

/// 40 hexadecimal digits, followed by " changed" if files differed from the commit; "unknown" outside of a git checkout.
const char* build_commit();

}  // namespace riffle
