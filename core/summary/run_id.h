#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <span>
#include <string>

namespace highwater::summary {

/// Names the run that files are of: 32 hexadecimal digits, the first 16 bytes of SHA-256 over the size and the first
/// and the last 64 KiB of each, where the trace's own header stands, and of formats without one all that tells two
/// apart. The same wherever the files lie, whatever they are called, and in whichever order they are named. Reads no
/// more than that. Errors: those of opening a file.
[[nodiscard]] Result<std::string> runIdOf(std::span<const std::filesystem::path> files);

} // namespace highwater::summary
