#pragma once

#include "core/base/byte_reader.h"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace highwater::symbols {

enum class CabinetEnd {
    Unpacked,
    Damaged,    ///< or not a cabinet with exactly one file
    TooLarge,   ///< its file exceeds the limit, according to its header or while unpacking
    NotTaken,   ///< the sink returned false
    NoUnpacker, ///< the library could not be initialized
};

/// Receives the file of a cabinet in pieces; returns false if it cannot store them.
using CabinetSink = std::function<bool(ByteSpan bytes)>;

/// Unpacks the only file of a cabinet, up to the given size. Uses libmspack, on Windows cabinet.dll. Any thread.
[[nodiscard]] CabinetEnd unpackOnlyFile(const std::filesystem::path& cabinet, std::uint64_t mostBytes,
                                        const CabinetSink& sink);

} // namespace highwater::symbols
