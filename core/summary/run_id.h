#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <span>
#include <string>

namespace highwater::summary {

/// The id of the run of these files: 32 hexadecimal digits, the first 16 bytes of SHA-256 over the size and the first
/// and last 64 KiB of each file. This includes the trace's own header, and for formats without one enough data to
/// distinguish two files. It does not depend on the paths, names and order of the files. Reads no more than that.
/// Errors: those of opening a file.
[[nodiscard]] Result<std::string> runIdOf(std::span<const std::filesystem::path> files);

} // namespace highwater::summary
