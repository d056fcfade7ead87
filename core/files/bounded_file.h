#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>

namespace highwater {

/// Timeouts for the other end of a pipe. Ordinary files have no timeout.
struct PipePatience {
    std::chrono::milliseconds writer{2'000}; ///< until a writer has opened it
    std::chrono::milliseconds byte{30'000};  ///< without a byte
    std::chrono::milliseconds whole{120'000};
};

/// The contents of a file that the user specified, up to a maximum size, because a device may have no end, and a pipe,
/// such as that of `<(command)`, may have no writer. Error: NotFound, AccessDenied or Io, with a sentence that contains
/// the reason. Any thread.
[[nodiscard]] Result<std::string> readBounded(const std::filesystem::path& path, std::size_t mostBytes,
                                              PipePatience patience = {});

} // namespace highwater
