#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>

namespace highwater {

/// How long the other end of a pipe is waited for. An ordinary file is not waited for.
struct PipePatience {
    std::chrono::milliseconds writer{2'000}; ///< until somebody has opened it
    std::chrono::milliseconds byte{30'000};  ///< without a byte
    std::chrono::milliseconds whole{120'000};
};

/// All of a file that a user names, of at most so many bytes: a device may have no end, and a pipe, such as that of
/// `<(command)`, may have no writer. Error: NotFound, AccessDenied or Io, with a sentence that says why. Any thread.
[[nodiscard]] Result<std::string> readBounded(const std::filesystem::path& path, std::size_t mostBytes,
                                              PipePatience patience = {});

} // namespace highwater
