#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace highwater {

class OutputFile;

/// A new file without a name in the folder of a place. It disappears with its owner, even if this program is killed.
struct NamelessFile {
    /// As OutputFile::Readers.
    enum class Readers : std::uint8_t { Owner, AsUsual };

    std::unique_ptr<OutputFile> file; ///< its errors contain the place
    /// Also owns the file. The name must be unused. Errors only contain the system's reason.
    std::function<Result<void>(const std::filesystem::path& path)> giveName;
};
/// Nothing if the system or the file system of this folder does not support it, or nothing can be created there.
[[nodiscard]] std::optional<NamelessFile> createNameless(const std::filesystem::path& place,
                                                         NamelessFile::Readers readers);

} // namespace highwater
