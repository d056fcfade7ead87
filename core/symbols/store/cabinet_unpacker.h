#pragma once

#include "core/base/byte_reader.h"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace highwater::symbols {

enum class CabinetEnd {
    Unpacked,
    Damaged,    ///< or no cabinet with exactly one file
    TooLarge,   ///< its file is larger than it may be, as it says or as it turns out
    NotTaken,   ///< the sink said no
    NoUnpacker, ///< the library could not be started
};

/// Takes the file of a cabinet piece by piece; false: it cannot be kept.
using CabinetSink = std::function<bool(ByteSpan bytes)>;

/// Unpacks the only file of a cabinet, of at most so many bytes. Through libmspack, on Windows through its cabinet.dll.
/// Any thread.
[[nodiscard]] CabinetEnd unpackOnlyFile(const std::filesystem::path& cabinet, std::uint64_t mostBytes,
                                        const CabinetSink& sink);

} // namespace highwater::symbols
