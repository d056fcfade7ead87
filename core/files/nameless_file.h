#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace highwater {

class OutputFile;

/// A new file without a name in the folder of a place: it is gone with what holds it, were this program killed.
struct NamelessFile {
    /// As OutputFile::Readers.
    enum class Readers : std::uint8_t { Owner, AsUsual };

    std::unique_ptr<OutputFile> file; ///< whose errors name the place
    /// Holds it, too. The name is one that nothing has yet. Errors are the system's reason alone.
    std::function<Result<void>(const std::filesystem::path& path)> giveName;
};
/// Nothing: the system, or the file system of this folder, has none, or nothing can be made in it.
[[nodiscard]] std::optional<NamelessFile> createNameless(const std::filesystem::path& place,
                                                         NamelessFile::Readers readers);

} // namespace highwater
